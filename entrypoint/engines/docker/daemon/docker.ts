/** Docker's command line, which alone handles contexts, remote daemons and logins well. */

import { apart, inherited, online, type Surroundings } from '../../../system/environment.ts'
import { MeasurementError } from '../../../system/errors.ts'
import { type ExecOptions, exec, type Finished, printed } from '../../../system/exec.ts'
import { lastLines } from '../../../system/tail.ts'
import { which } from '../../../system/which.ts'

/** Commands that only ask or remove; building and pulling get longer. */
const LIMIT_MS = 60_000

export interface DockerOptions extends Omit<ExecOptions, keyof Surroundings> {
  /** Variables of a container, given by name on the command line: command lines can be read by every user. */
  variables?: Record<string, string> | undefined
}

/** Runs it; never throws. */
export function tryDocker(args: string[], options: DockerOptions = {}): Promise<Finished> {
  return exec(command(args), { timeoutMs: LIMIT_MS, ...options, ...surroundings(options.variables) })
}

/** The command line of the client. */
export function command(args: readonly string[]): string[] {
  return [which('docker') ?? 'docker', ...args]
}

/** How the client finds its daemon and logs in. */
const CLIENT = /^(DOCKER_.*|BUILDX_BUILDER|BUILDX_CONFIG|SSH_AUTH_SOCK|XDG_RUNTIME_DIR|XDG_CONFIG_HOME)$/

/** Where every docker client of ours runs. @param variables of a container, or of this command */
export function surroundings(variables: Record<string, string> = {}): Surroundings {
  const env = online({
    ...inherited(CLIENT),
    BUILDKIT_PROGRESS: 'plain',
    // Attestations contain the time of a build. Each build would get a new ID, and everything on top of it would be rebuilt.
    BUILDX_NO_DEFAULT_ATTESTATIONS: '1',
    // Else buildx runs git in the checkout, to name its commit.
    BUILDX_GIT_INFO: 'false',
    ...variables,
  })
  return { ...apart(), env }
}

/** @returns what it printed, trimmed @throws MeasurementError with what it said */
export async function docker(args: string[], options: DockerOptions = {}): Promise<string> {
  const done = await tryDocker(args, options)
  if (done.code === 0) return done.stdout.trim()
  throw new MeasurementError(`docker ${args[0]}: ${lastLines(printed(done))}`)
}

/** `-e` flags for variables. The client's own few cannot be given by name: it would lose its way. */
export function environmentFlags(variables: Record<string, string>): { flags: string[]; variables: Record<string, string> } {
  const isOwn = (name: string): boolean => /^(PATH|HOME|TMPDIR|LD_.*|DOCKER_.*|SSH_.*|BUILDKIT_.*|[A-Za-z]+_PROXY|[a-z]+_proxy)$/.test(name)
  const entries = Object.entries(variables)
  return {
    flags: entries.flatMap(([name, value]) => ['--env', isOwn(name) ? `${name}=${value}` : name]),
    variables: Object.fromEntries(entries.filter(([name]) => !isOwn(name))),
  }
}

/** A daemon, as the plan of containers needs to know it. */
export interface Daemon {
  version: string
  cpus: number
  memoryBytes: number
  kernel: string
  arch: string
  os: string
  storage: string
  cgroup: string
  /** Where it runs: undefined is this machine, as far as its address tells. */
  host: string | undefined
}

/** The daemon that the command line speaks to, or why there is none. */
export async function findDaemon(): Promise<Daemon | string> {
  if (!which('docker')) return 'docker is not on the PATH'
  const done = await tryDocker(['info', '--format', '{{json .}}'])
  // The client prints what it knows of itself, and ends with 0, even where no daemon answers.
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

/** A host of `ssh://` may be an alias of the user's ssh configuration. */
async function resolved(endpoint: string): Promise<string | undefined> {
  const host = hostOf(endpoint)
  if (host === undefined || !endpoint.startsWith('ssh://')) return host
  const settings = await exec(['ssh', '-G', host], { ...apart(), timeoutMs: 10_000 })
  return /^hostname (\S+)$/m.exec(settings.stdout)?.[1] ?? host
}

/** The machine in `tcp://host:2376` or `ssh://user@host`; none in `unix://…`. Pure. */
export function hostOf(endpoint: string): string | undefined {
  const match = /^(?:tcp|ssh|https?):\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/]+)/.exec(endpoint)
  return match?.[1]
}
