/** Slim: finds what creates the app, for bench/app.php. Pure. */

import { ENTRY } from '../../config/schema.ts'
import { byFront } from './by-front.ts'
import { configText, HANDLER_MODES, HOME } from './config-text.ts'
import { returnedBy, SLIM_SKELETON } from './entry-files.ts'
import { type Found, FRONT, isOurs, PATHS_HINT } from './found.ts'
import { type FromFront, fromFront } from './from-front.ts'
import type { Repository } from './repository.ts'

/** Files that may create and return a Slim app. */
const FILES = ['config/app.php', 'config/bootstrap.php', 'app/app.php', 'app/bootstrap.php', 'bootstrap/app.php', 'src/app.php']
const SKELETON_FILES = ['settings', 'dependencies', 'repositories', 'middleware', 'routes'].map((part) => `app/${part}.php`)

/** Constraints that only releases before 4 meet: their app is no PSR-15 handler. */
const BEFORE_4 = /^[~^=v]*[1-3](\.[\d.*x]+)?$/

export function slim(repository: Repository): Found {
  const entry = entryOf(repository)
  if (entry && 'why' in entry) {
    const remedy = `move the lines that create the app to ${FILES[0]}, return it there, and run init again`
    return byFront(repository, { name: 'Slim', front: FRONT, ...entry, ...(isOld(repository) ? {} : { remedy }) })
  }
  const file = returnedBy(FILES[0] as string)
  return {
    name: 'Slim',
    files: { [ENTRY]: entry?.text ?? file },
    config: configText(HANDLER_MODES, HOME),
    next: [...(entry || !isOurs(repository, file) ? [] : [`let ${FILES[0]} return your Slim\\App`]), PATHS_HINT],
  }
}

/** Undefined if nothing shows how the app is created. */
function entryOf(repository: Repository): FromFront | undefined {
  const { text } = repository
  const front = text(FRONT)
  if (isOld(repository) && front !== undefined) return { why: 'the app of Slim 3 is no PSR-15 handler' }
  const file = FILES.find((file) => /^return\b.*(\$app\b|\bApp::class)/m.test(text(file) ?? ''))
  if (file) return { text: returnedBy(file) }
  if (SKELETON_FILES.every((file) => text(file) !== undefined)) return { text: SLIM_SKELETON }
  return front === undefined ? undefined : fromFront(front)
}

function isOld({ requires }: Repository): boolean {
  return BEFORE_4.test(requires['slim/slim'] ?? '')
}
