/** The slow server that built-in workloads call. Each call names the delay of its answer. */
import type { Served } from '../../config/rules.ts'
import { Conversation } from '../../system/conversation.ts'
import type { Surroundings } from '../../system/environment.ts'
import { MeasurementError } from '../../system/errors.ts'
import { Sidecar } from './sidecar.ts'

/** The upstream's program, in the folder of the sidecars. */
export const UPSTREAM = 'upstream.php'

const TITLE = 'The slow upstream'

/** Whether a workload of any revision calls it. */
export function needsUpstream(served: Partial<Record<string, Pick<Served, 'workloads'>>>): boolean {
  return Object.values(served).some((of) => of?.workloads.some(({ builtIn }) => builtIn?.upstream))
}

export class Upstream extends Sidecar {
  private constructor(
    conversation: Conversation,
    /** The address for the app, as host:port. */
    readonly address: string,
  ) {
    super(conversation, 'upstream', TITLE)
  }

  /** @param command starts upstream.php @throws MeasurementError if it does not start */
  static async start(command: readonly string[], surroundings: Surroundings): Promise<Upstream> {
    const conversation = new Conversation(command, surroundings, { name: TITLE, end: /^\.\n/m })
    const port = Number((await conversation.ask('port'))[0])
    if (!Number.isInteger(port)) throw new MeasurementError(`${TITLE} did not report its port.`)
    return new Upstream(conversation, `127.0.0.1:${port}`)
  }
}
