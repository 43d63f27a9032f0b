/** Valid configurations, and the messages for invalid ones. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { seconds } from '../../../config/durations.ts'
import { parseConfig } from '../../../config/parse.ts'
import { jsonSchema } from '../../../config/schema.ts'
import { InputError } from '../../../system/errors.ts'

const refusal = (text: string, overrides = {}): string => {
  try {
    parseConfig(text, 'c.yml', overrides)
  } catch (error) {
    assert.ok(error instanceof InputError, String(error))
    return error.message
  }
  return assert.fail('accepted')
}

describe('the configuration', () => {
  test('has a default for everything', () => {
    const config = parseConfig('', 'c.yml')
    assert.deepEqual(config.modes, ['fpm', 'swoole'])
    assert.equal(config.connections, 16)
    assert.equal(config.gate['max-regression'], 5)
  })

  test("repeats the paper's design from the example", () => {
    const file = new URL('../../../../examples/paper.yml', import.meta.url)
    const config = parseConfig(readFileSync(file, 'utf8'), 'paper.yml')
    assert.deepEqual([config.modes.length, Object.keys(config.loads).length, config.blocks], [2, 2, 6])
    assert.deepEqual(config.workloads, ['invoice'])
  })

  test('prefers overrides to the file, for keys of gate, too', () => {
    const config = parseConfig('budget: 5m\ngate: { resolution: 8 }', 'c.yml', { budget: '1h', 'max-regression': 3 })
    assert.equal(seconds(config.budget), 3600)
    assert.deepEqual([config.gate['max-regression'], config.gate.resolution], [3, 8])
  })

  test('takes names outside the file for the workloads and modes that it defines, with their lines', () => {
    const text = [
      'modes: [fpm, { name: octane, kind: async, command: "octane {port}" }]',
      'workloads:',
      '  - fibonacci',
      '  - { name: users, path: "/users", expect: 404 }',
      '  - /json',
      '  - { name: invoice, columns: all }',
    ].join('\n')
    const file = parseConfig(text, 'c.yml')
    const given = parseConfig(text, 'c.yml', { modes: ['swoole-sync', 'octane'], workloads: ['json', 'users', 'invoice'] })
    assert.deepEqual(given.workloads, [file.workloads[2], file.workloads[1], file.workloads[3]])
    assert.deepEqual(given.modes, ['swoole-sync', file.modes[1]])
    assert.deepEqual([given.placeOf('workloads', 1), given.placeOf('modes', 0)], ['c.yml:4: ', 'input: '])
    assert.match(
      refusal('budget: 5m\nworkloads: [{ name: users, path: users }]', { workloads: ['users'] }),
      /^c\.yml:2: workloads\.0\.path: .*must begin with/,
    )
  })

  test('accepts a path as workload, a number as load, and a status as expectation', () => {
    const short = parseConfig(
      'workloads: [fibonacci, /, "/api/Orders?limit=50&x={id}", { name: a, path: /, expect: 404 }]\nloads: { high: 32 }',
      'c.yml',
    )
    const long = parseConfig(
      'workloads: [fibonacci, { name: home, path: / }, { name: api-orders-limit-50-x-id, path: "/api/Orders?limit=50&x={id}" }, { name: a, path: /, expect: { status: 404 } }]\nloads: { high: { concurrency: 32 } }',
      'c.yml',
    )
    assert.deepEqual({ ...short, placeOf: long.placeOf }, long)
    assert.deepEqual(parseConfig('', 'c.yml', { workloads: ['/'] }).workloads, [long.workloads[1]])
  })

  test('takes ids as a list, or as a range of which the first 1,000 count', () => {
    const idsOf = (ids: string): unknown => {
      const [workload] = parseConfig(`workloads: [{ name: a, path: "/{id}", ids: ${ids} }]`, 'c.yml').workloads
      return (workload as { ids?: string[] }).ids
    }
    assert.deepEqual(idsOf('[7, x-8]'), ['7', 'x-8'])
    assert.deepEqual(idsOf('8..11'), ['8', '9', '10', '11'])
    const many = idsOf('5..2000000') as string[]
    assert.deepEqual([many.length, many.at(-1)], [1000, '1004'])
  })

  test('accepts a mask that contains slashes', () => {
    const [workload] = parseConfig('workloads: [{ name: a, path: /, mask: ["\\\\/users\\\\/", "/a/b"] }]', 'c.yml').workloads
    assert.deepEqual((workload as { mask?: string[] }).mask, ['\\/users\\/', '/a/b'])
  })

  test('accepts a switch as YAML and as text, for inputs of an Action', () => {
    const on = (text: string, overrides = {}): boolean => parseConfig(text, 'c.yml', overrides)['accept-author']
    assert.deepEqual([on(''), on('accept-author: true'), on('accept-author: false')], [false, true, false])
    assert.deepEqual([on('accept-author: true', { 'accept-author': 'false' }), on('', { 'accept-author': 'true' })], [false, true])
    assert.match(refusal('accept-author: sure'), /^c\.yml:1: accept-author: found "sure", allowed: true, false/)
    assert.match(refusal('accept-author: 1'), /^c\.yml:1: accept-author: found 1, allowed: /)
  })

  for (const name of ['dockerfile', 'image', 'default']) {
    test(`reads examples/docker/${name}.yml`, () => {
      const file = new URL(`../../../../examples/docker/${name}.yml`, import.meta.url)
      assert.equal(parseConfig(readFileSync(file, 'utf8'), name).engine, 'docker')
    })
  }

  const cases: [string, string, RegExp][] = [
    [
      'two images',
      'docker:\n  dockerfile: Dockerfile\n  image: a:b',
      /^c\.yml:2: docker: .*both a dockerfile and an image; allowed: one of them/,
    ],
    [
      'an unknown docker key',
      'docker:\n  dockerfil: x',
      /^c\.yml:2: unknown key "dockerfil" in docker; did you mean "dockerfile"\? Allowed: dockerfile, target/,
    ],
    [
      'a Dockerfile outside',
      'docker: { dockerfile: ../Dockerfile }',
      /docker\.dockerfile: found "\.\.\/Dockerfile": must be a path inside the repository/,
    ],
    ['a PHP version that is a number', 'docker: { php: 8.2 }', /docker\.php: found 8\.2, allowed: text/],
    ['an unknown key', 'app: a.php\nbudgett: 5m', /^c\.yml:2: unknown key "budgett"; did you mean "budget"\? Allowed: app, /],
    [
      'a key of the gate beside it',
      'max-memory-growth: 20',
      /^c\.yml:1: unknown key "max-memory-growth"\..* Write gate: \{ max-memory-growth: … \}$/,
    ],
    ['a key unlike any', 'thermometer: 5m', /^c\.yml:1: unknown key "thermometer"\. Allowed: app, /],
    [
      'an input of the Action',
      'cache: true',
      /^c\.yml:1: unknown key "cache"\..*\. cache is an input of the Action: write it below with:$/,
    ],
    ['an unknown gate key', 'gate:\n  max-regresion: 5', /^c\.yml:2: unknown key "max-regresion" in gate; did you mean "max-regression"\?/],
    ['a wrong type', 'connections: many', /^c\.yml:1: connections: found "many", allowed: a number/],
    ['none of several types', 'env: { A: [1] }', /^c\.yml:1: env\.A: found a list of 1, allowed: text, a number, true or false$/],
    [
      'a wrong type in a workload',
      'workloads: [{ name: x, path: /, expect: [5] }]',
      /^c\.yml:1: workloads\.0\.expect: found a list of 1, allowed: a number, a mapping$/,
    ],
    [
      'a status that is none',
      'workloads: [{ name: x, path: /, expect: 5 }]',
      /^c\.yml:1: workloads\.0\.expect: found 5, allowed: at least 100$/,
    ],
    ['a list that is a mapping', 'modes: { a: b }', /^c\.yml:1: modes: found a mapping: must be a list, such as \[fpm, swoole\]$/],
    ['a wrong word', 'on-inconclusive: wran', /found "wran", allowed: warn, fail, pass; did you mean "warn"\?/],
    ['a wrong duration', 'budget: 25', /budget: found 25: must be a number with s, m or h, such as 25m$/],
    ['no time at all', 'budget: 0m', /^c\.yml:1: budget: found "0m": must be longer than 0, such as 25m$/],
    [
      'a delay of a Redis that is not there',
      'latency: { redis: 1ms }',
      /^c\.yml:1: latency\.redis: found 1ms with redis: false; allowed with redis: true$/,
    ],
    ['a Redis that is an address', 'redis: localhost', /^c\.yml:1: redis: found "localhost", allowed: true, false$/],
    [
      'a delay of something else',
      'latency: { reddis: 1ms }',
      /^c\.yml:1: unknown key "reddis" in latency; did you mean "redis"\? Allowed: database, redis$/,
    ],
    [
      'a database that is misspelt',
      'app: a.php\ndatabase: postgress',
      /^c\.yml:2: database: found "postgress": must be auto, mariadb, mysql, postgres, sqlite, none, or mysql:.*; did you mean "postgres"\?$/,
    ],
    [
      'a URL of another database',
      'database: mongodb://u:p@h:1',
      /^c\.yml:1: database: found "mongodb:\/\/…@h:1": must be auto, mariadb, mysql, postgres, sqlite, none, or mysql:\/\/user:password@host:port, or postgres:\/\/user:password@host:port$/,
    ],
    [
      'a delay without a unit',
      'latency: { database: 1 }',
      /^c\.yml:1: latency\.database: found 1: must be milliseconds from 0\.1ms to 100ms, such as 1ms$/,
    ],
    ['a delay in seconds', 'latency:\n  database: 1s', /^c\.yml:2: latency\.database: found "1s": must be milliseconds/],
    ['a delay of nothing', 'latency: { database: 0ms }', /latency\.database: found "0ms": must be milliseconds from 0\.1ms/],
    [
      'a delay of a second',
      'latency: { database: 1000ms }',
      /latency\.database: found "1000ms": must be milliseconds from 0\.1ms to 100ms/,
    ],
    ['a negative delay', 'latency: { database: -1ms }', /latency\.database: found "-1ms": must be milliseconds/],
    ['a delay of what has none', 'latency: { databse: 1ms }', /^c\.yml:1: unknown key "databse" in latency; did you mean "database"\?/],
    ['a delay of everything', 'latency: 1ms', /^c\.yml:1: latency: found "1ms", allowed: a mapping$/],
    [
      'a delay of a database that is not there',
      'database: none\nlatency: { database: 1ms }',
      /^c\.yml:2: latency\.database: found 1ms with database: none; allowed with a database that has a server$/,
    ],
    ['a number out of range', 'gate: { alpha: 2 }', /gate\.alpha: found 2, allowed: at most 0\.5$/],
    ['no growth at all', 'gate: { max-p95-growth: 0 }', /^c\.yml:1: gate\.max-p95-growth: found 0, allowed: more than 0$/],
    ['a growth in words', 'gate:\n  max-memory-growth: 20%', /^c\.yml:2: gate\.max-memory-growth: found "20%", allowed: a number$/],
    ['an endless growth', 'gate: { max-memory-growth: 5000 }', /found 5000, allowed: at most 1000$/],
    ['a misspelt growth', 'gate: { max-p95: 20 }', /unknown key "max-p95" in gate; did you mean "max-p95-growth"\?/],
    ['a number that is the excluded bound', 'gate: { alpha: 0 }', /gate\.alpha: found 0, allowed: more than 0$/],
    ['a part of a whole', 'connections: 1.5', /connections: found 1\.5, allowed: a whole number$/],
    ['no number', 'gate: { alpha: .nan }', /gate\.alpha: found NaN, allowed: a number$/],
    ['an empty list', 'workloads: []', /workloads: found a list of 0, allowed: a length of at least 1$/],
    ['a number for loads', 'loads: 32', /^c\.yml:1: loads: found 32: must be a mapping of names to concurrencies, such as \{ high: 32 \}/],
    [
      'a misspelt search',
      'loads: serch',
      /^c\.yml:1: loads: found "serch": must be a mapping .*, or search in a study; did you mean "search"\?$/,
    ],
    ['a text for set-up', 'setup: make', /^c\.yml:1: setup: found "make": must be a list, such as \[php bin\/console cache:warmup\]$/],
    ['a text for modes', 'modes: fpm', /^c\.yml:1: modes: found "fpm": must be a list, such as \[fpm, swoole\]$/],
    ['no load', 'loads: {}', /loads: found an empty mapping: must name at least one load level$/],
    ['a name that is none', 'loads: { "A B": { concurrency: 1 } }', /c\.yml:1: loads: found the key "A B": must be 1 to 40 of a-z/],
    ['a path out of the repository', 'app: ../../etc/passwd', /app: found "\.\.\/\.\.\/etc\/passwd": must be a path inside the repository/],
    ['an absolute path', 'app: /etc/passwd', /must be a path inside/],
    ['a path traversal in a workload name', 'workloads: ["../fpm"]', /^c\.yml:1: .*workloads\.0.*"\.\.\/fpm"/],
    [
      'a front script beside an entry file',
      'app: bench/app.php\nfront: public/index.php',
      /^c\.yml:2: front: found together with app; allowed: one of them$/,
    ],
    ['a front script outside', 'front: ../index.php', /front: found "\.\.\/index\.php": must be a path inside the repository/],
    [
      'a front script that is none',
      'front: public/',
      /front: found "public\/": must be a PHP script inside the repository, such as public\/index\.php$/,
    ],
    ['a path under /_bench/', 'workloads: [{ name: a, path: /_bench/x }]', /belongs to the built-in workloads/],
    [
      'a bare path under /_bench/',
      'workloads: [/_bench/x]',
      /workloads\.0: found "\/_bench\/x": \/_bench\/ belongs to the built-in workloads/,
    ],
    [
      'an id that leads under /_bench/',
      'workloads: [{ name: a, path: "/{id}", ids: [1, _bench/x] }]',
      /ids: .*\/_bench\/ belongs to the built-in/,
    ],
    ['a bare path with a space', 'workloads: ["/a b"]', /workloads\.0: found "\/a b": must be the name of a built-in workload, or a path/],
    ['a load of no connections', 'loads: { low: 0 }', /loads\.low: found 0, allowed: at least 1$/],
    [
      'several paths in one workload',
      'workloads: [{ name: a, paths: [/a, /b] }]',
      /workloads\.0\.paths: found a list of 2: hey repeats one request, so a workload has one `path`\. Define a workload for each path/,
    ],
    [
      'several paths under the key of one',
      'workloads: [{ name: a, path: [/a, /b] }]',
      /workloads\.0\.path: found a list of 2: hey repeats one request, so a workload has one `path`\. Define a workload for each path/,
    ],
    ['a path instead of a list', 'workloads: /users', /workloads: found "\/users": must be a list, such as \[fibonacci, \/users\]$/],
    [
      'a list of loads',
      'loads: [8, 32]',
      /loads: found a list of 2: must be a mapping of names to concurrencies, such as \{ high: 32 \}, or search in a study$/,
    ],
    [
      'a mask between slashes',
      'workloads: [{ name: a, path: /, mask: [/\\d+/] }]',
      /mask\.0: found "\/\\\\d\+\/": must be written without delimiters: "\\\\d\+"\. Write a literal slash as "\\\\\/"$/,
    ],
    ['a mask between slashes with a flag', 'workloads: [{ name: a, path: /, mask: [/x/i] }]', /without delimiters: "x"/],
    [
      'ids twice',
      'workloads: [{ name: a, path: "/{id}", ids: [1], ids-file: ids.txt }]',
      /ids-file: found "ids\.txt": the workload has `ids` already/,
    ],
    [
      'ids that nothing asks for',
      'workloads: [{ name: a, path: /, ids: [1] }]',
      /ids: found a list of 1: neither path, headers nor body has an \{id\}/,
    ],
    [
      'an id with a space',
      'workloads: [{ name: a, path: "/{id}", ids: ["a b"] }]',
      /ids\.0: found "a b": must be URL-encoded ASCII without spaces/,
    ],
    [
      'a range that is none',
      'workloads: [{ name: a, path: "/{id}", ids: 9..2 }]',
      /ids: found "9\.\.2": must be a list, or a range such as 1\.\.500/,
    ],
    ['an ids-file outside', 'workloads: [{ name: a, path: "/{id}", ids-file: ../x }]', /ids-file: .*inside the repository/],
    ['a header with a line break', 'workloads: [{ name: a, path: /, headers: { X: "a\\r\\nb" } }]', /headers/],
    ['a baseline that is an option', 'baseline: "--upload-pack=x y"', /baseline/],
    ['broken YAML', 'app: [', /^c\.yml:1: not valid YAML/],
    ['a repeated key', 'app: a\napp: b', /^c\.yml:2: not valid YAML: .*[^:]$/],
    ['a scalar', 'hello', /must be a mapping/],
    [
      'an unknown key of a workload',
      'workloads:\n  - fibonacci\n  - name: a\n    path: /\n    expects: { status: 200 }',
      /^c\.yml:5: unknown key "expects"/,
    ],
  ]
  /** Values that the keys database, redis, latency and services refuse. */
  const ofServices: [string, string, RegExp][] = [
    [
      'a database that is a switch',
      'database: true',
      /^c\.yml:1: database: found true, allowed: auto, mariadb, mysql, postgres, sqlite, none$/,
    ],
    ['several databases', 'app: a.php\ndatabase: [mysql, postgres]', /^c\.yml:2: database: found a list of 2, allowed: text$/],
    ['a database with keys', 'database: { kind: postgres }', /^c\.yml:1: database: found a mapping, allowed: text$/],
    ['a database that is empty', 'database:', /^c\.yml:1: database: found null, allowed: auto, .*, none$/],
    ['a port as a database', 'database: 5432', /^c\.yml:1: database: found 5432, allowed: auto, .*, none$/],
    [
      'a place of a SQLite file',
      'database: sqlite:///var/x.db',
      /found "sqlite:\/\/\/var\/x\.db": must be auto, .*, sqlite, none, or mysql:/,
    ],
    [
      'a URL without a host',
      'database: mysql://:3306',
      /^c\.yml:1: database: found a URL without a user or a host, .*; allowed: mysql:\/\/user:password@host:port, or postgres:/,
    ],
    ['a URL without a user', 'database: postgres://localhost', /^c\.yml:1: database: found a URL without a user or a host, /],
    [
      'a URL with an impossible port',
      'database: postgres://u:secret@h:99999',
      /^c\.yml:1: database: found a URL .* invalid port.*; allowed: mysql:/,
    ],
    [
      'a URL that is not encoded',
      'database: "postgres://u:50%off@h"',
      /^c\.yml:1: database: found a URL .* unencoded user or password; allowed: mysql:/,
    ],
    [
      'a URL beside containers',
      'engine: docker\ndatabase: mysql://u:secret@h:1',
      /^c\.yml:2: database: found a URL with engine: docker; allowed: auto, .*, none, or a URL with engine: host$/,
    ],
    ['a Redis that is a URL', 'redis: redis://localhost', /^c\.yml:1: redis: found "redis:\/\/localhost", allowed: true, false$/],
    ['a Redis that is a port', 'redis: 6379', /^c\.yml:1: redis: found 6379, allowed: true, false$/],
    ['a Redis with keys', 'redis: { host: x }', /^c\.yml:1: redis: found a mapping, allowed: true or false$/],
    ['a Redis that is empty', 'app: a.php\nredis:', /^c\.yml:2: redis: found null, allowed: true, false$/],
    ['a Redis that is misspelt', 'reddis: true', /^c\.yml:1: unknown key "reddis"; did you mean "redis"\? Allowed: app, /],
    ['a list of delays', 'latency: [1ms]', /^c\.yml:1: latency: found a list of 1, allowed: a mapping$/],
    [
      'several delays of one',
      'latency: { database: [1ms] }',
      /latency\.database: found a list of 1: must be milliseconds from 0\.1ms to 100ms/,
    ],
    ['a delay in microseconds', 'latency: { database: 100us }', /latency\.database: found "100us": must be milliseconds from 0\.1ms/],
    ['a delay that is a switch', 'redis: true\nlatency: { redis: true }', /^c\.yml:2: latency\.redis: found true: must be milliseconds/],
    [
      'a delay of a file',
      'database: sqlite\nlatency:\n  database: 1ms',
      /^c\.yml:3: latency\.database: found 1ms with database: sqlite; allowed with a database that has a server$/,
    ],
    [
      'services of a workflow',
      'app: a.php\nservices: { mongo: { image: mongo } }',
      /^c\.yml:2: unknown key "services"\. Allowed: app, .*\. Services belong to the job in the workflow; `env:` gives the app their addresses$/,
    ],
    ['an image of Redis that is none', 'docker: { redis-image: "a b" }', /docker\.redis-image: found "a b": must be an image name$/],
  ]
  test('never repeats a password', () => {
    for (const [, text] of ofServices) if (text.includes('secret')) assert.doesNotMatch(refusal(text), /secret/)
    assert.match(refusal('database: "mysql://u:secret word@h:1"'), /^c\.yml:1: database: found "mysql:\/\/…@h:1": must be/)
  })

  for (const [what, text, message] of [...cases, ...ofServices]) {
    test(`refuses ${what}`, () => assert.match(refusal(text), message))
  }

  test('names wrong inputs, and lines of the file with wrong values', () => {
    assert.match(refusal('', { connections: 'x' }), /^input: connections/)
    assert.match(refusal('', { alpha: 2 }), /^input: gate\.alpha/)
    assert.match(refusal('app: a.php', { workloads: ['fibonacci', '../x'] }), /^input: workloads\.1: found "\.\.\/x"/)
    assert.match(refusal('app: a.php\nenv: { alpha: [1] }', { alpha: 0.01 }), /^c\.yml:2: env\.alpha/)
  })

  test('has a JSON Schema, which is the published one', () => {
    const published = JSON.parse(readFileSync(new URL('../../../../docs/config.schema.json', import.meta.url), 'utf8'))
    assert.deepEqual(published, JSON.parse(JSON.stringify(jsonSchema())))
    assert.ok(['app', 'modes', 'gate', 'comment-key'].every((key) => key in published.properties))
  })
})
