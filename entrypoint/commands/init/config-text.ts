/** The text of a configuration, as `init` writes it. Pure. */

/** @param lines what is particular to the app; empty ones are left out */
export function configText(...lines: string[]): string {
  return [
    ...lines.filter(Boolean),
    'loads: { medium: { concurrency: 8 }, high: { concurrency: 32 } }',
    'budget: 25m',
    'gate: { max-regression: 5, resolution: 10 }',
    '',
  ].join('\n')
}

/** Nothing if there are no commands. */
export function setupLine(commands: string[]): string {
  return commands.length ? `setup: [${commands.join(', ')}]` : ''
}

/** A mode by `command`: a server of the app's own. */
export function commandMode(name: string, kind: 'sync' | 'async', command: string, health: string): string {
  return `{ name: ${name}, kind: ${kind}, command: ${JSON.stringify(command)}, health: ${health} }`
}
