/** Reads known files from a ZIP that a stranger may have made. Everything in its directory is checked before any file is inflated. Pure. */
import { inflateRawSync } from 'node:zlib'
import { MeasurementError } from '../system/errors.ts'

/** Limits of the inflated size, in bytes. */
export interface Budget {
  /** The limit of one file. */
  file: number
  /** The limit of all remaining files, reduced with each file that is read. */
  left: number
}

/** An entry of the directory. */
interface Entry {
  name: string
  flags: number
  method: number
  /** Bytes in the archive (compressed) and inflated (size). */
  compressed: number
  size: number
  /** Where its local header begins. */
  offset: number
}

/** An artifact has three files, and one log per failed run. */
const ENTRIES_LIMIT = 1024

/** Layout: APPNOTE.TXT of PKWARE, 4.3. */
const END = { signature: 0x06054b50, length: 22 }
const HEADER = { signature: 0x02014b50, length: 46 }
const LOCAL = { signature: 0x04034b50, length: 30 }
const COMMENT_LIMIT = 0xffff
/** Values that mark a number which only ZIP64 can hold. */
const MORE_16 = 0xffff
const MORE_32 = 0xffffffff
const STORED = 0
const DEFLATED = 8
/** Flags of an encrypted entry, of strong encryption, and of an encrypted directory. */
const ENCRYPTED = 1 | (1 << 6) | (1 << 13)

function refuse(why: string): never {
  throw new MeasurementError(`An artifact of the measuring run is not a readable ZIP archive: ${why}`)
}

/** @returns the wanted files that exist @throws MeasurementError if the archive is broken, contradicts itself or holds too much */
export function filesIn(zip: Uint8Array, wanted: readonly string[], budget: Budget): Map<string, Buffer> {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength)
  const { entries, directory } = entriesOf(bytes)
  const names = entries.map(({ name }) => name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) refuse(`${JSON.stringify(twice).slice(1, 81).replace(/"$/, '')} occurs twice`)
  const ours = entries.filter(({ name }) => wanted.includes(name))
  const streams = streamsOf(bytes, ours, directory)
  for (const entry of ours) {
    if (entry.size > budget.file) refuse(`${entry.name} declares ${entry.size} bytes, at most ${budget.file} are read`)
    if (entry.size > budget.left)
      refuse(`${entry.name} declares ${entry.size} bytes, but only ${budget.left} of the limit for all files are left`)
    budget.left -= entry.size
  }
  return new Map(ours.map((entry, i) => [entry.name, contentOf(entry, streams[i] as Buffer)]))
}

/** The entries of the directory, and its offset. */
function entriesOf(bytes: Buffer): { entries: Entry[]; directory: number } {
  const end = endOf(bytes)
  const [disk, firstDisk, here, count] = [4, 6, 8, 10].map((at) => bytes.readUInt16LE(end + at)) as [number, number, number, number]
  const [length, directory] = [12, 16].map((at) => bytes.readUInt32LE(end + at)) as [number, number]
  if (count === MORE_16 || length === MORE_32 || directory === MORE_32) refuse('ZIP64 is not read')
  if (disk || firstDisk || here !== count) refuse('it has several disks')
  if (count > ENTRIES_LIMIT) refuse(`${count} entries, at most ${ENTRIES_LIMIT} are read`)
  if (directory + length !== end) refuse('its directory does not end at its end record')
  const entries: Entry[] = []
  let at = directory
  for (let i = 0; i < count; i++) {
    if (at + HEADER.length > end || bytes.readUInt32LE(at) !== HEADER.signature) refuse(`entry ${i + 1} of its directory is missing`)
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field)) as [number, number, number]
    const next = at + HEADER.length + nameLength + extra + comment
    if (next > end) refuse(`entry ${i + 1} of its directory is truncated`)
    entries.push({
      name: bytes.toString('utf8', at + HEADER.length, at + HEADER.length + nameLength),
      flags: bytes.readUInt16LE(at + 8),
      method: bytes.readUInt16LE(at + 10),
      compressed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    })
    at = next
  }
  if (at !== end) refuse(`its directory has more than the declared ${count} entries`)
  return { entries, directory }
}

/** Offset of the end record, whose comment must end the archive. */
function endOf(bytes: Buffer): number {
  for (let at = bytes.length - END.length; at >= 0 && at >= bytes.length - END.length - COMMENT_LIMIT; at--) {
    if (bytes.readUInt32LE(at) === END.signature && at + END.length + bytes.readUInt16LE(at + 20) === bytes.length) return at
  }
  return refuse('it has no end record')
}

/** The compressed bytes of each entry, which must lie before the directory and must not overlap. */
function streamsOf(bytes: Buffer, entries: readonly Entry[], directory: number): Buffer[] {
  const taken: { from: number; to: number }[] = []
  return entries.map(({ name, flags, method, compressed, size, offset }) => {
    if (compressed === MORE_32 || size === MORE_32 || offset === MORE_32) refuse('ZIP64 is not read')
    if (flags & ENCRYPTED) refuse(`${name} is encrypted`)
    if (method !== STORED && method !== DEFLATED) refuse(`${name} is compressed with method ${method}, which is not read`)
    if (offset + LOCAL.length > directory || bytes.readUInt32LE(offset) !== LOCAL.signature) refuse(`${name} has no local header`)
    const nameEnd = offset + LOCAL.length + bytes.readUInt16LE(offset + 26)
    const from = nameEnd + bytes.readUInt16LE(offset + 28)
    const to = from + compressed
    if (to > directory) refuse(`${name} reaches into the directory`)
    if (bytes.toString('utf8', offset + LOCAL.length, nameEnd) !== name) refuse(`${name} has another name in its local header`)
    if (taken.some((other) => offset < other.to && other.from < to)) refuse(`the data of ${name} overlap those of another entry`)
    taken.push({ from: offset, to })
    return bytes.subarray(from, to)
  })
}

/** Inflates at most the size that the directory declares. The local header's sizes are ignored, because a stream writes them as 0. */
function contentOf({ name, method, size }: Entry, stream: Buffer): Buffer {
  const content = method === STORED ? stream : inflated(name, stream, size)
  if (content.length !== size) refuse(`${name} has ${content.length} bytes, but declares ${size}`)
  return content
}

function inflated(name: string, stream: Buffer, size: number): Buffer {
  try {
    // The option's smallest value is 1.
    return inflateRawSync(stream, { maxOutputLength: Math.max(1, size) })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') refuse(`${name} holds more than the declared ${size} bytes`)
    return refuse(`${name} cannot be inflated: ${(error as Error).message}`)
  }
}
