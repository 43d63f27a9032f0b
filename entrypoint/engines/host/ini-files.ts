/** The ini files with which PHP runs on this machine: its own without debuggers, each revision's, and the profiler's. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mode, Revision } from '../../config/experiment.ts'
import { PROFILER } from '../../provision/profiler.ts'
import { subdirectory } from '../../system/scratch.ts'
import { allOf } from '../../system/settle-all.ts'
import type { Purpose } from '../engine.ts'
import { copyQuietIni } from './quiet-ini.ts'

/** The PHP programs, each with its own ini files. */
const PHPS = ['php', 'php-fpm'] as const

/** One of them, or the PHP inside a server, which has no ini files here. */
export type Php = (typeof PHPS)[number] | 'inside'

/** The PHP that serves a mode. */
export function phpOf(mode: Mode): Php {
  if (mode.via === 'runtime' && mode.runtime.ownPhp) return 'inside'
  const needs = mode.via === 'runtime' ? mode.runtime.needs : []
  return needs.some((need) => 'binary' in need && need.binary === 'php-fpm') ? 'php-fpm' : 'php'
}

export class IniFiles {
  /** @param directory the private directory of the job @param texts the settings of each revision */
  constructor(
    private readonly directory: string,
    texts: Partial<Record<Revision, string>>,
  ) {
    for (const [revision, text] of Object.entries(texts)) {
      writeFileSync(join(this.ofRevision(revision as Revision), 'async-php-bench.ini'), text)
    }
  }

  /** Copies the ini files of the installed programs. @param binaries paths by name */
  async copyOwn(binaries: Readonly<Record<string, string>>): Promise<void> {
    await allOf(PHPS.map(async (program) => binaries[program] && copyQuietIni(binaries[program], this.ofProgram(program))))
  }

  /** The directories that a PHP scans, in the form of PHP_INI_SCAN_DIR. Only a profile loads the profiler. */
  scanned(program: Php, revision: Revision, purpose: Purpose | undefined): string {
    return [
      ...(program === 'inside' ? [] : [this.ofProgram(program)]),
      this.ofRevision(revision),
      ...(purpose === 'profile' ? [this.ofProfiler()] : []),
    ].join(':')
  }

  private ofProgram(program: Php): string {
    return subdirectory(this.directory, `ini-of-${program}`)
  }

  private ofRevision(revision: Revision): string {
    return subdirectory(this.directory, `ini-${revision}`)
  }

  private ofProfiler(): string {
    const directory = subdirectory(this.directory, 'ini-of-profiler')
    writeFileSync(join(directory, 'profiler.ini'), `extension = ${PROFILER}\n`)
    return directory
  }
}
