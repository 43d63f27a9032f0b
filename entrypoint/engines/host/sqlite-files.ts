/** SQLite on the host: setup fills a directory per revision, and each arm gets a copy before every run. */
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Arm, Revision } from '../../config/experiment.ts'
import { scratch, subdirectory } from '../../system/scratch.ts'
import { describeSqlite, SQLITE_FILE } from '../shared/sqlite.ts'

export class SqliteFiles {
  private readonly directory: string

  /**
   * @param parent a private directory of the job
   * @param inMemory whether the files fit into memory, which keeps a shared runner's disk out of the measurement
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

  /** Creates an empty database. @returns its file, for setup */
  create(revision: Revision): string {
    const file = join(subdirectory(this.directory, revision), SQLITE_FILE)
    writeFileSync(file, '', { mode: 0o600 })
    return file
  }

  /**
   * Keeps the whole directory after setup, because SQLite may have files beside the database. It is moved away, so that an app that
   * remembers the path fails instead of using a file that is never restored.
   */
  keep(revision: Revision): void {
    renameSync(join(this.directory, revision), this.kept(revision))
  }

  /** Replaces the copy of an arm. @returns its file */
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
