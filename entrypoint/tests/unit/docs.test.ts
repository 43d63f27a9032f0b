/** The pages for people: every link in them has a target, and every command in them exists. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { VERBS } from '../../commands/verbs.ts'
import { PACKAGE } from '../../config/catalog.ts'

const read = (file: string): string => readFileSync(join(PACKAGE, file), 'utf8')
const markdownIn = (folder: string): string[] =>
  readdirSync(join(PACKAGE, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)
const studies = markdownIn('docs/studies')
const pages = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', ...markdownIn('docs'), ...studies]

/** The anchors that GitHub makes from headings. */
function anchorsOf(text: string): string[] {
  return [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    (heading as string)
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}

describe('a link', () => {
  for (const page of pages) {
    test(`of ${page} leads to an existing place`, () => {
      const text = read(page).replace(/^```[\s\S]*?^```/gm, '')
      const targets = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(([, a, b]) => (a ?? b) as string)
      for (const target of targets.filter((target) => !/^[a-z]+:/.test(target))) {
        const [path, anchor] = target.split('#') as [string, string | undefined]
        const file = path ? join(dirname(page), path) : page
        assert.ok(existsSync(join(PACKAGE, file)), target)
        if (anchor) assert.ok(anchorsOf(read(file)).includes(anchor), `${target}: no such heading`)
      }
    })
  }
  test('leads from the README to every page', () => {
    const ofReadme = pages.filter((page) => page !== 'README.md' && !studies.includes(page))
    for (const page of ofReadme) assert.ok(read('README.md').includes(`](${page})`), page)
    for (const page of studies) assert.ok(read('docs/systems.md').includes(`](${page.replace('docs/', '')})`), page)
  })
})

describe('a command', () => {
  const verbs = VERBS.map(({ name }) => name)
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  for (const page of pages) {
    test(`of ${page} is there`, () => {
      const text = read(page)
      for (const [, verb] of text.matchAll(/dist\/cli\.js ([a-z]+)/g)) assert.ok(verbs.includes(verb as string), verb)
      for (const [, script] of text.matchAll(/npm run ([\w-]+)/g)) assert.ok(scripts[script as string], script)
      for (const [, file] of text.matchAll(/(?:node|Rscript) ((?:scripts|r|dist)\/[\w./-]+)/g))
        assert.ok(existsSync(join(PACKAGE, file as string)), file)
    })
  }
  test('stands in the table of verbs, each verb once', () => {
    const named = [...read('docs/command-line.md').matchAll(/^\| `([a-z]+)` \|/gm)].map(([, verb]) => verb)
    assert.deepEqual(named, verbs)
  })
})

describe('a row of the threat model', () => {
  const [, table = ''] = read('docs/threat-model.md').split(/^\|---.*\n/m)
  const rows = table.split('\n').filter((line) => line.startsWith('| '))
  for (const row of rows) {
    const way = row.split(' | ')[0]?.slice(2) as string
    test(`names its test, or says "not prevented": ${way.slice(0, 80)}`, () => {
      const tests = [...row.matchAll(/`([\w-]+\/[\w/.-]+\.(?:ts|R))`/g)]
        .map(([, file]) => file as string)
        .filter((file) => /test|e2e/.test(file))
      if (tests.length === 0) assert.match(row, /\*\*Not prevented/)
      for (const file of tests) {
        const places = ['entrypoint/tests', 'entrypoint/tests/e2e', 'r/tests'].map((folder) => join(PACKAGE, folder, file))
        assert.ok(places.some(existsSync), `${file}: no such test`)
      }
    })
  }
  test('is one of many', () => assert.ok(rows.length > 35, String(rows.length)))
})

test('every commented key of an example in CONTRIBUTING.md can be uncommented as it stands', () => {
  const examples = [...read('CONTRIBUTING.md').matchAll(/^```yaml\n([\s\S]*?)^```/gm)]
  const choices = examples.flatMap(([, text = '']) => {
    const lines = text.split('\n')
    return lines.flatMap((line, i) =>
      /^\s*# (- \{|[a-z-]+: )/.test(line) ? [[...lines.slice(0, i), line.replace('# ', ''), ...lines.slice(i + 1)].join('\n')] : [],
    )
  })
  assert.ok(choices.length > 10, `${choices.length}`)
  for (const text of choices) assert.doesNotThrow(() => parse(text), text)
})
