export const MOST_WORDS: number
export interface Sentence {
  text: string
  words: number
  /** The line of the paragraph on which the sentence begins, from 0. */
  line: number
}
export function sentencesOf(text: string): Sentence[]
export function longSentencesOf(text: string): Sentence[]
export function paragraphsOf(source: string): { text: string; line: number }[]
