/** How a job ends that loses itself or its daemon: cancelled, killed, without a daemon, and with one elsewhere that goes away. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { surroundings } from '../../../../engines/docker/daemon/docker.ts'
import { apart } from '../../../../system/environment.ts'
import { exec } from '../../../../system/exec.ts'
import { which } from '../../../../system/which.ts'
import { BASE, labelled, startDaemon } from '../../daemon.ts'
import { CLI, cli, eventually } from '../../harness.ts'
import { argumentsOf, bare, config, run, tidyDaemon } from '../../in-docker.ts'

const { skip, stop, root } = await tidyDaemon()

/** Waits until all arms of a quad exist, in the middle of a job. */
async function quadIsThere(host?: string): Promise<void> {
  const isArm = (line: string): boolean => /^container .*-(head|base)-/.test(line)
  await eventually(
    () => labelled(host),
    (lines) => lines.filter(isArm).length === 4,
  )
}

describe('a job of the docker engine', { skip }, () => {
  for (const [name, signal] of [
    ['cancelled', 'SIGTERM'],
    ['killed', 'SIGKILL'],
  ] as const) {
    test(`leaves nothing if it is ${name}`, async () => {
      const directory = await bare(config('database: none\n'))
      const child = spawn(process.execPath, [CLI, ...argumentsOf('run', directory)], { stdio: ['ignore', 'ignore', 'pipe'] })
      const closed = new Promise((resolve) => child.once('close', resolve))
      await new Promise<void>((resolve, reject) => {
        child.stderr.on('data', (chunk: Buffer) => chunk.toString().includes('plan: ') && resolve())
        child.once('close', () => reject(new Error('ended before its first run')))
      })
      await quadIsThere()
      child.kill(signal)
      await closed
      if (signal === 'SIGTERM') return
      assert.notDeepEqual(await labelled(), [])
      // The next start of any job removes the leftovers.
      assert.equal((await run(directory, [], 'plan')).code, 0)
    })
  }

  test('is refused without a daemon, and names the other engine', async () => {
    const directory = await bare(config())
    const refused = await cli(argumentsOf('plan', directory), { env: { DOCKER_HOST: 'unix:///nowhere.sock' } })
    assert.match(refused.output, /engine: docker: no Docker daemon answers: .*nowhere\.sock[\s\S]*engine: host/)
    assert.equal(refused.code, 3)
  })
})

/** Copies the images that a job needs from the daemon of DOCKER_HOST to another. */
async function moveImages(host: string): Promise<void> {
  const wanted = ['async-php-bench-environment', 'async-php-bench-equipped', BASE]
  const lists = await Promise.all(
    wanted.map((name) => exec(['docker', 'images', '--format', '{{.Repository}}:{{.Tag}}', name], surroundings())),
  )
  const tags = lists.flatMap(({ stdout }) => stdout.split('\n').filter(Boolean))
  const moved = await exec(['sh', '-c', `docker save ${tags.join(' ')} | docker --host ${host} load`], {
    ...surroundings(),
    timeoutMs: 300_000,
  })
  assert.equal(moved.code, 0, moved.stderr)
}

const isolated = skip || (process.getuid?.() === 0 && which('ip') && which('dockerd') ? false : 'needs root, ip and dockerd')

describe('a daemon elsewhere', { skip: isolated }, () => {
  test('serves from its own network namespace, and a job ends with an error if it goes away', async () => {
    const ip = async (...args: string[]): Promise<void> => {
      const done = await exec(['ip', ...args], apart())
      assert.equal(done.code, 0, `ip ${args.join(' ')}: ${done.stderr}`)
    }
    const space = `apb${process.pid}`
    const net = `10.213.${process.pid % 250}`
    await ip('netns', 'add', space)
    try {
      // `ip netns exec` would hide the control groups.
      await ip('link', 'add', `${space}a`, 'type', 'veth', 'peer', 'name', `${space}b`)
      await ip('link', 'set', `${space}b`, 'netns', space)
      await ip('addr', 'add', `${net}.1/24`, 'dev', `${space}a`)
      await ip('link', 'set', `${space}a`, 'up')
      await ip('netns', 'exec', space, 'ip', 'addr', 'add', `${net}.2/24`, 'dev', `${space}b`)
      await ip('netns', 'exec', space, 'ip', 'link', 'set', `${space}b`, 'up')
      await ip('netns', 'exec', space, 'ip', 'link', 'set', 'lo', 'up')
      // It has no network. Its images come from the first daemon, which makes room for them if it is the tests' own.
      if (root) await stop()
      const listen = `tcp://${net}.2:2375`
      const daemon = await startDaemon({ before: ['nsenter', `--net=/var/run/netns/${space}`], listen, root })
      assert.ok(typeof daemon !== 'string', String(daemon))
      try {
        if (!root) await moveImages(daemon.host)
        const env = { DOCKER_HOST: daemon.host }
        const directory = await bare(config('database: none\nblocks: 1\n'))
        const arguments_ = argumentsOf('run', directory)
        const { code, output } = await cli(arguments_, { env, timeoutMs: 300_000 })
        assert.equal(code, 0, output)
        const facts = JSON.parse(readFileSync(join(directory, 'out', 'run.json'), 'utf8')).facts
        assert.deepEqual([facts.docker.remote, facts.docker.reached_by], [true, 'published port'])
        assert.deepEqual(await labelled(daemon.host), [])

        const child = spawn(process.execPath, [CLI, ...arguments_, '--blocks', '6'], {
          stdio: ['ignore', 'pipe', 'pipe'],
          env: { ...process.env, ...env },
        })
        let said = ''
        const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
        child.stdout.on('data', (chunk: Buffer) => {
          said += chunk.toString()
        })
        await new Promise<void>((resolve) => {
          child.stderr.on('data', (chunk: Buffer) => {
            said += chunk.toString()
            if (said.includes('plan: ')) resolve()
          })
          child.once('close', () => resolve())
        })
        await quadIsThere(daemon.host)
        await daemon.stop()
        assert.equal(await closed, 3, said)
        assert.match(said, /Docker daemon (went away|no longer responds)/)
      } finally {
        await daemon.stop()
      }
    } finally {
      await exec(['ip', 'link', 'del', `${space}a`], apart())
      await exec(['ip', 'netns', 'del', space], apart())
    }
  })
})
