/** Rows of a CSV file of ours that a stranger may have written, as R reads them. Pure. */

/** R checks the form of the file. A carriage return alone ends a line, too. */
export function csvRows<Column extends string>(csv: string, columns: readonly Column[]): Partial<Record<Column, string>>[] {
  const lines = csv.replace(/^\ufeff/, '').split(/\r\n?|\n/)
  return lines
    .slice(1)
    .filter(Boolean)
    .map((line) => Object.fromEntries(line.split(',').map((text, i) => [columns[i], text])) as Partial<Record<Column, string>>)
}
