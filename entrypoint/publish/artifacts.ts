/** Data of the measuring jobs, from their artifacts. A stranger may have written these files. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COUNTS, RUN, SAMPLES } from '../measure/run-record.ts'
import { MeasurementError } from '../system/errors.ts'
import type { Client, Repository } from './client.ts'
import { type Budget, filesIn } from './zip.ts'

/** Limits in bytes: an archive, a file in it, all files of a measurement. A job of six hours has fewer than 10,000 runs of at most 1.5 KB. */
const ZIP_LIMIT = 20 * 2 ** 20
const FILE_LIMIT = 16 * 2 ** 20
const FILES_LIMIT = 100 * 2 ** 20
const JOBS_LIMIT = 64
const WANTED = [SAMPLES, COUNTS, RUN] as const

export interface JobData {
  /** The end of the artifact's name. */
  job: string
  /** Path of samples.csv. */
  samples: string
  /** Content of instructions.csv. R reads the file beside samples.csv. */
  counts: string | undefined
  /** Content of run.json, unchecked. */
  run: string | undefined
}

/** Name of a measuring job's artifact. Neither part may have a "+", so no key is the beginning of another one's. */
export function artifactName(key: string, job: string): string {
  return `async-php-bench-data-${key}+${job}`
}

/** Stores every job's data in directories of its own. @throws MeasurementError if the data are missing, too big or malformed */
export async function downloadData(api: Client, repository: Repository, runId: number, key: string, directory: string): Promise<JobData[]> {
  const all = await api.paginate(api.rest.actions.listWorkflowRunArtifacts, { ...repository, run_id: runId, per_page: 100 })
  const prefix = artifactName(key, '')
  const ours = newestOfEach(all.filter(({ name, expired }) => name.startsWith(prefix) && !expired))
  if (ours.length === 0)
    throw new MeasurementError(`The measuring run ${runId} left no artifact ${prefix}…: it failed before it measured anything.`)
  if (ours.length > JOBS_LIMIT)
    throw new MeasurementError(`The measuring run ${runId} has ${ours.length} artifacts, at most ${JOBS_LIMIT} are read.`)
  const jobs: JobData[] = []
  const budget = newBudget()
  for (const [i, { id, name, size_in_bytes: size }] of ours.entries()) {
    refuseBig(i, size)
    const { data } = await api.rest.actions.downloadArtifact({ ...repository, artifact_id: id, archive_format: 'zip' })
    const zip = new Uint8Array(data as ArrayBuffer)
    refuseBig(i, zip.length)
    jobs.push({ job: name.slice(prefix.length), ...store(zip, join(directory, `data-${i + 1}`), budget) })
  }
  return jobs
}

function refuseBig(index: number, bytes: number): void {
  if (bytes > ZIP_LIMIT) throw new MeasurementError(`The artifact ${index + 1} has ${bytes} bytes, at most ${ZIP_LIMIT} are read.`)
}

/** Keeps the newest artifact of each name: a job that was run again left several. */
function newestOfEach<T extends { id: number; name: string }>(artifacts: T[]): T[] {
  const newest = new Map<string, T>()
  for (const artifact of artifacts) if ((newest.get(artifact.name)?.id ?? 0) < artifact.id) newest.set(artifact.name, artifact)
  return [...newest.values()].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

/** Stores only the known files, under fixed names: no path of the archive is ever used. */
export function store(zip: Uint8Array, directory: string, budget: Budget = newBudget()): Omit<JobData, 'job'> {
  const files = filesIn(zip, WANTED, budget)
  const samples = files.get(SAMPLES)
  const counts = files.get(COUNTS)
  if (!samples) throw new MeasurementError('An artifact of the measuring run has no samples.csv.')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  writeFileSync(join(directory, SAMPLES), samples)
  if (counts) writeFileSync(join(directory, COUNTS), counts)
  return { samples: join(directory, SAMPLES), counts: counts?.toString(), run: files.get(RUN)?.toString() }
}

function newBudget(): Budget {
  return { file: FILE_LIMIT, left: FILES_LIMIT }
}
