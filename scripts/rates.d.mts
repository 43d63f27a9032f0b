/** The README's lines of the table that r/calibrate.R prints. @param table Markdown @returns a Markdown list */
export function ratesIn(table: string): string
