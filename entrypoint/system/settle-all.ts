/**
 * Waits for all steps to settle, then rethrows the first error, so that no step still runs after a failure.
 *
 * @returns the result of each step
 * @throws the error of the first step that failed, in their order
 */
export async function allOf<T extends readonly unknown[] | []>(steps: T): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  await Promise.allSettled(steps)
  return Promise.all(steps)
}
