/** Waits for all of them, before one that failed is heard of: what the others do meanwhile is then over. @throws what the first one threw */
export async function allOf(steps: Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(steps)
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure) throw failure.reason
}
