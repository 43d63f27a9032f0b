/** Profiles: how they are read, which functions grew, and the output for people and other tools. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Cell } from '../../../config/experiment.ts'
import { profileBlock } from '../../../profile/block.ts'
import { changedLines } from '../../../profile/changed-lines.ts'
import { worst } from '../../../profile/explain.ts'
import { flameGraph } from '../../../profile/flame-graph.ts'
import { collapsed, speedscope } from '../../../profile/formats.ts'
import { callers, grown, OUR_CODE, totalUs } from '../../../profile/functions.ts'
import { reportSection, withSections } from '../../../profile/report-section.ts'
import { type Profile, profileOf, type StackSample } from '../../../profile/samples.ts'

/** @param lines of the innermost functions, the outermost of them first; the others are at line 1 */
const sample = (stack: string, lines: number | number[], count: number): StackSample => {
  const names = stack.split('>')
  const known = [lines].flat()
  const all = [...names.slice(known.length).map(() => 1), ...known]
  return { stack: names, places: all.map((line) => `src/Repo.php:${line}`), count }
}
const base: Profile = { requests: 1000, periodUs: 1000, samples: [sample('main>find', 7, 100), sample('main', 3, 50)] }
/** Half as many requests in the same time. Counts alone would hide that each takes twice as long. */
const head: Profile = {
  requests: 500,
  periodUs: 1000,
  samples: [sample('main>find', 7, 60), sample('main>find', 9, 140), sample('main', 3, 25), sample('main>rare', 4, 2)],
}

describe('functions whose own time grew', () => {
  test("take more time per request, and are shown with head's slowest line", () =>
    assert.deepEqual(grown(base, head, new Map()), [{ name: 'find', file: 'src/Repo.php', line: 9, baseUs: 100, headUs: 400 }]))
  test('are shown with the slowest line that the pull request changed, if it changed any', () => {
    const places = [[9], [7], [8], [3, 7]].map((lines) => grown(base, head, new Map([['src/Repo.php', new Set(lines)]]))[0]?.line)
    assert.deepEqual(places, [9, 7, 9, 7])
  })
  test('are empty if nothing changed', () => assert.deepEqual(grown(base, base, new Map()), []))
  test("count this tool's own code as one, but not its workloads", () => {
    const at = (file: string, name: string, count: number): StackSample => ({ stack: [name], places: [`${file}:1`], count })
    const ours = [
      at('async-php-bench/runtimes/swoole/Messages.php', 'AsyncPhpBench\\Swoole\\Messages::send', 15),
      at('async-php-bench/php/src/Front/Answer.php', 'AsyncPhpBench\\Front\\Answer::header', 10),
      at('async-php-bench/workloads/invoice/Pdf.php', 'AsyncPhpBench\\Workload\\Invoice\\Pdf::text', 30),
      at('src/Mine.php', 'AsyncPhpBench\\Swoole\\Mine', 20),
      { stack: [], places: [], count: 3 },
    ]
    const named = grown({ ...base, samples: [] }, { ...base, samples: ours }, new Map()).map(({ name, headUs }) => [name, headUs])
    assert.deepEqual(named, [
      ['AsyncPhpBench\\Workload\\Invoice\\Pdf::text', 30],
      ['AsyncPhpBench\\Swoole\\Mine', 20],
      [OUR_CODE, 28],
    ])
  })
  test('the total time is per request', () => assert.deepEqual([totalUs(base), totalUs(head)], [150, 454]))
})

