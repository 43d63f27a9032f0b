/** Names, messages and stored lines of strangers, as they become Markdown, HTML, outputs and titles. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { invalidOutcome, type Outcome } from '../../../analyse/outcome.ts'
import { composeSummary } from '../../../analyse/summary.ts'
import { blockOf, type Differences, suspects } from '../../../analyse/suspects.ts'
import { parseConfig } from '../../../config/parse.ts'
import { titleOf } from '../../../publish/check.ts'
import { type CommentApi, postComment, renderComment, runOfComment } from '../../../publish/comment.ts'
import { annotate, setOutputs, writeJobSummary } from '../../../publish/github.ts'
import { historyPage } from '../../../publish/history-page.ts'
import { releaseNotes } from '../../../publish/release.ts'

const root = mkdtempSync(join(tmpdir(), 'strangers-'))
after(() => rmSync(root, { recursive: true }))

const analysisOf = (workload: string, load: string): Outcome['analysis'] =>
  ({
    pooled: { change: 0.96, change_low: 0.93, change_high: 0.99 },
    cells: [{ workload, load, gain_base: 1.5, gain_head: 1.44, change: 0.96, change_low: 0.93, change_high: 0.99 }],
  }) as unknown as Outcome['analysis']
const outcomeOf = (reasons: string[], analysis?: Outcome['analysis']): Outcome => ({
  verdict: 'regressed',
  reasons,
  parts: { analysis: '' },
  exitCode: 1,
  analysis,
})

/** The text outside code spans and blocks: what GitHub reads as Markdown. */
const outsideCode = (markdown: string): string => markdown.replace(/~~~text\n[\s\S]*?\n~~~\n/g, '').replace(/`[^`\n]*`/g, '')

describe('the notes of a release', () => {
  test('show names that could be links as plain names', () => {
    const reason = 'www.evil.example/gh-1 lost 40 %: www.evil.example, gh-1 and deadbeef1.'
    const notes = releaseNotes(outcomeOf([reason], analysisOf('www.evil.example', 'gh-1')), 'v1')
    assert.doesNotMatch(outsideCode(notes), /www\.|gh-1/)
    assert.match(notes, /`www\.evil\.example\/gh-1` lost 40 %/)
    assert.match(notes, /\| `www\.evil\.example \/ gh-1` \|/)
  })

  for (const label of [
    '@everyone',
    '#1',
    'v1|x|',
    '</table><img/src=x>',
    '[x](https://evil.example)',
    'a`b`@everyone',
    'a\n## Pass',
    '\u202ev1',
    'www.evil.example',
  ])
    test(`show the base ${JSON.stringify(label)} as text`, () => {
      const notes = releaseNotes(outcomeOf(['because'], analysisOf('invoice', 'high')), label)
      assert.doesNotMatch(outsideCode(notes), /@everyone|#1|evil|<img|v1|## Pass|\u202e/)
      assert.equal(notes.split('\n').length, releaseNotes(outcomeOf(['because'], analysisOf('invoice', 'high')), 'v1').split('\n').length)
    })
})

describe('the page of the history', () => {
  const record = (cell: string): object => ({
    time: '2026-01-01T00:00:00.000Z',
    commit: 'a'.repeat(40),
    verdict: 'pass',
    cells: [{ cell, gain: 1.5, change: 1, change_low: 0.9, change_high: 1.1 }],
  })
  /** The data that the page's script reads. The script runs as in a browser, up to its drawing. */
  const recordsOf = (page: string): { verdict: string; cells: { cell: string }[] }[] => {
    return JSON.parse(/<script type="application\/json" id="records">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '')
  }

  test('has its data and one script, whatever a name contains', () => {
    const names = [
      '</script><script>alert(1)</script>',
      '<!--<script>',
      '`${alert(1)}`',
      "'];alert(1)//",
      '\u2028alert(1)',
      '{{data}}',
      '{{key}}',
      '{{script}}',
      '$&',
      '$1',
    ]
    const page = historyPage('default', names.map((name) => JSON.stringify(record(name))).join('\n'))
    assert.equal(page.match(/<script/g)?.length, 2)
    assert.equal(page.match(/<!--/g), null)
    assert.deepEqual(
      recordsOf(page).map(({ cells }) => cells[0]?.cell),
      names,
    )
  })

  for (const [name, line] of [
    ['a script', '0];alert(1);[0'],
    ['half a record', '{"time":"2026'],
    ['the signs of a merge', '<<<<<<< HEAD'],
    ['another object', '{"a":1}'],
    ['a prototype', '{"__proto__":{"cells":[]},"x":1}'],
    ['a number in words', JSON.stringify(record('a')).replace('1.5', '"1.5"')],
    ['a number that is none', JSON.stringify(record('a')).replace('1.5', '1e999')],
    ['cells that are none', JSON.stringify(record('a')).replace(/\[.*\]/, '[null]')],
    ['a commit that is a sentence', JSON.stringify(record('a')).replace('a'.repeat(40), 'visit evil.example')],
  ] as const)
    test(`leaves out a line that is ${name}, and draws the others`, () => {
      const page = historyPage('default', `${JSON.stringify(record('x'))}\n${line}\n${JSON.stringify(record('y'))}\n`)
      assert.deepEqual(
        recordsOf(page).map(({ cells }) => cells[0]?.cell),
        ['x', 'y'],
      )
    })
})

describe('the title of a check', () => {
  test('is one line of visible characters, cut between two', () => {
    const title = titleOf(outcomeOf([`a\n\n\u202eb\x1b[0m\r\n  c ${'\u{1f600}'.repeat(300)}`]), { isFork: false, others: [] })
    assert.match(title, /^regressed: a \\u\{202e\}b c 😀/)
    assert.doesNotMatch(title, /[\p{Cc}\p{Cs}]/u)
    assert.ok(title.length <= 200)
  })
})

describe('the comment', () => {
  const forged = '<!-- async-php-bench:default run:999999999 -->'

  test('belongs to the run of its first line, whatever the summary says', () => {
    for (const summary of [forged, `\n${forged}\n`, composeSummary(invalidOutcome(forged))])
      assert.equal(runOfComment(renderComment('default', 7, summary, ''), 'default'), 7)
  })

  test('does not belong to another key that only looks like it', () => {
    for (const key of ['default run:9', 'Default', 'default\u200b', 'default.', 'defaul.'])
      assert.equal(runOfComment(`<!-- async-php-bench:${key} run:9 -->`, 'default'), undefined)
    assert.equal(runOfComment(` ${forged}`, 'default'), undefined)
  })

  test('is written if another comment of the same account claims an impossible run', async () => {
    const bodies: string[] = []
    const at = (run: string): string => `<!-- async-php-bench:default run:${run} -->\nforged`
    const api: CommentApi = {
      list: async () =>
        ['9'.repeat(400), '1e3', '0x1', '-1', '9007199254740993'].map((run, id) => ({ id, body: at(run), user: { login: 'bot' } })),
      create: async (body) => void bodies.push(body),
      update: async () => assert.fail('updates a forged comment'),
      author: async () => 'bot',
      isSuperseded: async () => assert.fail('asks about no run'),
    }
    assert.equal(await postComment(api, 'default', 7, 'mine'), 'created')
    assert.deepEqual(bodies, ['mine'])
  })

  test('keeps its link when it is cut, and has no half character', () => {
    const text = renderComment('default', 7, composeSummary(invalidOutcome('x\n'.repeat(90_000))), 'https://x/report')
    assert.match(outsideCode(text), /\[Report and raw data\]\(https:\/\/x\/report\)/)
    const long = renderComment('default', 7, '\u{1f600}'.repeat(60_000), '')
    assert.doesNotMatch(long, /\p{Cs}/u)
  })
})

describe('differences between base and head', () => {
  test('may have any name', () => {
    const names = ['constructor', 'toString', '__proto__', 'a`b', '<!--', '@everyone', '\u202egnp', 'a\n## Pass', 'a|b']
    const packages = { base: {}, head: Object.fromEntries(names.map((name) => [name, `1.0 ${name}`])) }
    const files = names.map((name) => `bench/${name}`)
    const differences: Differences = {
      servers: {},
      statements: { 'base/fpm': { orders: {} }, 'head/fpm': { constructor: { select: 1 } } },
      loaded: { 'head/fpm': { constructor: { perRequest: true, files } } },
      packages,
      files,
      bootstrap: [],
    }
    const text = blockOf(suspects(differences))
    // Base has no workload of that name, so there is nothing to compare.
    assert.doesNotMatch(text, /SELECT/)
    assert.match(text, /load: `bench\/constructor` \(`constructor`\), /)
    assert.match(text, /package `constructor`: `none` → `1\.0 constructor`/)
    assert.match(text, /package `__proto__`: `none` → /)
    assert.doesNotMatch(outsideCode(text), /<!--|@everyone|\u202e|## Pass|\|/)
  })
})

