/** How CPUs are divided, and when the machine was disturbed. */
import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { describe, test } from 'node:test'
import {
  allowedCpus,
  busyShare,
  cpuSets,
  describeSets,
  isOffMedian,
  type Machine,
  Patience,
  parseCpuList,
  pinned,
  stolenShare,
} from '../../../system/machine.ts'

describe('the machine', () => {
  test('separates app, database and hey if it has four CPUs or more', () => {
    const both = { database: true, load: true }
    const first = (count: number) => [...Array(count).keys()]
    assert.deepEqual(cpuSets(first(1), both), { appCpus: 1 })
    assert.deepEqual(cpuSets(first(2), both), { appCpus: 2 })
    assert.deepEqual(cpuSets(first(3), both), { appCpus: 3 })
    assert.deepEqual(cpuSets(first(4), both), { appCpus: 2, app: '0,1', database: '2', load: '3' })
    assert.deepEqual(cpuSets(first(4), { database: false, load: true }), { appCpus: 3, app: '0,1,2', load: '3' })
    assert.deepEqual(cpuSets(first(4), { database: true, load: false }), { appCpus: 3, app: '0,1,2', database: '3' })
    assert.deepEqual(cpuSets(first(8), both), { appCpus: 5, app: '0,1,2,3,4', database: '5,6', load: '7' })
    assert.deepEqual(cpuSets(first(16), both), {
      appCpus: 10,
      app: '0,1,2,3,4,5,6,7,8,9',
      database: '10,11,12,13,14',
      load: '15',
    })
    assert.deepEqual(describeSets({ appCpus: 2 }), { app: 'all', database: 'all', load: 'all' })
  })
  test('gives each CPU to one part, and the app at least as many as the database', () => {
    for (const count of [1, 2, 4, 8, 16]) {
      for (const database of [true, false]) {
        for (const load of [true, false]) {
          const ids = [...Array(count).keys()].map((id) => 2 * id + 1)
          const sets = cpuSets(ids, { database, load })
          const parts = [sets.app, sets.database, sets.load].map((set) => set?.split(',').map(Number) ?? [])
          if (count < 4) assert.deepEqual(sets, { appCpus: count })
          else assert.deepEqual(parts.flat(), ids)
          assert.equal(sets.appCpus, count < 4 ? count : parts[0]?.length)
          assert.ok(sets.appCpus >= (parts[1]?.length ?? 0))
        }
      }
    }
  })
  test('has only the CPUs that the runner may use', () => {
    assert.deepEqual(parseCpuList('0-2,5'), [0, 1, 2, 5])
    assert.deepEqual(parseCpuList('7'), [7])
    assert.equal(allowedCpus().length, availableParallelism())
    assert.deepEqual(cpuSets([2, 3, 8, 9], { database: true, load: true }), { appCpus: 2, app: '2,3', database: '8', load: '9' })
  })
  test('binds a command to its CPUs', () => {
    assert.deepEqual(pinned(['hey'], '3'), ['taskset', '-c', '3', 'hey'])
  })
  test('is waited for with less patience after a wait in vain, until it was idle again', async () => {
    let [isBusy, ticks, asked] = [true, 0, 0]
    const machine: Machine = {
      description: {},
      stat: async () => {
        asked++
        ticks += 100
        return isBusy ? `cpu ${ticks} 0 0 0 0 0 0 0\n` : `cpu 0 0 0 ${ticks} 0 0 0 0\n`
      },
      probeMs: async () => 100,
    }
    const patience = new Patience(0)
    const waits: [boolean, number][] = []
    for (isBusy of [true, true, true, true, false, true]) {
      asked = 0
      waits.push([await patience.untilIdle(machine), asked / 2])
    }
    assert.deepEqual(waits, [
      [false, 17],
      [false, 4],
      [false, 1],
      [false, 1],
      [true, 1],
      [false, 17],
    ])
  })
  test('knows the share that a hypervisor gave to others', () => {
    const before = 'cpu  100 0 50 800 10 0 5 35 7 0\ncpu0 1 2 3\n'
    assert.equal(stolenShare(before, 'cpu  150 0 60 820 10 0 5 55 9 0\n'), 0.2)
    assert.equal(stolenShare(before, before), 0)
  })
  test('knows the share that anything used', () => {
    const before = 'cpu  100 0 50 800 10 0 5 35 7 0\n'
    const after = 'cpu  150 0 60 820 10 0 5 55 9 0\n'
    assert.equal(busyShare([{ before, after }]), 0.8)
    assert.equal(
      busyShare([
        { before, after },
        { before: after, after: 'cpu  150 0 60 920 10 0 5 55 9 0\n' },
      ]),
      0.4,
    )
    assert.equal(busyShare([{ before, after: before }]), undefined)
  })
  test('was disturbed if the probe is far from the median, never with few probes', () => {
    assert.ok(!isOffMedian(500, [100, 100]))
    assert.ok(isOffMedian(130, [100, 101, 99, 100, 100]))
    assert.ok(!isOffMedian(120, [100, 101, 99, 100, 100]))
  })
})
