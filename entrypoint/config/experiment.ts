/** What the stages hand on to each other. Words as in the README: runtime, mode, arm, cell, quad, block, run. */
import type { Config } from './schema.ts'

export type Revision = 'base' | 'head'

/** A synchronous runtime or an asynchronous one. */
export type Kind = 'sync' | 'async'

/** Something a runtime needs on the machine; how provision finds and installs it. */
export type Need =
  | { binary: string; apt?: string | undefined; 'version-of-php'?: boolean | undefined }
  | { extension: string; apt?: string | undefined; pecl?: PeclPackage | undefined }
  | { composer: string; directory: string }

/** A package of PECL, built where no other package has its extension. */
export interface PeclPackage {
  package: string
  /** Options of configure, by the extension that PHP must have for it, with the Debian package of its headers. */
  with: Record<string, { option: string; apt?: string | undefined }>
}

/** A folder under runtimes/, read. */
export interface Runtime {
  name: string
  kind: Kind
  description: string
  directory: string
  /** How many worker processes: one a CPU, or one a connection. */
  workers: 'cpus' | 'connections'
  /** Several requests at a time in one process. */
  concurrent: boolean
  /** The app stays in memory between requests, which is a gain by itself. */
  stateful: boolean
  /** Waiting in ordinary PHP calls must overlap; preflight proves it. */
  overlapsWaiting: boolean
  /** Sentences for the report: what this runtime cannot do. */
  limits: string[]
  needs: Need[]
  templates: string[]
  /** Path whose JSON answer is recorded after each run: the server's own counters. */
  status?: string | undefined
  /** Regular expressions of what its log says in every run: left out where the log's end is shown. `^` and `$` are those of a line. */
  noise: string[]
  processes: { command: string[]; socket?: string | undefined }[]
}

/** A runtime in the experiment, or a command of the user's. */
export type Mode =
  | { name: string; kind: Kind; via: 'runtime'; runtime: Runtime }
  | { name: string; kind: Kind; via: 'command'; command: string; health: string }

export interface Expectation {
  status: number
  contains?: string | undefined
}

export interface Workload {
  name: string
  /** Path and query. `{id}`, here, in headers and in the body, stands for an identity: preflight sends distinct ones, hey the first. */
  path: string
  method: string
  headers: Record<string, string>
  body?: string | undefined
  /** What `{id}` stands for; absent: the numbers from 1. */
  ids?: string[] | undefined
  expect: Expectation
  /** Regular expressions of what may differ between answers. */
  mask: string[]
  builtIn?: BuiltIn | undefined
}

/** The folder of a built-in workload. */
export interface BuiltIn {
  directory: string
  description: string
  database: boolean
  schema?: string | undefined
  /** Statements a successful request makes; preflight counts them on the server. */
  statements?: Record<string, number> | undefined
}

export interface Load {
  name: string
  /** Connections that hey keeps open. */
  concurrency: number
}

export interface Cell {
  /** As head defines it. */
  workload: Workload
  /** As base defines it, where that differs: each revision is asked for its own. */
  inBase?: Workload | undefined
  load: Load
}

/** What an arm of a cell is asked for. */
export function workloadFor(cell: Cell, revision: Revision): Workload {
  return (revision === 'base' && cell.inBase) || cell.workload
}

export interface Arm {
  revision: Revision
  mode: Mode
}

/** How long one run of a cell takes. */
export interface Timing {
  warmupS: number
  windowS: number
  /** Into how many slices the window is cut, taken in turns with the other arms of the quad. 1: one arm after the other. */
  slices: number
  /** Before each slice, and after it until the other arm's: what is in flight is answered. */
  guardS: number
}

export interface PlannedQuad {
  cell: Cell
  timing: Timing
  /** The arms in the order in which they run. */
  arms: Arm[]
}

export interface PlannedBlock {
  block: number
  quads: PlannedQuad[]
}

export interface Plan {
  seed: number
  job: string
  blocks: PlannedBlock[]
  looks: 1 | 2
  /** Block counts after which the data are looked at. */
  lookAt: number[]
  runs: number
  predictedSeconds: number
  /** Cells that only report, and for which the budget had no room. */
  leftOut: Cell[]
}

/** A checked-out revision. */
export interface Checkout {
  revision: Revision
  directory: string
  commit: string
  label: string
}

export interface Revisions {
  head: Checkout
  /** Absent where there is nothing to compare with; the reason says why. */
  base?: Checkout | undefined
  withoutBase?: string | undefined
}

/** One line of samples.csv. Null is a column that was not measured. */
export interface Sample {
  job: string
  block: number
  position: number
  workload: string
  load: string
  concurrency: number
  revision: Revision
  mode: string
  started_at: string
  duration_s: number
  requests: number
  succeeded: number
  failed: number
  goodput_rps: number
  p50_ms: number | null
  p95_ms: number | null
  p99_ms: number | null
  max_ms: number | null
  cpu_us_per_request: number | null
  peak_memory_mib: number | null
  memory_growth_kib_per_1k: number | null
  half_ratio: number | null
  attempt: number
}

export type Verdict = 'pass' | 'regressed' | 'inconclusive' | 'not-gated' | 'invalid'

export interface CellResult {
  workload: string
  load: string
  gain_base: number | null
  gain_head: number | null
  change: number | null
  change_low: number | null
  change_high: number | null
  p_fail: number | null
  p_pass: number | null
  mde90: number | null
  verdict: string
}

/** The part of analysis.json that TypeScript reads; R writes more. */
export interface Analysis {
  schema: 1
  verdict: Verdict
  reasons: string[]
  cells: CellResult[]
  pooled: {
    change: number | null
    change_low: number | null
    change_high: number | null
    p_fail: number | null
    mde90: number | null
  }
  blocks: number
  looks: number
}

/** What one verb works with: the validated configuration and where it runs. */
export interface Inputs {
  config: Config
  /** Where the configuration stands, for messages. */
  source: string
  /** The repository under test. */
  workspace: string
  /** Where results go. */
  out: string
  quick: boolean
  /** Modes of one revision compared, without a gate. */
  study: boolean
  seed: number
  job: string
  yes: boolean
  token: string
  /** Keys given outside the file, which win over it. */
  overrides: Record<string, unknown>
}
