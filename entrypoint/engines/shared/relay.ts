/** Delays the answers of services as in production: the app reaches them through a relay. */
import { Conversation } from '../../system/conversation.ts'
import type { Surroundings } from '../../system/environment.ts'
import { MeasurementError } from '../../system/errors.ts'
import type { Address } from './redis.ts'
import { Sidecar } from './sidecar.ts'

/** The relay's program, in the folder of the sidecars. */
export const RELAY = 'relay/main.php'

const TITLE = 'The relay of `latency`'

/** A server behind the relay. */
export interface Target extends Address {
  /** The delay of each answer in milliseconds. */
  delayMs: number
}

/** A process of ours between the app and its servers. */
export class Relay extends Sidecar {
  private constructor(
    conversation: Conversation,
    private readonly targets: readonly Target[],
    private readonly ports: readonly number[],
  ) {
    super(conversation, 'relay', TITLE)
  }

  /**
   * @param command runs main.php of the relay with the given arguments, where it reaches the servers and the app reaches it by 127.0.0.1
   * @throws MeasurementError if it does not start
   */
  static async before(targets: readonly Target[], command: (args: string[]) => string[], surroundings: Surroundings): Promise<Relay> {
    const args = targets.flatMap(({ host, port, delayMs }) => [`${host}:${port}`, String(delayMs / 1000)])
    const conversation = new Conversation(command(args), surroundings, { name: TITLE, end: /^\.\n/m })
    const ports = (await conversation.ask('port')).map(Number)
    if (ports.length !== targets.length || !ports.every(Number.isInteger)) {
      throw new MeasurementError(`${TITLE} did not report its ports.`)
    }
    return new Relay(conversation, targets, ports)
  }

  /** The address of a server for the app. Without a delay it is the server's own. */
  reached({ host, port }: Address): Address {
    const ours = this.ports[this.targets.findIndex((target) => target.host === host && target.port === port)]
    return ours === undefined ? { host, port } : { host: '127.0.0.1', port: ours }
  }
}