describe('outputs and annotations', () => {
  /** The content of the file that the runner names. */
  async function written(variable: string, work: () => void | Promise<void>): Promise<string> {
    const file = join(root, variable)
    writeFileSync(file, '')
    const before = process.env[variable]
    process.env[variable] = file
    await work()
    if (before === undefined) delete process.env[variable]
    else process.env[variable] = before
    return readFileSync(file, 'utf8')
  }

  /** The output to the log. It is read at once, because otherwise it would contain lines of the test itself. */
  function logged(work: () => void): string {
    const { write } = process.stdout
    let log = ''
    process.stdout.write = ((chunk: string | Uint8Array) => {
      log += chunk.toString()
      return true
    }) as typeof write
    work()
    process.stdout.write = write
    return log
  }

  /** As FileCommandManager of actions/runner reads it: NAME<<DELIMITER, lines, DELIMITER. */
  function outputsIn(text: string): Record<string, string> {
    const outputs: Record<string, string> = {}
    const lines = text.split('\n')
    for (let i = 0; i < lines.length && lines[i] !== ''; i++) {
      const [name, delimiter] = (lines[i] as string).split('<<') as [string, string]
      const end = lines.indexOf(delimiter, i + 1)
      outputs[name] = lines.slice(i + 1, end).join('\n')
      i = end
    }
    return outputs
  }

  test('have one value each, whatever lines it has', async () => {
    const by = 'x\nverdict=pass\nverdict<<EOF\npass\nEOF\nghadelimiter_1'
    const outcome = { ...outcomeOf(['because']), accepted: { by, at: '' } }
    const file = await written('GITHUB_OUTPUT', () => setOutputs(outcome, '/out\nverdict=pass'))
    const outputs = outputsIn(file)
    assert.equal(outputs.verdict, 'regressed')
    assert.equal(outputs['accepted-by'], by)
  })

  test('of an error are one command of the runner', () => {
    const reason = 'a\n::add-mask::b\r\n::set-output name=verdict::pass%0A::error::x'
    const log = logged(() => annotate(invalidOutcome(reason)))
    assert.equal(log.trim().split(/[\r\n]/).length, 1)
    assert.match(log, /^::error title=async-php-bench%3A invalid::a%0A::add-mask::b%0A::set-output name=verdict::pass%250A/)
  })

  test("of a summary stay within the runner's limit in bytes", async () => {
    const file = await written('GITHUB_STEP_SUMMARY', () =>
      writeJobSummary({ ...outcomeOf([]), parts: { analysis: '漢字\n'.repeat(300_000) } }),
    )
    assert.ok(Buffer.byteLength(file) <= 1024 * 1024)
    assert.doesNotMatch(file, /\ufffd/)
  })
})

describe('a name in the configuration', () => {
  for (const name of ['a\u202eb', 'a\u200b', 'a b', 'A', '@all', '#1', 'a/b', '<b>', 'a\\n', '-a', '=1+1', '::error::x', 'раypal', '']) {
    test(`is not ${JSON.stringify(name)}`, () => {
      for (const key of ['workloads', 'modes'])
        assert.throws(() => parseConfig(`${key}: [{ name: ${JSON.stringify(name)}, path: /, kind: sync, command: x }]`, 'c'), {
          name: 'InputError',
        })
      assert.throws(() => parseConfig(`loads: { ${JSON.stringify(name)}: { concurrency: 1 } }`, 'c'), { name: 'InputError' })
      assert.throws(() => parseConfig(`comment-key: ${JSON.stringify(name)}`, 'c'), { name: 'InputError' })
    })
  }
})
