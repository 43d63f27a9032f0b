/** A process of ours that runs beside the app. Its CPU time counts for no arm. */
import { join } from 'node:path'
import { PACKAGE } from '../../config/catalog.ts'
import type { Conversation } from '../../system/conversation.ts'
import type { SidecarName, SidecarUse, SidecarUses } from '../engine.ts'

/** The folder of the sidecars' programs. */
export const SIDECARS = join(PACKAGE, 'entrypoint', 'engines', 'shared', 'sidecars')

export class Sidecar {
  /** @param conversation answers `use` as Questions.php says @param title begins its messages */
  protected constructor(
    protected readonly conversation: Conversation,
    readonly name: SidecarName,
    private readonly title: string,
  ) {}

  /** The reason if it is gone, or undefined. */
  get over(): string | undefined {
    return this.conversation.over && `${this.title} is gone: ${this.conversation.over}`
  }

  /** What it did since its start. @throws MeasurementError if it is gone */
  async use(): Promise<SidecarUse> {
    const [cpuUs, ...late] = await this.conversation.ask('use')
    const classes = late.map((line) => line.split(' ') as [string, string])
    return { cpuUs: Number(cpuUs), late: Object.fromEntries(classes.map(([bound, answers]) => [bound, Number(answers)])) }
  }

  close(): void {
    this.conversation.close()
  }
}

/** The use of each existing sidecar. @throws MeasurementError if one is gone */
export async function usesOf(sidecars: readonly (Sidecar | undefined)[]): Promise<SidecarUses> {
  const existing = sidecars.filter((sidecar) => sidecar !== undefined)
  return Object.fromEntries(await Promise.all(existing.map(async (sidecar) => [sidecar.name, await sidecar.use()])))
}
