// Packages of this platform that npm left out. If the download of an optional package fails, npm installs the others and ends with 0.
import { existsSync, readFileSync } from 'node:fs'

const { glibcVersionRuntime } = process.report.getReport().header
const libc = glibcVersionRuntime ? 'glibc' : 'musl'
const isFor = (list, own) => !list || list.includes(own)

/**
 * The optional packages of package-lock.json that this platform needs and that are not there, such as the binary of biome.
 *
 * @returns {string[]} their folders
 */
export function missingPackages() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  return Object.entries(packages)
    .filter(([, { optional, os, cpu }]) => optional && isFor(os, process.platform) && isFor(cpu, process.arch))
    .filter(([folder, each]) => isFor(each.libc, libc) && !existsSync(folder))
    .map(([folder]) => folder)
}