describe('changed lines, with the functions that they call', () => {
  // A new call of `boot` at line 8 of `handle`, which calls `route`, as line 9 does.
  const before = { ...base, samples: [sample('handle>dispatch', [9, 20], 100), sample('handle>dispatch>route', [9, 21, 30], 50)] }
  const calls = [sample('handle>boot>route', [8, 40, 30], 200), sample('handle>boot>add', [8, 41, 50], 60)]
  const after = { ...base, samples: [...before.samples, ...calls] }
  const lines = (...of: number[]) => new Map([['src/Repo.php', new Set(of)]])
  test('name the function that calls more, which needs no more time itself', () => {
    assert.deepEqual(
      grown(before, after, lines(8)).map(({ name }) => name),
      ['route', 'add'],
    )
    assert.deepEqual(callers(before, after, lines(8)), [{ name: 'handle', file: 'src/Repo.php', line: 8, baseUs: 0, headUs: 260 }])
  })
  test('are compared with the time that other lines of the function do not take any more', () => {
    const moved = { ...base, samples: [sample('handle>dispatch', [8, 20], 180)] }
    assert.deepEqual(callers(before, moved, lines(8)), [{ name: 'handle', file: 'src/Repo.php', line: 8, baseUs: 150, headUs: 180 }])
    assert.deepEqual(callers(before, { ...base, samples: [sample('handle>dispatch', [8, 20], 140)] }, lines(8)), [])
  })
  test('count a function that calls itself once, with its slowest line', () => {
    const deep = { ...base, samples: [sample('walk>walk>walk', [5, 5, 6], 30), sample('walk>walk', [5, 7], 10)] }
    const found = callers({ ...base, samples: [] }, deep, lines(5, 6, 7))
    assert.deepEqual(found, [{ name: 'walk', file: 'src/Repo.php', line: 5, baseUs: 0, headUs: 40 }])
  })
  test('leave out few samples, and what the pull request does not touch', () => {
    assert.deepEqual(callers(before, { ...base, samples: [sample('handle>boot', [8, 40], 19)] }, lines(8)), [])
    assert.deepEqual(callers(before, after, new Map()), [])
  })
})

describe('the answer of the workers', () => {
  const worker = { pid: 1, period_us: 1000, samples: base.samples }
  test('may have a sample between PHP functions', () => {
    const between = { ...worker, samples: [{ stack: [], places: [], count: 1 }] }
    assert.deepEqual(profileOf({ of: 1, workers: [between] }, 9), { requests: 9, periodUs: 1000, samples: between.samples })
  })
  test('is added up', () =>
    assert.deepEqual(profileOf({ of: 2, workers: [worker, worker] }, 9), {
      requests: 9,
      periodUs: 1000,
      samples: [...base.samples, ...base.samples],
    }))
  for (const [why, answered, requests] of [
    ['its PHP does not load the extension excimer', { of: 1, workers: [{ ...worker, period_us: null, samples: [] }] }, 9],
    ['only 1 of 2 workers answered', { of: 2, workers: [worker] }, 9],
    ['the server did not answer with a profile', { of: 1, workers: [{ ...worker, samples: [{ stack: 'x' }] }] }, 9],
    ['the server did not answer with a profile', undefined, 9],
    ['no request was answered', { of: 1, workers: [worker] }, 0],
  ] as const) {
    test(`is missing for a reason: ${why}`, () => assert.equal(profileOf(answered, requests), why))
  }
})

describe('the block of the summary', () => {
  const diff = 'diff --git src/Repo.php src/Repo.php\n--- src/Repo.php\n+++ src/Repo.php\n@@ -6,0 +8,2 @@\n+a\n+b\n'
  const shown = profileBlock([{ cell: 'orders/low', mode: 'swoole', profiles: { base, head } }], changedLines(diff))
  test('has the function, its line, its time, and that the change touches the line', () =>
    assert.match(shown, /\| `find` \| `src\/Repo\.php:9` \| 100 µs \| 400 µs \| \+300 µs \| \*\*changed line\*\* \|/))
  test('names a function that only calls more, and says so once', () => {
    const calls = { ...head, samples: [...head.samples, sample('main>boot>route', [8, 40, 30], 200)] }
    const text = profileBlock([{ cell: 'orders/low', mode: 'swoole', profiles: { base, head: calls } }], changedLines(diff))
    const rows = text.slice(text.indexOf('With the functions that they call, these take more'))
    assert.match(
      rows,
      /^.*:\n\n\| function \| where \| base \| head \| change \|\n\|---\|---\|--:\|--:\|--:\|\n\| `main` \| `src\/Repo\.php:8` \|/,
    )
    // Its own time says the same.
    assert.doesNotMatch(rows, /find/)
    assert.doesNotMatch(shown, /With the functions that they call/)
    const section = reportSection({ cell: 'orders/low', mode: 'swoole', profiles: { base, head: calls } }, changedLines(diff))
    assert.match(section, /With the functions that they call.*<\/p>\n<table>[\s\S]*<td>main<\/td><td>src\/Repo\.php:8<\/td>/)
  })
  test('gives the reason if there is no profile', () =>
    assert.match(
      profileBlock([{ cell: 'a/b', mode: 'swoole', profiles: 'its server is not ours' }], new Map()),
      /`a\/b` on `swoole`: not profiled, because its server is not ours\./,
    ))
  test("keeps a pull request's function names inside a table cell", () => {
    const hostile = { ...head, samples: [{ ...sample('x', 1, 99), stack: ['a|b`</details>@everyone'] }] }
    const text = profileBlock([{ cell: 'a/b', mode: 'swoole', profiles: { base, head: hostile } }], new Map())
    assert.match(text, /\| `a\?b\?\?\/details\?@everyone` \|/)
  })
})

