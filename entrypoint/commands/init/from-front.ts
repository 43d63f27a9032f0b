/** Makes bench/app.php of a front script that creates a PSR-15 app and ends with its run(). Pure. */
import { FRONT } from './found.ts'

/** The text of bench/app.php, or the reason why the script cannot become one. */
export type FromFront = { text: string } | { why: string }

/** What a script cannot do where several instances of the app are created, and before there is a request. */
const OBSTACLES: [RegExp, string][] = [
  [/\$_(?:SERVER|GET|POST|COOKIE|FILES|REQUEST|SESSION)\b|fromGlobals\b/i, 'reads the request'],
  [/\b(?:header|setcookie|session_\w+|ob_\w+)\s*\(|\b(?:echo|print)\b/, 'sends output or headers'],
  [/\b(?:exit|die)\b/, 'ends the process'],
  [/\bglobal\s+\$|\$GLOBALS\b/, 'uses global variables'],
  [/^\s*(?:function\s+&?\w+\s*\(|(?:(?:abstract|final|readonly)\s+)*(?:class|interface|trait|enum)\s+\w)/m, 'declares a function or class'],
  [/\bdefine\s*\(|^\s*const\s/m, 'defines a constant'],
  [/^\s*namespace\s/m, 'has a namespace'],
  [/\b__FILE__\b|<<<|\?>/, 'has text that init cannot move'],
  [/\b(?:require|include)_once\b/, 'loads a file once'],
  [/\b(?:require|include)\s*\(?\s*['"]/, 'loads a file relative to the working directory'],
]

const AUTOLOADER = /^[ \t]*(?:require|include)(?:_once)?\b[^;\n]*vendor\/autoload\.php['"]\)?;[^\n]*\n?/gm
const DECLARE = /^declare\(\s*strict_types\s*=\s*1\s*\);\s*/m
const IMPORT = /^use\s[^;]+;[ \t]*\n?/gm
const LAST_STATEMENT = /(?<=^|[;}])\s*([^;{}]+?)\s*->run\(\s*\);\s*$/d
/** It told about the last statement. */
const LAST_COMMENT = /\n[ \t]*(?:\/\/|#).*\s*$/

/** @param front the text of public/index.php */
export function fromFront(front: string): FromFront {
  const script = front.replace(/\?>\s*$/, '')
  const code = bareCode(script.replace(AUTOLOADER, (line) => line.replace(/[^\n]/g, '')))
  for (const [pattern, what] of OBSTACLES) {
    const found = pattern.exec(code)
    if (found) return { why: `line ${lineOf(code, found.index + found[0].search(/\S/))} ${what}` }
  }
  if (!/^<\?php\s/.test(script)) return { why: 'it does not begin with <?php' }
  const body = script
    .replace(/^<\?php\s+/, '')
    .replace(DECLARE, '')
    .replace(AUTOLOADER, '')
    .replace(IMPORT, '')
  const [start, end] = LAST_STATEMENT.exec(bareCode(body))?.indices?.[1] ?? []
  if (start === undefined) return { why: 'it does not end with the run() of the app' }
  const app = elsewhere(body.slice(start, end))
  const before = elsewhere(`\n${body.slice(0, start)}`.replace(LAST_COMMENT, '')).trim()
  const head = [
    '<?php',
    ...(DECLARE.test(script) ? ['declare(strict_types=1);'] : []),
    ...(script.match(IMPORT) ? [(script.match(IMPORT) as string[]).map((line) => line.trim()).join('\n')] : []),
    "require_once __DIR__ . '/../vendor/autoload.php';",
  ].join('\n\n')
  const note = `// The app of ${FRONT}, without the line that runs it. Keep both alike.`
  const factory =
    before === ''
      ? `return static fn (array $context): object => ${app};`
      : `return static function (array $context): object {\n${indented(before)}\n\n    return ${app};\n};`
  return { text: `${head}\n\n${note}\n${factory}\n` }
}

/** bench/ is as deep as public/, so only paths inside public/ change. */
function elsewhere(php: string): string {
  return php.replace(/(?<!dirname\()\b__DIR__\b(?!\s*\.\s*['"]\/\.\.\/)/g, "dirname(__DIR__) . '/public'")
}

/** Comments and the contents of strings become spaces: their words do nothing. */
function bareCode(php: string): string {
  const blank = (text: string): string => text.replace(/[^\n]/g, ' ')
  return php.replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|\/\*[\s\S]*?\*\/|\/\/.*|#(?!\[).*/g, (found) =>
    /^['"]/.test(found) ? found[0] + blank(found.slice(1, -1)) + found[0] : blank(found),
  )
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

function indented(php: string): string {
  return php
    .split('\n')
    .map((line) => (line.trim() === '' ? '' : `    ${line}`))
    .join('\n')
}
