/** Counts a noun in a sentence: "1 cell", "4 cells". */
export function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