describe('the section of the report', () => {
  const changed = changedLines('+++ src/Repo.php\n@@ -6,0 +8,2 @@\n')
  const cell = { cell: 'orders/low', mode: 'swoole', profiles: { base, head } }
  test('has the table of the summary and the graph', () => {
    const shown = reportSection(cell, changed)
    assert.match(
      shown,
      /<tr><td>find<\/td><td>src\/Repo\.php:9 <strong>changed line<\/strong><\/td><td>100 µs<\/td><td>400 µs<\/td><td>\+300 µs<\/td><\/tr>/,
    )
    assert.match(shown, /<h3>orders\/low on swoole<\/h3>[\s\S]*Marked lines are those that this change touches\.<\/p>\n<svg /)
  })
  test("keeps a pull request's names in its cells, and our own code without a place", () => {
    const hostile = { ...head, samples: [{ ...sample('x', 1, 99), stack: ['</td><script>x</script>'], places: ['a<b>.php:1'] }] }
    const own = { ...sample('x', 1, 300), places: ['async-php-bench/php/src/Front/Answer.php:1'] }
    const samples = [...hostile.samples, own]
    const profiles = { base, head: { ...hostile, samples } }
    const shown = reportSection({ ...cell, profiles }, new Map())
    assert.doesNotMatch(shown, /<script|<b>/)
    // It grew most, but nobody can change it.
    assert.match(shown, /&#60;\/td&#62;[\s\S]*<td>the bench&#39;s own server code<\/td><td><\/td>/)
    assert.match(profileBlock([{ ...cell, profiles }], new Map()), /\| the bench's own server code \| {2}\| /)
  })
  test('says why there is no profile, and that no function takes more', () => {
    assert.match(
      reportSection({ ...cell, profiles: 'its server is not ours' }, new Map()),
      /<p>Not profiled, because its server is not ours\.<\/p>/,
    )
    assert.match(reportSection({ ...cell, profiles: { base, head: base } }, new Map()), /No function takes more\./)
  })
  test('becomes the end of the report', () => {
    assert.equal(withSections('<body>a</body></html>', ['G']), '<body>a<h2>Where the CPU time went</h2>\nG\n</body></html>')
    assert.match(withSections('a', ['G']), /^a<h2>/)
  })
})

describe('the flame graph', () => {
  const drawn = flameGraph(base, head, 'orders/low on swoole')
  const frame = (name: string): string => new RegExp(`<g><title>${name}: .*`).exec(drawn)?.[0] ?? assert.fail(`no ${name} in ${drawn}`)
  test('is as wide as head, and marks the function whose own time grew', () => {
    assert.match(
      frame('find'),
      /400 µs per request, in base 100 µs; own time 400 µs, in base 100 µs<.* width="1057.3".* fill="rgb\(238,88,88\)"/,
    )
    assert.match(
      frame('main'),
      /454 µs per request, in base 150 µs; own time 50 µs, in base 50 µs<.* width="1200.0".* fill="rgb\(238,238,238\)"/,
    )
    assert.match(drawn, /orders\/low on swoole: 454 µs of CPU time per request in head, 150 µs in base</)
  })
  test('shows what shrank in blue, and nothing that head does not have', () => {
    const back = flameGraph(head, base, 'x')
    assert.match(back, /find: .* fill="rgb\(88,88,238\)"/)
    assert.doesNotMatch(back, /rare/)
  })
  test('keeps what a pull request calls its functions in its text', () => {
    const hostile = { ...head, samples: [{ ...sample('x', 1, 99), stack: ['</title><script>alert("x")</script>&'] }] }
    const text = flameGraph(base, hostile, '"><b>')
    assert.doesNotMatch(text, /<script|<b>|"x"/)
    assert.match(text, /&#60;script&#62;alert\(&#34;x&#34;\)/)
  })
  test('of profiles without a sample is empty', () =>
    assert.match(flameGraph({ ...base, samples: [] }, { ...head, samples: [] }, 'x'), /^<svg [\s\S]*<\/svg>\n$/))
})

test("changed lines are head's, by file", () => {
  const diff = [
    '--- a.php',
    '+++ a.php',
    '@@ -1,2 +1 @@',
    '-x',
    '-y',
    '+z',
    '@@ -9 +8,0 @@',
    '-gone',
    '--- b.php',
    '+++ b.php',
    '@@ -0,0 +5,3 @@',
  ]
  assert.deepEqual(
    changedLines(diff.join('\n')),
    new Map([
      ['a.php', new Set([1])],
      ['b.php', new Set([5, 6, 7])],
    ]),
  )
})

test('collapsed stacks are added up, and their names cannot break a line', () => {
  const profile = { ...base, samples: [...base.samples, sample('main>find', 8, 1), sample('a;b c', 1, 2)] }
  assert.equal(collapsed(profile), 'main;find 101\nmain 50\na_b_c 2\n')
})

test("speedscope's file has each frame once, and weights in microseconds", () => {
  const { shared, profiles } = JSON.parse(speedscope(base, 'x'))
  assert.deepEqual(shared.frames, [{ name: 'main' }, { name: 'find' }])
  assert.deepEqual([profiles[0].samples, profiles[0].weights, profiles[0].endValue], [[[0, 1], [0]], [100_000, 50_000], 150_000])
})

describe('the cells that are profiled', () => {
  const cells = ['a/low', 'a/high', 'b/low'].map((name) => {
    const [workload, load] = name.split('/')
    return { workload: { name: workload }, load: { name: load, concurrency: 1 } } as Cell
  })
  const judged = (name: string, change: number | null, verdict: string) => {
    const [workload, load] = name.split('/') as [string, string]
    return { workload, load, change, verdict }
  }
  const namesOf = (found: Cell[]): string[] => found.map(({ workload, load }) => `${workload.name}/${load.name}`)
  test('are the worst of each workload that regressed', () => {
    const all = [judged('a/low', 0.8, 'regressed'), judged('a/high', 0.6, 'regressed'), judged('b/low', 0.9, 'pass')]
    assert.deepEqual(namesOf(worst(all, cells)), ['a/high'])
  })
  test('are the worst of all if only the pool regressed', () => {
    const all = [judged('a/low', 0.95, 'inconclusive'), judged('b/low', 0.9, 'inconclusive'), judged('new/low', null, 'new')]
    assert.deepEqual(namesOf(worst(all, cells)), ['b/low'])
  })
  test('are those that lost CPU time, whatever their goodput did', () => {
    const ofGoodput = [judged('a/low', 2, 'regressed'), judged('b/low', 0.9, 'pass')]
    assert.deepEqual(namesOf(worst([...ofGoodput, judged('a/low', 0.7, 'regressed'), judged('b/low', 1, 'pass')], cells)), ['a/low'])
  })
  test('are empty if no gain fell', () => assert.deepEqual(worst([judged('a/low', 1.1, 'pass')], cells), []))
  test('are the one with the least gain if it is always explained', () => {
    const all = [judged('a/low', 1.2, 'pass'), judged('b/low', 1.1, 'pass'), judged('a/high', null, 'pass')]
    assert.deepEqual(namesOf(worst(all, cells, true)), ['b/low'])
    assert.deepEqual(worst([], cells, true), [])
  })
})
