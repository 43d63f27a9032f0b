/** The limits of every container that runs the app's code, because a pull request brings that code. Pure. */

/** Of every container. */
export const CONFINED = ['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--pids-limit', '4096'] as const

export interface Share {
  /** Such as 2g; no swap comes on top. */
  memory: string
  /** Version of control groups of the daemon. */
  cgroup: string
}

/** Of arms, and of the setup that makes what they serve. */
export function limitFlags({ memory, cgroup }: Share): string[] {
  return [
    ...CONFINED,
    ...['--memory', memory, '--memory-swap', memory],
    // In version 1 a container sees its own groups anyway.
    ...(cgroup === 'v2' ? ['--cgroupns', 'private'] : []),
    ...['--log-driver', 'json-file', '--log-opt', 'max-size=10m'],
  ]
}

/**
 * Setup writes the app's files, which may be another user's where an image runs as root. These three are about files alone, and reach no others than
 * the container's own.
 */
export function setupCapabilities(owner: string): string[] {
  return owner === 'root' ? ['CHOWN', 'DAC_OVERRIDE', 'FOWNER'].flatMap((name) => ['--cap-add', name]) : []
}
