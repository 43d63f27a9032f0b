/** What RoadRunner 2025.1 and its workers say to each other, written from its Go sources (goridge 3.8.3, pool 1.1.3, http 5.3.0). Pure. */
import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'

export const CONTROL = 0x01
const ERROR = 0x40
const PROTOBUF = 0x80
const JSON_CODEC = 0x08

export interface Frame {
  flags: number
  options: number[]
  payload: Buffer
}

export function encodeFrame({ flags, options, payload }: Frame): Buffer {
  const header = Buffer.alloc(12 + 4 * options.length)
  header.writeUInt8((1 << 4) | (3 + options.length), 0)
  header.writeUInt8(flags, 1)
  header.writeUInt32LE(payload.length, 2)
  header.writeUInt32LE(crc32(header.subarray(0, 6)), 6)
  for (const [i, option] of options.entries()) header.writeUInt32LE(option, 12 + 4 * i)
  return Buffer.concat([header, payload])
}

export function control(command: object): Buffer {
  return encodeFrame({ flags: CONTROL | JSON_CODEC, options: [], payload: Buffer.from(JSON.stringify(command)) })
}

/** The first frame of the data, and the rest. @returns undefined if it is not complete yet @throws AssertionError for anything but a frame */
export function decodeFrame(data: Buffer): { frame: Frame; rest: Buffer } | undefined {
  if (data.length < 12) return undefined
  assert.equal(data.readUInt8(0) >> 4, 1, `validation failed on the message sent to STDOUT: ${data.subarray(0, 200)}`)
  assert.equal(
    data.readUInt32LE(6),
    crc32(data.subarray(0, 6)),
    `validation failed on the message sent to STDOUT: ${data.subarray(0, 200)}`,
  )
  const begin = 4 * (data.readUInt8(0) & 0x0f)
  const end = begin + data.readUInt32LE(2)
  if (data.length < end) return undefined
  const options = Array.from({ length: begin / 4 - 3 }, (_, i) => data.readUInt32LE(12 + 4 * i))
  return { frame: { flags: data.readUInt8(1), options, payload: data.subarray(begin, end) }, rest: data.subarray(end) }
}

/** A request, in the words of http/v1/http.proto. */
export interface Received {
  remoteAddr: string
  protocol: string
  method: string
  uri: string
  header: Record<string, string[]>
  cookies: Record<string, string[]>
  rawQuery: string
}

export function requestFrame(request: Received, body: Buffer): Buffer {
  const context = Buffer.concat([
    bytes(1, request.remoteAddr),
    bytes(2, request.protocol),
    bytes(3, request.method),
    bytes(4, request.uri),
    ...mapOf(5, request.header),
    ...mapOf(6, request.cookies),
    bytes(7, request.rawQuery),
  ])
  return encodeFrame({ flags: PROTOBUF, options: [context.length], payload: Buffer.concat([context, body]) })
}

/** @throws AssertionError for a response that RoadRunner refuses */
export function responseOf({ flags, options, payload }: Frame): { status: number; headers: Record<string, string[]>; body: Buffer } {
  assert.equal(flags & ERROR, 0, payload.toString())
  assert.equal(flags & PROTOBUF, PROTOBUF, `unknown payload type: ${flags}`)
  assert.equal(options.length, 1, 'options length should be equal 1 (body offset)')
  const offset = options[0] as number
  const fields = fieldsOf(payload.subarray(0, offset))
  const status = Number(fields.find(([number]) => number === 1)?.[1])
  const entries = fields.filter(([number]) => number === 2).map(([, entry]) => fieldsOf(entry as Buffer))
  const headers = entries.map((entry) => {
    const [name, list] = [1, 2].map((wanted) => entry.find(([number]) => number === wanted)?.[1] as Buffer)
    return [String(name), fieldsOf(list as Buffer).map(([, value]) => String(value))]
  })
  return { status, headers: Object.fromEntries(headers), body: payload.subarray(offset) }
}

function mapOf(number: number, map: Record<string, string[]>): Buffer[] {
  return Object.entries(map).map(([name, values]) => {
    const list = Buffer.concat(values.map((value) => bytes(1, value)))
    return bytes(number, Buffer.concat([bytes(1, name), bytes(2, list)]))
  })
}

function bytes(number: number, value: string | Buffer): Buffer {
  const content = Buffer.from(value as string)
  return content.length === 0 ? content : Buffer.concat([varint((number << 3) | 2), varint(content.length), content])
}

function varint(value: number): Buffer {
  return value < 0x80 ? Buffer.from([value]) : Buffer.concat([Buffer.from([(value & 0x7f) | 0x80]), varint(Math.floor(value / 0x80))])
}

function fieldsOf(message: Buffer): [number, number | Buffer][] {
  const fields: [number, number | Buffer][] = []
  let at = 0
  const read = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = message.readUInt8(at++)
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }
  while (at < message.length) {
    const key = read()
    const value = read()
    assert.ok([0, 2].includes(key & 7), `wire type ${key & 7}`)
    if ((key & 7) === 0) fields.push([key >> 3, value])
    else {
      fields.push([key >> 3, message.subarray(at, at + value)])
      at += value
    }
  }
  return fields
}
