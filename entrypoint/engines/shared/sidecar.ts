/** A process of ours that runs beside the app. Its CPU time counts for no arm. */
import { join } from 'node:path'
import { PACKAGE } from '../../config/catalog.ts'
import type { Conversation } from '../../system/conversation.ts'
import type { SidecarCpu, SidecarName } from '../engine.ts'

/** The folder of the sidecars' programs. */
export const SIDECARS = join(PACKAGE, 'entrypoint', 'engines', 'shared', 'sidecars')

export class Sidecar {
  /** @param conversation answers `cpu` with microseconds @param title begins its messages */
  protected constructor(
    protected readonly conversation: Conversation,
    readonly name: SidecarName,
    private readonly title: string,
  ) {}

  /** The reason if it is gone, or undefined. */
  get over(): string | undefined {
    return this.conversation.over && `${this.title} is gone: ${this.conversation.over}`
  }

  /** CPU time in microseconds since its start. @throws MeasurementError if it is gone */
  async cpuUs(): Promise<number> {
    return Number((await this.conversation.ask('cpu'))[0])
  }

  close(): void {
    this.conversation.close()
  }
}

/** CPU time of each existing sidecar. @throws MeasurementError if one is gone */
export async function cpuUsOf(sidecars: readonly (Sidecar | undefined)[]): Promise<SidecarCpu> {
  const existing = sidecars.filter((sidecar) => sidecar !== undefined)
  return Object.fromEntries(await Promise.all(existing.map(async (sidecar) => [sidecar.name, await sidecar.cpuUs()])))
}
