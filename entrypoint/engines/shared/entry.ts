/** The part of a revision that answers requests: its entry file or its front script. Only names, because engines know the paths. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { PACKAGE } from '../../config/catalog.ts'
import type { Served } from '../../config/rules.ts'
import type { Checkout } from '../../revisions/work-trees.ts'
import { InputError } from '../../system/errors.ts'
import type { Values } from './template.ts'

/** Paths below the app's root, or ''. At most one is set. */
export interface Entry {
  app: string
  front: string
}

/** @throws InputError if the configuration names a front script that the revision lacks, or that its entry file would hide */
export function entryOf(
  { directory, revision, label }: Pick<Checkout, 'directory' | 'revision' | 'label'>,
  { app, front }: Pick<Served, 'app' | 'front'>,
): Entry {
  const hasApp = existsSync(join(directory, app))
  if (front === null) return { app: hasApp ? app : '', front: '' }
  const place = `front: ${revision} (${label})`
  if (!existsSync(join(directory, front))) throw new InputError(`${place} has no ${front}. Allowed: a PHP script of the repository`)
  if (hasApp) throw new InputError(`${place} has both ${front} and the entry file ${app}. Remove one of them, or the key front`)
  return { app: '', front }
}

/** The name of the answering script for nginx.conf. */
export function scriptValues(runtimeDirectory: string, front: string): Values {
  const script = front === '' ? `${runtimeDirectory}/front.php` : front
  return { script, 'script-name': front === '' ? '/index.php' : `/${basename(front)}`, 'document-root': dirname(script) }
}

/**
 * An option of php that lets php/functions.php declare header() and the like for front scripts, or '' without a front script.
 * PHP 8 forgets disabled functions, so they can be declared again.
 */
export function frontFunctions({ front, php }: Pick<Served, 'front' | 'php'>): string {
  if (front === null) return ''
  const ours = [...readFileSync(join(PACKAGE, 'php', 'functions.php'), 'utf8').matchAll(/^function (\w+)\(/gm)].map((match) => match[1])
  const theirs = String(php.ini.disable_functions ?? '').split(',')
  return `-ddisable_functions=${[...theirs, ...ours].filter(Boolean).join(',')}`
}
