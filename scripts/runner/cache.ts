/** The cache service of the emulated runner: writes the variables of a step, such as its address, to the given file. Runs until it is killed. */
import { writeFileSync } from 'node:fs'
import { startCacheService } from '../../entrypoint/tests/e2e/cache-service.ts'

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('cache.ts: found no argument, allowed: the file to write')
const { env } = await startCacheService()
writeFileSync(file, Object.entries(env).map((pair) => pair.join('=')).join(' '))
