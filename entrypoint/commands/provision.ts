/** `provision`: installs what the configured modes and the app need. */
import { modesOf } from '../config/modes.ts'
import { chooseEngine } from '../engines/choose.ts'
import { provision as install } from '../provision/provision.ts'
import { scopeOf } from '../provision/scope.ts'
import { inputsFrom } from './given.ts'
import { RUN_OPTIONS } from './options.ts'
import { say } from './terminal.ts'
import type { Verb } from './verb.ts'

export const provision: Verb = {
  name: 'provision',
  about: "install what the configured modes need, and the extensions that the app's composer.json requires",
  options: RUN_OPTIONS,
  run: async (values) => {
    const inputs = inputsFrom(values)
    const { engine } = await chooseEngine(inputs.config, inputs.config, say)
    const tools = await install(scopeOf(inputs.config, modesOf(inputs.config), [inputs.workspace], engine), { yes: inputs.yes, say })
    for (const [name, version] of Object.entries(tools.versions)) say(`${name.padEnd(24)} ${version}`)
    return 0
  },
}
