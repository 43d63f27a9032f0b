/** Milliseconds of CPU time that work takes. Unlike clock time it does not depend on other jobs. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
