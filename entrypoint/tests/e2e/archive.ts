/** ZIP archives built by hand, as no program would write them. */
import { deflateRawSync } from 'node:zlib'

export interface Entry {
  name: string
  data: Buffer
  /** The archive's own statements about it, if they differ from the truth. */
  says?: { size?: number; compressed?: number; method?: number; flags?: number; offset?: number; localName?: string }
  /** It has no data, only its header in the directory. */
  isGhost?: boolean
}

/** An archive of deflated entries. @param end changes of the end record: [offset in it, bytes, value] */
export function archive(entries: readonly Entry[], end: [number, 2 | 4, number][] = [], comment = ''): Uint8Array {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, data, says = {}, isGhost = false } of entries) {
    const body = says.method === 0 ? data : deflateRawSync(data)
    const fields = (buffer: Buffer, from: number): void => {
      buffer.writeUInt16LE(says.flags ?? 0, from)
      buffer.writeUInt16LE(says.method ?? 8, from + 2)
      buffer.writeUInt32LE(says.compressed ?? body.length, from + 12)
      buffer.writeUInt32LE(says.size ?? data.length, from + 16)
    }
    const localName = Buffer.from(says.localName ?? name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    fields(local, 6)
    local.writeUInt16LE(localName.length, 26)
    const header = Buffer.alloc(46)
    header.writeUInt32LE(0x02014b50, 0)
    fields(header, 8)
    header.writeUInt16LE(Buffer.byteLength(name), 28)
    header.writeUInt32LE(says.offset ?? at, 42)
    directory.push(header, Buffer.from(name))
    if (isGhost) continue
    bodies.push(local, localName, body)
    at += local.length + localName.length + body.length
  }
  const central = Buffer.concat(directory)
  const last = Buffer.alloc(22)
  last.writeUInt32LE(0x06054b50, 0)
  last.writeUInt16LE(entries.length, 8)
  last.writeUInt16LE(entries.length, 10)
  last.writeUInt32LE(central.length, 12)
  last.writeUInt32LE(at, 16)
  last.writeUInt16LE(comment.length, 20)
  for (const [offset, bytes, value] of end) bytes === 2 ? last.writeUInt16LE(value, offset) : last.writeUInt32LE(value, offset)
  return Buffer.concat([...bodies, central, last, Buffer.from(comment)])
}
