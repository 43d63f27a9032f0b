/** The sampling profiler, a PHP extension. It is installed only if there is a regression to explain. */
import { noCache } from '../system/cache.ts'
import { installPackages, packageFor } from './apt.ts'
import { modulesOf } from './modules.ts'
import { mayInstallUnasked } from './permission.ts'
import { minorOf } from './php.ts'
import type { ProvisionOptions } from './provision.ts'

/** The extension's name. */
export const PROFILER = 'excimer'

/**
 * @param php path of the program that serves
 * @returns undefined if it can be loaded, else the reason
 */
export async function provideProfiler(php: string, { yes, say }: Pick<ProvisionOptions, 'yes' | 'say'>): Promise<string | undefined> {
  if (await isLoadable(php)) return undefined
  const names = [`php${await minorOf(php)}-${PROFILER}`, `php-${PROFILER}`]
  const found = await Promise.all(names.map(packageFor))
  const wanted = names.find((_, index) => found[index])
  const advice = `Install the extension ${PROFILER}: apt-get install ${wanted ?? names[1]}, or extensions: ${PROFILER} of setup-php`
  if (!wanted || !mayInstallUnasked(yes)) return advice
  const tried: string[] = []
  // A package of 20 KB is not worth a look-up in the cache.
  await installPackages([wanted], { tried, say }, noCache())
  return (await isLoadable(php)) ? undefined : [advice, ...tried].join('. ')
}

async function isLoadable(php: string): Promise<boolean> {
  return (await modulesOf(php, [PROFILER])).has(PROFILER)
}
