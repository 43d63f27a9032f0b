/** The daemon's machine, read through a container that answers questions. */
import type { Conversation } from '../../../system/conversation.ts'
import type { Machine } from '../../../system/machine.ts'
import type { Daemon } from '../daemon/docker.ts'
import type { Labels } from '../daemon/labels.ts'
import { BIN, OURS } from '../image/dockerfiles.ts'
import { converse } from './converse.ts'
import { CONFINED } from './limits.ts'

export class ContainerMachine implements Machine {
  private constructor(
    private readonly conversation: Conversation,
    readonly description: Record<string, string | number>,
  ) {}

  static async start(labels: Labels, image: string, daemon: Daemon): Promise<ContainerMachine> {
    const conversation = converse([
      ...['run', '--interactive', '--rm', '--name', `async-php-bench-${labels.job}-machine`, ...labels.flags, '--network', 'none'],
      ...[...CONFINED, '--read-only', '--memory', '256m', '--entrypoint', `${BIN}/php`],
      ...[image, `${OURS}/machine.php`],
    ])
    const model = (await conversation.ask('cpu')).find((line) => line.startsWith('model name'))
    return new ContainerMachine(conversation, {
      cpu: model?.split(':')[1]?.trim() ?? 'unknown',
      cpus: daemon.cpus,
      memory_gib: Math.round(daemon.memoryBytes / 2 ** 30),
      kernel: daemon.kernel,
      arch: daemon.arch,
      os: daemon.os,
    })
  }

  /** Why it no longer answers, or undefined. */
  get over(): string | undefined {
    return this.conversation.over
  }

  async stat(): Promise<string> {
    return (await this.conversation.ask('stat')).join('\n')
  }

  async probeMs(): Promise<number> {
    return Number((await this.conversation.ask('probe'))[0])
  }

  close(): void {
    this.conversation.close()
  }
}
