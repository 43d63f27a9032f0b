/** The limits of every container that runs the app's code, because a pull request brings that code. Pure. */

/** Flags of every container. */
export const CONFINED = ['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--pids-limit', '4096'] as const

export interface Share {
  /** Such as 2g. No swap is added. */
  memory: string
  /** The daemon's version of control groups. */
  cgroup: string
}

/** Flags of arms, and of the setup that prepares them. */
export function limitFlags({ memory, cgroup }: Share): string[] {
  return [
    ...CONFINED,
    ...['--memory', memory, '--memory-swap', memory],
    // In version 1 the container's own groups are visible anyway.
    ...(cgroup === 'v2' ? ['--cgroupns', 'private'] : []),
    ...['--log-driver', 'json-file', '--log-opt', 'max-size=10m'],
  ]
}

/**
 * Setup writes the app's files, which may belong to another user if an image runs as root. These three capabilities concern files only,
 * and only the container's own.
 */
export function setupCapabilities(owner: string): string[] {
  return owner === 'root' ? ['CHOWN', 'DAC_OVERRIDE', 'FOWNER'].flatMap((name) => ['--cap-add', name]) : []
}
