/** Docker's command line, because only it handles contexts, remote daemons and logins well. */

import { apart, inherited, online, type Surroundings } from '../../../system/environment.ts'
import { MeasurementError } from '../../../system/errors.ts'
import { type ExecOptions, exec, type Finished, printed } from '../../../system/exec.ts'
import { lastLines } from '../../../system/tail.ts'
import { which } from '../../../system/which.ts'

/** For commands that only ask or remove. Building and pulling take longer. */
const LIMIT_MS = 60_000

export interface DockerOptions extends Omit<ExecOptions, keyof Surroundings> {
  /** Variables of a container, passed by name, because every user can read command lines. */
  variables?: Record<string, string> | undefined
}

/** Runs the command. Never throws. */
export function tryDocker(args: string[], options: DockerOptions = {}): Promise<Finished> {
  return exec(command(args), { timeoutMs: LIMIT_MS, ...options, ...surroundings(options.variables) })
}

/** The client's command line. */
export function command(args: readonly string[]): string[] {
  return [which('docker') ?? 'docker', ...args]
}

/** Variables with which the client finds its daemon and logs in. */
const CLIENT = /^(DOCKER_.*|BUILDX_BUILDER|BUILDX_CONFIG|SSH_AUTH_SOCK|XDG_RUNTIME_DIR|XDG_CONFIG_HOME)$/

/** The surroundings of every docker client of ours. @param variables variables of a container, or of this command */
export function surroundings(variables: Record<string, string> = {}): Surroundings {
  const env = online({
    ...inherited(CLIENT),
    BUILDKIT_PROGRESS: 'plain',
    // Attestations contain the build's time. Each build would get a new ID, and everything on top of it would be rebuilt.
    BUILDX_NO_DEFAULT_ATTESTATIONS: '1',
    // Otherwise buildx runs git in the checkout, to name its commit.
    BUILDX_GIT_INFO: 'false',
    ...variables,
  })
  return { ...apart(), env }
}

/** @returns the trimmed output @throws MeasurementError with the command's messages */
export async function docker(args: string[], options: DockerOptions = {}): Promise<string> {
  const done = await tryDocker(args, options)
  if (done.code === 0) return done.stdout.trim()
  throw new MeasurementError(`docker ${args[0]}: ${lastLines(printed(done))}`)
}

/** `-e` flags for variables. Those of the client itself are passed by value, because it needs its own. */
export function environmentFlags(variables: Record<string, string>): { flags: string[]; variables: Record<string, string> } {
  const isOwn = (name: string): boolean => /^(PATH|HOME|TMPDIR|LD_.*|DOCKER_.*|SSH_.*|BUILDKIT_.*|[A-Za-z]+_PROXY|[a-z]+_proxy)$/.test(name)
  const entries = Object.entries(variables)
  return {
    flags: entries.flatMap(([name, value]) => ['--env', isOwn(name) ? `${name}=${value}` : name]),
    variables: Object.fromEntries(entries.filter(([name]) => !isOwn(name))),
  }
}

/** A daemon, with the facts that planning containers needs. */
export interface Daemon {
  version: string
  cpus: number
  memoryBytes: number
  kernel: string
  arch: string
  os: string
  storage: string
  cgroup: string
  /** The host of a remote daemon. Undefined means this machine, as far as the address tells. */
  host: string | undefined
}

/** The daemon that the command line uses, or the reason why there is none. */
export async function findDaemon(): Promise<Daemon | string> {
  if (!which('docker')) return 'docker is not on the PATH'
  const done = await tryDocker(['info', '--format', '{{json .}}'])
  // The client prints its own facts and succeeds even if no daemon answers.
  const info = done.stdout.trim().startsWith('{') ? (JSON.parse(done.stdout) as Record<string, unknown>) : {}
  if (typeof info.ServerVersion !== 'string' || info.ServerVersion === '') {
    const errors = Array.isArray(info.ServerErrors) ? info.ServerErrors.join(' ') : done.stderr.trim().split('\n').at(-1)
    return `no Docker daemon answers: ${errors || 'no output'}`
  }
  const endpoint =
    process.env.DOCKER_HOST || (await tryDocker(['context', 'inspect', '--format', '{{.Endpoints.docker.Host}}'])).stdout.trim()
  return {
    version: info.ServerVersion,
    cpus: Number(info.NCPU),
    memoryBytes: Number(info.MemTotal),
    kernel: String(info.KernelVersion),
    arch: String(info.Architecture),
    os: String(info.OperatingSystem),
    storage: String(info.Driver),
    cgroup: `v${info.CgroupVersion ?? 1}`,
    host: await resolved(endpoint),
  }
}

/** The host in `ssh://` may be an alias of the user's ssh configuration. */
async function resolved(endpoint: string): Promise<string | undefined> {
  const host = hostOf(endpoint)
  if (host === undefined || !endpoint.startsWith('ssh://')) return host
  const settings = await exec(['ssh', '-G', host], { ...apart(), timeoutMs: 10_000 })
  return /^hostname (\S+)$/m.exec(settings.stdout)?.[1] ?? host
}

/** The machine in `tcp://host:2376` or `ssh://user@host`. Undefined for `unix://…`. Pure. */
export function hostOf(endpoint: string): string | undefined {
  const match = /^(?:tcp|ssh|https?):\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/]+)/.exec(endpoint)
  return match?.[1]
}
