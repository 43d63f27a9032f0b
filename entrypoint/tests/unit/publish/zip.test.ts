/** The reader of a stranger's ZIP, with archives built by hand: each is refused before anything is inflated, or costs no more than its limit. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { store } from '../../../publish/artifacts.ts'
import { type Budget, filesIn } from '../../../publish/zip.ts'
import { MeasurementError } from '../../../system/errors.ts'
import { cpuMs } from '../../cpu-time.ts'
import { archive, type Entry } from '../../e2e/archive.ts'

const samples = (text = 'job,block\n'): Entry => ({ name: 'samples.csv', data: Buffer.from(text) })

const LIMITS = { files: 1000, total: 5000 }
const budget = (): Budget => ({ file: LIMITS.files, left: LIMITS.total })
const read = (zip: Uint8Array, left = budget()): Map<string, Buffer> => filesIn(zip, ['samples.csv', 'run.json'], left)

describe('a ZIP', () => {
  test('gives the requested files, stored or deflated', () => {
    const run: Entry = { name: 'run.json', data: Buffer.from('{}'), says: { method: 0 } }
    const files = read(archive([samples(), { name: 'other.txt', data: Buffer.from('x') }, run], [], 'a comment'))
    assert.deepEqual(
      [...files].map(([name, data]) => [name, data.toString()]),
      [
        ['samples.csv', 'job,block\n'],
        ['run.json', '{}'],
      ],
    )
  })

  test('has its sizes in the directory, because a stream writes its data before it knows them', () => {
    const plain = Buffer.from(archive([samples()]))
    const local = Buffer.concat([plain.subarray(0, 30), Buffer.from('samples.csv')])
    local.writeUInt16LE(8, 6)
    local.fill(0, 14, 26)
    const dataEnd = plain.indexOf('PK\x01\x02')
    const directory = Buffer.from(plain.subarray(dataEnd, -22))
    directory.writeUInt16LE(8, 8)
    const end = Buffer.from(plain.subarray(-22))
    end.writeUInt32LE(dataEnd + 16, 16)
    const descriptor = Buffer.alloc(16)
    descriptor.write('PK\x07\x08', 0, 'latin1')
    const zip = Buffer.concat([local, plain.subarray(41, dataEnd), descriptor, directory, end])
    assert.equal(read(zip).get('samples.csv')?.toString(), 'job,block\n')
  })

  test('counts its files against the limit of all archives', () => {
    const left = budget()
    read(archive([samples('x'.repeat(900))]), left)
    assert.equal(left.left, LIMITS.total - 900)
    for (let i = 0; i < 4; i++) read(archive([samples('x'.repeat(900))]), left)
    const sixth = archive([samples('x'.repeat(900))])
    assert.throws(() => read(sixth, left), /samples\.csv declares 900 bytes, but only 500 of the limit for all files are left/)
  })

  test('may have the logs of failed runs, too', () => {
    const logs = Array.from({ length: 60 }, (_, i) => ({ name: `logs/block-${i}.log`, data: Buffer.from('x') }))
    assert.equal(
      read(archive([samples(), ...logs]))
        .get('samples.csv')
        ?.toString(),
      'job,block\n',
    )
  })

  const zeros = Buffer.alloc(2 ** 24)
  const refused: [string, () => Uint8Array, RegExp][] = [
    ['no ZIP', () => Buffer.from('<html>'.repeat(100)), /no end record/],
    ['nothing', () => new Uint8Array(), /no end record/],
    ['the end of a ZIP alone', () => archive([]).slice(-21), /no end record/],
    ['a name twice', () => archive([samples('a'), samples('b')]), /samples\.csv occurs twice/],
    [
      'forty names over one stream',
      () => archive(Array.from({ length: 16 }, (_, i) => ({ ...samples(), isGhost: i > 0, says: { offset: 0 } }))),
      /samples\.csv occurs twice/,
    ],
    [
      'two names over one stream',
      () => archive([samples(), { name: 'run.json', data: samples().data, isGhost: true, says: { offset: 0 } }]),
      /run\.json has another name/,
    ],
    [
      'streams that overlap',
      () => {
        const inner = samples('x'.repeat(100))
        const outer = Buffer.concat([archive([{ ...inner }]).subarray(0, 60)])
        return archive([
          { name: 'run.json', data: outer, says: { method: 0 } },
          { ...inner, isGhost: true, says: { offset: 38 } },
        ])
      },
      /overlap/,
    ],
    [
      'more entries than are read',
      () => archive(Array.from({ length: 1025 }, (_, i) => ({ name: `f${i}`, data: Buffer.from('x') }))),
      /1025 entries, at most 1024/,
    ],
    [
      '65,535 entries',
      () =>
        archive(
          [samples()],
          [
            [8, 2, 65_535],
            [10, 2, 65_535],
          ],
        ),
      /ZIP64/,
    ],
    ['a directory beyond 4 GiB', () => archive([samples()], [[16, 4, 0xffffffff]]), /ZIP64/],
    ['a size beyond 4 GiB', () => archive([{ ...samples(), says: { size: 0xffffffff } }]), /ZIP64/],
    ['a directory behind the end', () => archive([samples()], [[16, 4, 0x7fffffff]]), /directory/],
    [
      'fewer entries than it counts',
      () =>
        archive(
          [samples()],
          [
            [8, 2, 2],
            [10, 2, 2],
          ],
        ),
      /directory/,
    ],
    [
      'more entries than it counts',
      () =>
        archive(
          [samples(), { name: 'x', data: zeros.subarray(0, 9) }],
          [
            [8, 2, 1],
            [10, 2, 1],
          ],
        ),
      /directory/,
    ],
    ['several disks', () => archive([samples()], [[4, 2, 1]]), /several disks/],
    ['an encrypted entry', () => archive([{ ...samples(), says: { flags: 1 } }]), /samples\.csv is encrypted/],
    ['an encrypted directory', () => archive([{ ...samples(), says: { flags: 1 << 13 } }]), /samples\.csv is encrypted/],
    ['another compression', () => archive([{ ...samples(), says: { method: 12 } }]), /samples\.csv.* method 12/],
    ['a start behind the end', () => archive([{ ...samples(), says: { offset: 0x7fffffff } }]), /samples\.csv.* header/],
    ['a start inside the data', () => archive([{ ...samples(), says: { offset: 5 } }]), /samples\.csv.* header/],
    ['an end behind the end', () => archive([{ ...samples(), says: { compressed: 5000 } }]), /samples\.csv reaches into the directory/],
    ['another name at the data', () => archive([{ ...samples(), says: { localName: 'samplesXcsv' } }]), /another name/],
    [
      'a file that is too big and says so',
      () => archive([{ name: 'samples.csv', data: zeros }]),
      /samples\.csv declares 16777216 bytes, at most 1000/,
    ],
    [
      'a file that is bigger than it says',
      () => archive([{ name: 'samples.csv', data: zeros, says: { size: 10 } }]),
      /samples\.csv .*more than the declared 10 bytes/,
    ],
    [
      'a file that is smaller than it says',
      () => archive([{ ...samples(), says: { size: 11 } }]),
      /samples\.csv has 10 bytes, but declares 11/,
    ],
    [
      'a stored file whose sizes differ',
      () => archive([{ ...samples(), says: { method: 0, size: 11 } }]),
      /samples\.csv has 10 bytes, but declares 11/,
    ],
    [
      'a stream that is none',
      () => {
        const zip = Buffer.from(archive([samples()]))
        zip.fill(0xff, 41, 48)
        return zip
      },
      /samples\.csv cannot be inflated/,
    ],
  ]
  for (const [name, make, message] of refused)
    test(`with ${name} is refused`, () => {
      const zip = make()
      const isRefusal = (error: unknown): boolean => error instanceof MeasurementError && message.test(error.message)
      const took = cpuMs(() => assert.throws(() => read(zip), isRefusal))
      assert.ok(took < 250, `${took} ms`)
    })

  test('with a wrong byte anywhere is refused, or gives only the requested files', () => {
    const zip = archive([samples(), { name: 'run.json', data: Buffer.from('{"a":1}') }])
    for (let at = 0; at < zip.length; at++)
      for (const value of [0, 1, 0x7f, 0xff]) {
        const broken = Buffer.from(zip)
        broken[at] = value
        try {
          for (const [name, data] of read(broken)) assert.ok(['samples.csv', 'run.json'].includes(name) && data.length <= LIMITS.files)
        } catch (error) {
          assert.ok(error instanceof MeasurementError, `byte ${at} as ${value}: ${error}`)
        }
      }
    for (let length = 0; length < zip.length; length++) assert.throws(() => read(zip.slice(0, length)), MeasurementError)
  })
})

describe('the data of a job', () => {
  const root = mkdtempSync(join(tmpdir(), 'zip-'))
  after(() => rmSync(root, { recursive: true }))

  test('is stored under our own names, whatever the archive calls its files', () => {
    const outside = ['../samples.csv', '/tmp/samples.csv', 'samples.csv\0.php', 'SAMPLES.CSV', './samples.csv', '__proto__', 'constructor']
    const directory = join(root, 'data-1')
    const zip = archive([...outside.map((name) => ({ name, data: Buffer.from('x') })), samples()])
    assert.deepEqual(store(zip, directory), { samples: join(directory, 'samples.csv'), counts: undefined, run: undefined })
    assert.equal(readFileSync(join(directory, 'samples.csv'), 'utf8'), 'job,block\n')
    const without = archive(outside.map((name) => ({ name, data: Buffer.from('x') })))
    assert.throws(() => store(without, join(root, 'data-2')), /no samples\.csv/)
    assert.ok(!existsSync(join(root, 'data-2')))
  })
})
