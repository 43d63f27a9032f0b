/** Installs a runtime's own Composer packages, whose files are listed in packages.sha256. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { online } from '../system/environment.ts'
import { exec } from '../system/exec.ts'
import { which } from '../system/which.ts'
import type { Attempt } from './apt.ts'
import { composerFault } from './composer-fault.ts'

export async function installComposer(directory: string, { tried, say }: Attempt): Promise<void> {
  const composer = which('composer')
  if (!composer) return
  say(`composer: packages of ${directory}`)
  // The existing files differ from packages.sha256.
  rmSync(join(directory, 'vendor'), { recursive: true, force: true })
  const command = [
    composer,
    'update',
    '--no-dev',
    '--no-scripts',
    '--no-plugins',
    '--no-interaction',
    '--no-progress',
    '--optimize-autoloader',
  ]
  const done = await exec(command, { cwd: directory, env: online({ COMPOSER_ALLOW_SUPERUSER: '1' }), timeoutMs: 300_000 })
  if (done.code !== 0) tried.push(`composer: ${composerFault(done.stderr)}`)
}
