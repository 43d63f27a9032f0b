/** CPU limits of control groups, from files as the kernel shows them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cpuLimit } from '../../../system/cpu-limit.ts'
import { cpuSets } from '../../../system/machine.ts'

const limitBy = (files: Record<string, string>): number | undefined => cpuLimit((path) => files[path])
const V2 = '0::/system.slice/runner.service\n'
const SLICE = '/sys/fs/cgroup/system.slice'

describe('control groups of version 2', () => {
  const of = (own: string, parent = 'max 100000\n'): number | undefined =>
    limitBy({ '/proc/self/cgroup': V2, [`${SLICE}/runner.service/cpu.max`]: own, [`${SLICE}/cpu.max`]: parent })

  test('without a quota set no limit', () => assert.equal(of('max 100000\n'), undefined))
  test('set that of the quota', () => assert.equal(of('400000 100000\n'), 4))
  test('set that of a group above, if it is smaller', () => assert.equal(of('400000 100000\n', '100000 50000\n'), 2))
  test('count whole CPUs, and one at least', () => {
    assert.equal(of('350000 100000\n'), 3)
    assert.equal(of('50000 100000\n'), 1)
  })
  test('of a container, which shows its own group as the root', () => {
    assert.equal(limitBy({ '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '200000 100000\n' }), 2)
  })
})

describe('control groups of version 1', () => {
  const of = (quota: string, mount = 'cpu'): number | undefined =>
    limitBy({
      '/proc/self/cgroup': '5:cpuset:/\n4:cpu,cpuacct:/docker/abc\n1:name=systemd:/docker/abc\n0::/\n',
      [`/sys/fs/cgroup/${mount}/docker/abc/cpu.cfs_quota_us`]: quota,
      [`/sys/fs/cgroup/${mount}/docker/abc/cpu.cfs_period_us`]: '100000\n',
      [`/sys/fs/cgroup/${mount}/cpu.cfs_quota_us`]: '-1\n',
      [`/sys/fs/cgroup/${mount}/cpu.cfs_period_us`]: '100000\n',
    })

  test('without a quota set no limit', () => assert.equal(of('-1\n'), undefined))
  test('set that of the quota, by either name of the mount', () => {
    assert.equal(of('200000\n'), 2)
    assert.equal(of('800000\n', 'cpu,cpuacct'), 8)
  })
  test('of a container, whose group is mounted as the root', () => {
    const files = { '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '300000\n', '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n' }
    assert.equal(limitBy({ '/proc/self/cgroup': '4:cpu,cpuacct:/docker/abc\n', ...files }), 3)
  })
})

describe('no control groups', () => {
  test('set no limit', () => {
    assert.equal(limitBy({}), undefined)
    assert.equal(limitBy({ '/proc/self/cgroup': 'nonsense\n0::\n' }), undefined)
  })
})

/** A limit acts as if the machine had fewer CPUs. */
test('a machine of 8 CPUs whose job has the time of 4 is divided like one of 4', () => {
  const ids = [...Array(8).keys()].slice(0, limitBy({ '/proc/self/cgroup': V2, [`${SLICE}/cpu.max`]: '400000 100000\n' }))
  assert.deepEqual(cpuSets(ids, { database: true, load: true }), { appCpus: 2, app: '0,1', database: '2', load: '3' })
})
