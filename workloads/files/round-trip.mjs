// Writes files, reads them and removes them, one after the other.
import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

const CONTENT = '0123456789abcdef'.repeat(4096)

/** @returns {Promise<string[]>} the checksums of what was read */
export async function roundTrips(directory, count) {
  const checksums = []
  for (let i = 0; i < count; i++) {
    const file = join(directory, randomBytes(8).toString('hex'))
    try {
      await writeFile(file, CONTENT)
      checksums.push(crc32(await readFile(file)).toString(16).padStart(8, '0'))
    } finally {
      await rm(file, { force: true })
    }
  }
  return checksums
}
