/** The text of `--help`: every verb, and every option with its value, meaning and default. Pure. */
import type { Option } from './option.ts'
import type { Verb } from './verb.ts'

const PROGRAM = 'async-php-bench'
const WIDTH = 110

const GENERAL: Option[] = [
  { name: 'help', meaning: 'print this, or the options of a verb' },
  { name: 'version', meaning: 'print the version' },
]

const EXIT_CODES = 'Exit codes: 0 pass or not gated, 1 regressed, 2 wrong input, 3 invalid measurement, 4 inconclusive.'

export function overview(verbs: readonly Verb[]): string {
  const seen = new Map(verbs.flatMap(({ options }) => options).map((option) => [option.name, option]))
  // The first verb that has an option describes it.
  const options = [...seen.keys()].map((name) => verbs.flatMap((verb) => verb.options).find((option) => option.name === name) as Option)
  const isEverywhere = (option: Option): boolean => verbs[0]?.options.some(({ name }) => name === option.name) ?? false
  const verbsWith = (option: Option): string =>
    verbs
      .filter((verb) => verb.options.some(({ name }) => name === option.name))
      .map(({ name }) => name)
      .join(', ')
  const described = options.map((option) =>
    isEverywhere(option) ? option : { ...option, meaning: `${verbsWith(option)}: ${option.meaning}` },
  )
  return [
    `${PROGRAM} VERB [options]`,
    '',
    ...columns(verbs.map(({ name, about }) => [name, about])),
    '',
    'Options. Not every verb takes each of them: VERB --help lists those of a verb.',
    ...columns([...described, ...GENERAL].map(row)),
    '',
    EXIT_CODES,
  ].join('\n')
}

export function helpOf({ name, about, options }: Verb): string {
  return [
    `${PROGRAM} ${name} [options]`,
    '',
    `${capital(about)}.`,
    '',
    'Options:',
    ...columns([...options, ...GENERAL].map(row)),
    '',
    EXIT_CODES,
  ].join('\n')
}

function row({ name, value, meaning, byDefault }: Option): [string, string] {
  return [`--${name}${value ? ` ${value}` : ''}`, `${capital(meaning)}${byDefault ? ` (default: ${byDefault})` : ''}`]
}

function capital(text: string): string {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`
}

/** Two columns, the second wrapped. If the first is too wide, it gets its own line. */
function columns(rows: [string, string][]): string[] {
  const first = Math.min(28, Math.max(...rows.map(([left]) => left.length)))
  return rows.flatMap(([left, right]) => {
    const lines = wrapped(right, WIDTH - first - 4)
    const fits = left.length <= first
    return [...(fits ? [] : [`  ${left}`]), ...lines.map((line, i) => `  ${(fits && i === 0 ? left : '').padEnd(first)}  ${line}`)]
  })
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
