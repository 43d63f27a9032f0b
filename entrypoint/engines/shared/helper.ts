/** A helper process of ours beside the app. Its CPU time is on no arm's account. */
import type { Conversation } from '../../system/conversation.ts'
import type { HelperCpu, HelperName } from '../engine.ts'

export class Helper {
  /** @param conversation answers `cpu` with microseconds @param title as the beginning of a message */
  protected constructor(
    protected readonly conversation: Conversation,
    readonly name: HelperName,
    private readonly title: string,
  ) {}

  /** Why it is gone, or undefined. */
  get over(): string | undefined {
    return this.conversation.over && `${this.title} is gone: ${this.conversation.over}`
  }

  /** CPU time in microseconds since it was started. @throws MeasurementError if it is gone */
  async cpuUs(): Promise<number> {
    return Number((await this.conversation.ask('cpu'))[0])
  }

  close(): void {
    this.conversation.close()
  }
}

/** The CPU time of each, for those that are there. @throws MeasurementError if one is gone */
export async function cpuUsOf(helpers: readonly (Helper | undefined)[]): Promise<HelperCpu> {
  const there = helpers.filter((helper) => helper !== undefined)
  return Object.fromEntries(await Promise.all(there.map(async (helper) => [helper.name, await helper.cpuUs()])))
}
