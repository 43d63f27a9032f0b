/** Versions of extensions: the one that a configuration asks for, and the release that fits. Pure. */
import type { PeclPackage } from './runtimes.ts'

/** By the extension's name, such as `{ swoole: '6.2' }`: the first numbers of the version. */
export type AskedVersions = Readonly<Record<string, string>>

/** What the configuration asks for. */
export function askedVersions({ swoole }: { swoole: string | null }): AskedVersions {
  return swoole === null ? {} : { swoole }
}

/** @param asked undefined where every version will do */
export function satisfies(version: string, asked: string | undefined): boolean {
  return asked === undefined || version === asked || new RegExp(`^${asked.replaceAll('.', '\\.')}(?![0-9])`).test(version)
}

/** What to build: the newest tested release that was asked for. @returns undefined if the request leaves open which release it means */
export function releaseToBuild({ versions }: PeclPackage, asked: string | undefined): string | undefined {
  const tested = versions.find((version) => satisfies(version, asked))
  return tested ?? (asked?.split('.').length === 3 ? asked : undefined)
}

/** A sentence for a request that leaves the release open. */
export function unknownRelease({ package: name, versions }: PeclPackage, asked: string | undefined): string {
  return `${name}: ${asked} is not a tested release. Allowed: ${versions.join(', ')}, or another release with its full version number`
}
