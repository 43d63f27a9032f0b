/** The interface of a cache between jobs. A cache only saves time: after a failure, which is reported, the content is made anew. */
import { mkdirSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { CacheScope } from './cache-scope.ts'

/** Something that can be prepared once. */
export interface Entry {
  /** A name such as `swoole`. */
  kind: string
  /** Everything that determines the content, except distribution and processor. */
  parts: readonly unknown[]
  /** The directory of the content. It must be the same in every job, because the service compares it. */
  directory: string
  /** Whether an entry of the same kind with other parts is useful, too. */
  isAnyUseful?: boolean
  /** Whether the app's code can change the content. Then only jobs of the repository's branches save it. */
  isOfTheApp?: boolean
}

export interface Cache {
  /** Whether anything can be restored or saved. */
  readonly isOpen: boolean
  /** The reason if it is not open, for people. */
  readonly reason: string | undefined
  /** Whether every entry that was looked for existed; undefined if none was looked for. */
  readonly isHit: boolean | undefined
  /** The scopes for docker's layers in the service; undefined if docker may not use it. */
  readonly layers: CacheScope | undefined
  /**
   * Empties the directory, and fills it with an entry that an earlier job saved.
   *
   * @returns whether exactly this entry was found, one with other parts, or none
   */
  restore(entry: Entry): Promise<'exact' | 'similar' | undefined>
  /** Discards a restored entry that cannot be used. */
  refuse(entry: Entry, why: string): void
  save(entry: Entry): Promise<void>
}

/** The directory for built and restored content on this machine. */
export function cacheDirectory(): string {
  return join(process.env.XDG_CACHE_HOME || process.env.RUNNER_TOOL_CACHE || join(homedir(), '.cache'), 'async-php-bench')
}

/** The directory of one kind of entry. It holds nothing else, because restoring empties it. */
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

/** Creates or empties a directory, and returns its path. */
export function emptied(directory: string): string {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  return directory
}
