/** Recognises in a log that our PHP code refused an app: wrong input, not a broken server. Pure. */

/** As php/src/App/AppError.php prints it. */
const REFUSAL = /The app is refused: (.+)$/m

/**
 * @param log of a server that did not start
 * @param project root of the revision's files, as the server sees them
 * @returns the refusal, with paths as in the repository; undefined if something else is wrong
 */
export function refusalIn(log: string, project: string): string | undefined {
  return REFUSAL.exec(log)?.[1]?.replaceAll(`${project}/`, '')
}
