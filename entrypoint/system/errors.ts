/** Errors by exit code. Callers rely on the codes. */
export const EXIT = { pass: 0, regressed: 1, input: 2, invalid: 3, inconclusive: 4 } as const

/** Wrong input: the message names the place, what was found and what is allowed. Exit code 2. */
export class InputError extends Error {
  readonly exitCode = EXIT.input
  override name = 'InputError'
}

/** The measurement is impossible or cannot be trusted: infrastructure, preflight, a lost server. Exit code 3. */
export class MeasurementError extends Error {
  readonly exitCode = EXIT.invalid
  override name = 'MeasurementError'
}

/** The user or the runner asked this tool to stop. */
export class Cancelled extends Error {
  readonly exitCode = EXIT.invalid
  override name = 'Cancelled'
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
