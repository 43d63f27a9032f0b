/** Versions of extensions: the requested one, and the release that fits. Pure. */
import type { PeclPackage } from './runtimes.ts'

/** By the extension's name, such as `{ swoole: '6.2' }`: the first numbers of the version. */
export type AskedVersions = Readonly<Record<string, string>>

/** The versions that the configuration asks for. */
export function askedVersions({ swoole }: { swoole: string | null }): AskedVersions {
  return swoole === null ? {} : { swoole }
}

/** @param asked undefined if any version will do */
export function satisfies(version: string, asked: string | undefined): boolean {
  return asked === undefined || version === asked || new RegExp(`^${asked.replaceAll('.', '\\.')}(?![0-9])`).test(version)
}

/** The newest tested release that fits the request. @returns undefined if none fits and the request is not a full version number */
export function releaseToBuild({ versions }: PeclPackage, asked: string | undefined): string | undefined {
  const tested = versions.find((version) => satisfies(version, asked))
  return tested ?? (asked?.split('.').length === 3 ? asked : undefined)
}

/** A sentence for a request that leaves the release open. */
export function unknownRelease({ package: name, versions }: PeclPackage, asked: string | undefined): string {
  return `${name}: ${asked} is not a tested release. Allowed: ${versions.join(', ')}, or another release with its full version number`
}
