/** What a job prepares once and later jobs find again, and where it lies. It only saves time: a failure is reported, and the content is made anew. */
import { mkdirSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { CacheScope } from './cache-scope.ts'

/** Something that can be prepared once. */
export interface Entry {
  /** Such as `swoole`. */
  kind: string
  /** All that decides the content, besides distribution and processor. */
  parts: readonly unknown[]
  /** Where the content lies. Part of what the service compares: the same in every job. */
  directory: string
  /** An entry of the same kind whose parts were others is useful, too. */
  isAnyUseful?: boolean
  /** Only code of the repository's branches may have had a hand in it. */
  isOfTheApp?: boolean
}

export interface Cache {
  /** Whether anything can be restored or saved. */
  readonly isOpen: boolean
  /** Why not, if people should know. */
  readonly reason: string | undefined
  /** Whether all that was looked for was there; undefined where nothing was. */
  readonly isHit: boolean | undefined
  /** Which layers of images docker may take from the service, and put there; undefined: none. */
  readonly layers: CacheScope | undefined
  /**
   * Empties the directory, and fills it with what an earlier job saved.
   *
   * @returns whether this very entry was there, one of other parts, or none
   */
  restore(entry: Entry): Promise<'exact' | 'similar' | undefined>
  /** Of what was restored and turned out to be of no use. */
  refuse(entry: Entry, why: string): void
  save(entry: Entry): Promise<void>
}

/** Where what is built stays on this machine, and what is restored is put. */
export function cacheDirectory(): string {
  return join(process.env.XDG_CACHE_HOME || process.env.RUNNER_TOOL_CACHE || join(homedir(), '.cache'), 'async-php-bench')
}

/** Where the content of an entry of this kind lies: by itself, since restoring empties it. */
export function entryDirectory(kind: string): string {
  return join(cacheDirectory(), 'actions-cache', kind)
}

/** @param reason for people, if they should know */
export function noCache(reason?: string): Cache {
  return {
    isOpen: false,
    reason,
    isHit: undefined,
    layers: undefined,
    restore: async () => undefined,
    refuse: () => {},
    save: async () => {},
  }
}

/** Made, and without anything in it. */
export function emptied(directory: string): string {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  return directory
}
