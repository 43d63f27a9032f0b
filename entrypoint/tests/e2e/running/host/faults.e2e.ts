/** Faults during the measurement: never a wrong pass, always a message with advice, and no process left running. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Process, processes } from '../../../../system/process-group.ts'
import { app, config, expectFault, HOME, run } from '../../broken.ts'
import { CLI, cli, eventually, type Files, git, hasExtension, leftovers, repository } from '../../harness.ts'

const hasSwoole = await hasExtension('swoole')

afterEach(async () => assert.deepEqual(await leftovers(), []))

describe('the app', () => {
  test('answers 500 to one in a hundred, in head only', async () => {
    const result = await run({ base: app(''), head: app('if (mt_rand(1, 100) === 1) { return new Response(500); }') })
    assert.ok([1, 3].includes(result.code), result.output)
    assert.match(result.output, /Head answers with errors|expected status 200, got 500/)
  })
  test('answers 500 to one in a hundred, in both', async () => {
    const result = await run({ base: app('if (mt_rand(1, 100) === 1) { return new Response(500); }') })
    expectFault(result, 3, /error rate of base is too high|expected status 200, got 500/)
  })
})

for (const mode of ['fibers', 'swoole'] as const) {
  const skip = mode === 'swoole' && !hasSwoole ? 'php -m has no swoole' : false
  describe(`the app in ${mode}`, { skip }, () => {
    const base = (more = '', workloads = `[${HOME}]`): Files => config(more, workloads, mode)

    test('has a child of php-fpm and a worker killed in the middle', async () => {
      const directory = await repository({ base: base() })
      const args = ['run', '--workspace', directory, '--config', 'bench.yml', '--blocks', '2']
      const running = cli([...args, '--out', join(directory, 'out')])
      // In the second quad, repeatedly, so that one occurs during a slice. The master replaces it, and only few requests fail.
      const seen = new Map<number, number>()
      const killer = setInterval(() => {
        const all = isLoaded(directory) ? ownProcesses() : []
        for (const command of ['php-fpm: pool', `runtimes/${mode}/server.php`]) {
          const worker = all.find(({ pid, session }) => pid !== session && commandOf(pid).includes(command))
          if (!worker) continue
          const looks = (seen.get(worker.session) ?? 0) + 1
          seen.set(worker.session, looks)
          if (looks % 12 === 0) kill(worker.pid)
        }
      }, 200)
      const result = await running
      clearInterval(killer)
      assert.notEqual(result.code, 0, result.output)
      for (const name of ['fpm', mode]) assert.match(result.output, new RegExp(` ${name}: .*worker-lost`))
    })
    test('leaks 1 MB a request in head: regressed, with the cause in summary, report and results', async () => {
      const leaking = app('static $leak = []; $leak[] = str_repeat("x", 1 << 20);')
      const result = await run({ base: { ...base(), ...app('') }, head: leaking })
      expectFault(result, 1, new RegExp(`${mode} of head cannot serve home/low, and base can`))
      assert.match(result.output, /Head answers with errors[\s\S]*Why runs failed[\s\S]*Allowed memory size of 268435456 bytes exhausted/)
      const out = dirname(/^Report: (.+)$/m.exec(result.output)?.[1] ?? '')
      const log = readFileSync(join(out, 'logs', `block-1_home_low_head_${mode}_attempt-1.log`), 'utf8')
      const report = readFileSync(join(out, 'report.html'), 'utf8')
      for (const text of [log, report]) assert.match(text, /Allowed memory size of 268435456/)
      // No quad is complete: nothing would stand under these headings.
      assert.doesNotMatch(report, /Where the gain comes from|Analysis of variance|Latency and CPU/)
      assert.match(report, /How it was measured/)
    })
  })
}

describe('the revisions', () => {
  test('base without the benchmark, and a dirty tree: notes, even with a read-only home and in another locale', async () => {
    const directory = await repository({ base: config() })
    await git(directory, 'rm', '--quiet', 'bench/app.php')
    await git(directory, 'commit', '--quiet', '-m', 'without')
    await git(directory, 'checkout', '--quiet', 'HEAD~1', '--', 'bench/app.php')
    await git(directory, 'commit', '--quiet', '-m', 'with')
    writeFileSync(join(directory, 'bench/app.php'), '<?php syntax error')
    const env = { HOME: '/proc/1', LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' }
    const result = await cli(['run', '--workspace', directory, '--config', 'bench.yml', '--out', join(directory, 'out')], { env })
    expectFault(result, 0, /Not gated[\s\S]*1 path is changed and not committed \(bench\/app\.php\); the commit \w+ is measured without it/)
    assert.match(result.output, /base \(HEAD\^1\) has no bench\/app\.php yet/)
  })
})

describe('the machine', () => {
  test('database killed in the middle', async () => {
    const directory = await repository({ base: config('setup: [php bin/setup.php]\n') })
    writeFileSync(join(directory, 'bench.yml'), readFileSync(join(directory, 'bench.yml'), 'utf8').replace('database: none\n', ''))
    const args = ['run', '--workspace', directory, '--config', 'bench.yml', '--blocks', '2']
    const running = cli([...args, '--out', join(directory, 'out')])
    let killed = false
    const killer = setInterval(() => {
      const server = ownProcesses().find(({ pid }) => commandOf(pid).includes('mariadbd'))
      if (!killed && isLoaded(directory) && server) {
        killed = true
        process.kill(server.pid, 'SIGKILL')
      }
    }, 200)
    const result = await running
    clearInterval(killer)
    expectFault(result, 3, /The database server died \(signal SIGKILL\)/)
  })
})

describe('cancelled', () => {
  const cancelled = async (...waits: number[]): Promise<{ code: number | null; output: string; directory: string }> => {
    const directory = await repository({ base: config() })
    const args = ['run', '--workspace', directory, '--config', 'bench.yml', '--blocks', '2', '--out', join(directory, 'out')]
    const child = spawn(process.execPath, [CLI, ...args])
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    await eventually(
      () => output,
      (text) => text.includes('run 1/') || child.exitCode !== null,
      120_000,
    )
    for (const wait of waits) {
      child.kill('SIGINT')
      await sleep(wait)
    }
    return { code: await ended, output, directory }
  }
  test('once: it stops, keeps its samples and reports', async () => {
    const { code, output, directory } = await cancelled(0)
    assert.equal(code, 3, output)
    assert.match(output, /cancelled/)
    assert.ok(readFileSync(join(directory, 'out', 'samples.csv'), 'utf8').split('\n').length > 2)
    assert.match(readFileSync(join(directory, 'out', 'summary.md'), 'utf8'), /Invalid/)
    assert.equal((await git(directory, 'worktree', 'list')).split('\n').length, 1)
  })
  test('twice: it stops at once', async () => {
    const { code, output } = await cancelled(5, 0)
    assert.ok(code === 130 || code === 3, output)
  })
})

/** What this process has started, and what that has started. Other tests run beside it. */
function ownProcesses(): Process[] {
  const all = processes()
  const own = new Set([process.pid])
  for (let size = 0; size !== own.size; ) {
    size = own.size
    for (const { pid, parent } of all) if (own.has(parent)) own.add(pid)
  }
  return all.filter(({ pid }) => own.has(pid))
}

/** Whether a job has made its first quad. */
function isLoaded(directory: string): boolean {
  return existsSync(join(directory, 'out', 'samples.csv'))
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
