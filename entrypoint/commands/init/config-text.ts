/** The text of a configuration, as `init` writes it. Pure. */

/** For an app that bench/app.php returns. */
export const HANDLER_MODES = 'modes: [fpm, swoole]'
export const HOME = 'workloads: [fibonacci, { name: home, path: / }]'

/** @param lines the settings for this app; empty ones are left out */
export function configText(...lines: string[]): string {
  return [
    ...lines.filter(Boolean),
    'loads: { medium: { concurrency: 8 }, high: { concurrency: 32 } }',
    'budget: 25m',
    'gate: { max-regression: 5, resolution: 10 }',
    '',
  ].join('\n')
}

/** The line for `setup`, or nothing without commands. */
export function setupLine(commands: string[]): string {
  return commands.length ? `setup: [${commands.join(', ')}]` : ''
}

/** A mode by `command`: the app's own server. */
export function commandMode(name: string, kind: 'sync' | 'async', command: string, health: string): string {
  return `{ name: ${name}, kind: ${kind}, command: ${JSON.stringify(command)}, health: ${health} }`
}
