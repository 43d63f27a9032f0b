/** Makes services as far away as in production: the app reaches them through a relay, which delays each answer. */
import { join } from 'node:path'
import { PACKAGE } from '../../config/catalog.ts'
import { Conversation } from '../../system/conversation.ts'
import type { Surroundings } from '../../system/environment.ts'
import { MeasurementError } from '../../system/errors.ts'
import type { Address } from './redis.ts'

export const RELAY = join(PACKAGE, 'entrypoint', 'engines', 'shared', 'relay.php')

/** A server that is reached through the relay. */
export interface Target extends Address {
  /** Milliseconds that each answer takes longer. */
  delayMs: number
}

/** A process of ours between the app and its servers. Its CPU time is on no arm's account. */
export class Relay {
  private constructor(
    private readonly conversation: Conversation,
    private readonly targets: readonly Target[],
    private readonly ports: readonly number[],
  ) {}

  /**
   * @param command starts relay.php, but for its own arguments, where it reaches the servers and the app reaches it by 127.0.0.1
   * @throws MeasurementError if it does not start
   */
  static async before(targets: readonly Target[], command: (args: string[]) => string[], surroundings: Surroundings): Promise<Relay> {
    const args = targets.flatMap(({ host, port, delayMs }) => [`${host}:${port}`, String(delayMs / 1000)])
    const conversation = new Conversation(command(args), surroundings, { name: 'The relay of `latency`', end: /^\.\n/m })
    const ports = (await conversation.ask('port')).map(Number)
    if (ports.length !== targets.length || !ports.every(Number.isInteger)) {
      throw new MeasurementError('The relay of `latency` did not say where it listens.')
    }
    return new Relay(conversation, targets, ports)
  }

  /** Where the app finds a server, and how late its answers are; the server itself where they are not. */
  reached({ host, port }: Address): Address & { delayMs?: number } {
    const index = this.targets.findIndex((target) => target.host === host && target.port === port)
    const [target, ours] = [this.targets[index], this.ports[index]]
    return target && ours !== undefined ? { host: '127.0.0.1', port: ours, delayMs: target.delayMs } : { host, port }
  }

  /** Why it is gone, or undefined. */
  get over(): string | undefined {
    return this.conversation.over && `The relay of \`latency\` is gone: ${this.conversation.over}`
  }

  /** CPU time in microseconds since it was started. @throws MeasurementError if it is gone */
  async cpuUs(): Promise<number> {
    return Number((await this.conversation.ask('cpu'))[0])
  }

  close(): void {
    this.conversation.close()
  }
}
