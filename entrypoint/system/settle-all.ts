/**
 * Waits for all of them, before one that failed is heard of: what the others do meanwhile is then over.
 *
 * @returns what each one gave
 * @throws what the first one threw
 */
export async function allOf<T extends readonly unknown[] | []>(steps: T): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  await Promise.allSettled(steps)
  return Promise.all(steps)
}
