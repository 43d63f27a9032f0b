/** Recognises in a log that our PHP code refused an app: wrong input, not a broken server. Pure. */

/** The format of php/src/App/AppError.php. */
const REFUSAL = /The app is refused: (.+)$/m

/**
 * @param log the log of a server that did not start
 * @param project the root of the revision's files, as the server sees them
 * @returns the refusal, with paths as in the repository; undefined for any other fault
 */
export function refusalIn(log: string, project: string): string | undefined {
  return REFUSAL.exec(log)?.[1]?.replaceAll(`${project}/`, '')
}
