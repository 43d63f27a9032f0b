/** Data of a measuring job, taken from its artifacts as what they are: files that a stranger may have written. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { MeasurementError } from '../system/errors.ts'
import type { Client, Repository } from './client.ts'

/** Bytes. 100,000 runs fit. */
const ZIP_LIMIT = 20 * 2 ** 20
const FILE_LIMIT = 50 * 2 ** 20
const JOBS_LIMIT = 64
const WANTED = ['samples.csv', 'run.json'] as const

export interface JobData {
  /** Path of samples.csv. */
  samples: string
  /** Content of run.json, unchecked. */
  run: string | undefined
}

/** Name of a measuring job's artifact. */
export function artifactName(key: string, job: string): string {
  return `async-php-bench-data-${key}-${job}`
}

/** Brings every job's data into directories of ours. @throws MeasurementError where they are missing, too big or no data of a job */
export async function downloadData(api: Client, repository: Repository, runId: number, key: string, directory: string): Promise<JobData[]> {
  const all = await api.paginate(api.rest.actions.listWorkflowRunArtifacts, { ...repository, run_id: runId, per_page: 100 })
  const prefix = artifactName(key, '')
  const ours = newestOfEach(all.filter(({ name, expired }) => name.startsWith(prefix) && !expired))
  if (ours.length === 0)
    throw new MeasurementError(`The measuring run ${runId} left no artifact ${prefix}…: it failed before it had measured.`)
  if (ours.length > JOBS_LIMIT)
    throw new MeasurementError(`The measuring run ${runId} has ${ours.length} artifacts, at most ${JOBS_LIMIT} are read.`)
  const jobs: JobData[] = []
  for (const [i, { id, name, size_in_bytes: size }] of ours.entries()) {
    if (size > ZIP_LIMIT) throw new MeasurementError(`The artifact ${i + 1} has ${size} bytes, at most ${ZIP_LIMIT} are read.`)
    const { data } = await api.rest.actions.downloadArtifact({ ...repository, artifact_id: id, archive_format: 'zip' })
    jobs.push(store(new Uint8Array(data as ArrayBuffer), join(directory, `data-${i + 1}`), name))
  }
  return jobs
}

/** A job that was run again left an artifact of the same name. */
function newestOfEach<T extends { id: number; name: string }>(artifacts: T[]): T[] {
  const newest = new Map<string, T>()
  for (const artifact of artifacts) if ((newest.get(artifact.name)?.id ?? 0) < artifact.id) newest.set(artifact.name, artifact)
  return [...newest.values()].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

/** Only the two files that we know, under names of ours: no path of the archive is ever used. */
export function store(zip: Uint8Array, directory: string, label = 'artifact'): JobData {
  if (zip.length > ZIP_LIMIT) throw new MeasurementError(`The ${label} has ${zip.length} bytes, at most ${ZIP_LIMIT} are read.`)
  let files: Record<string, Uint8Array>
  try {
    files = unzipSync(zip, {
      filter: ({ name, originalSize }) => (WANTED as readonly string[]).includes(name) && originalSize <= FILE_LIMIT,
    })
  } catch (error) {
    throw new MeasurementError(`An artifact of the measuring run is no ZIP archive: ${(error as Error).message}`)
  }
  const samples = files['samples.csv']
  if (!samples) throw new MeasurementError(`An artifact of the measuring run has no samples.csv of at most ${FILE_LIMIT} bytes.`)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  writeFileSync(join(directory, 'samples.csv'), samples)
  const run = files['run.json']
  return { samples: join(directory, 'samples.csv'), run: run && new TextDecoder().decode(run) }
}
