/** The README's short list of error rates. @param table Markdown, as r/calibrate.R prints it @returns a Markdown list */
export function ratesIn(table: string): string
