/** SQLite on the host: setup fills a directory of its revision, and each arm gets a copy of it before every run. */
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Arm, Revision } from '../../config/experiment.ts'
import { scratch, subdirectory } from '../../system/scratch.ts'
import { describeSqlite, SQLITE_FILE } from '../shared/sqlite.ts'

export class SqliteFiles {
  private readonly directory: string

  /**
   * @param parent private to the job
   * @param inMemory whether they fit there: the disk of a shared runner is not what is measured
   */
  constructor(
    parent: string,
    private readonly inMemory: boolean,
  ) {
    this.directory = inMemory ? scratch('/dev/shm') : subdirectory(parent, 'sqlite')
  }

  get description(): Record<string, unknown> {
    return describeSqlite(this.inMemory ? 'tmpfs' : 'disk')
  }

  /** Makes an empty database. @returns its file, as setup finds it */
  create(revision: Revision): string {
    const file = join(subdirectory(this.directory, revision), SQLITE_FILE)
    writeFileSync(file, '', { mode: 0o600 })
    return file
  }

  /**
   * Keeps all that setup left: SQLite has files beside the one that it is named after. Setup's own are gone then, so that an app that has
   * remembered their place fails, and never measures a file that nobody restores.
   */
  keep(revision: Revision): void {
    renameSync(join(this.directory, revision), this.kept(revision))
  }

  /** Makes the copy of an arm anew. @returns its file */
  copy({ revision, mode }: Arm): string {
    const directory = join(this.directory, `${revision}-of-${mode.name}`)
    rmSync(directory, { recursive: true, force: true })
    cpSync(this.kept(revision), directory, { recursive: true })
    return join(directory, SQLITE_FILE)
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true })
  }

  private kept(revision: Revision): string {
    return join(this.directory, `${revision}-after-setup`)
  }
}
