/** Delays the answers of services in the kernel, by `tc netem` in the network namespace that they share with the arms. */
import type { Target } from '../../shared/relay.ts'
import { tryDocker } from '../daemon/docker.ts'
import type { Labels } from '../daemon/labels.ts'

/** Packets that may wait. The default of 1,000 would drop answers at many connections. */
const WAITING_PACKETS = 100_000

/**
 * Lines for `tc -batch`. An answer is a packet with the port of a server as its source. All other packets of the loopback interface take the
 * first band, which delays nothing. Pure.
 */
export function netemBatch(targets: readonly Pick<Target, 'port' | 'delayMs'>[]): string {
  const first = Array(16).fill('0').join(' ')
  const bands = targets.map(({ port, delayMs }, i) => ({ port, microseconds: Math.round(1000 * delayMs), band: i + 2 }))
  return [
    `qdisc add dev lo root handle 1: prio bands ${bands.length + 1} priomap ${first}`,
    ...bands.map(
      ({ band, microseconds }) =>
        `qdisc add dev lo parent 1:${band} handle ${band}: netem delay ${microseconds}us limit ${WAITING_PACKETS}`,
    ),
    ...bands.map(
      ({ band, port }) =>
        `filter add dev lo parent 1: protocol ip prio 1 u32 match ip protocol 6 0xff match ip sport ${port} 0xffff flowid 1:${band}`,
    ),
    '',
  ].join('\n')
}

/**
 * @param image has `tc`
 * @param owner the container whose namespace it is
 * @returns undefined if the answers are delayed now; else why the kernel cannot, and nothing is delayed
 */
export async function delayInKernel(
  targets: readonly Target[],
  { image, owner, labels }: { image: string; owner: string; labels: Labels },
): Promise<string | undefined> {
  const tc = (args: string[], input?: string) =>
    tryDocker(
      [
        ...['run', '--interactive', '--rm', '--name', `async-php-bench-${labels.job}-tc`, ...labels.flags],
        // The right to change this namespace, and no other. It has none of the app's code.
        ...['--network', `container:${owner}`, '--cap-drop', 'ALL', '--cap-add', 'NET_ADMIN', '--security-opt', 'no-new-privileges'],
        ...['--user', '0:0', '--read-only', '--memory', '64m', '--entrypoint', 'tc', image, ...args],
      ],
      { input },
    )
  const done = await tc(['-batch', '-'], netemBatch(targets))
  if (done.code === 0) return undefined
  await tc(['qdisc', 'del', 'dev', 'lo', 'root'])
  // Its further lines only tell where the batch ended.
  return (
    done.stderr
      .trim()
      .split('\n')[0]
      ?.replace(/^Error: /, '') ?? ''
  )
}
