/** The system call of a worker, read from a line of /proc. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callOf, portOf } from '../../../checks/calls.ts'

const of = (line: string, architecture = 'x64'): string | undefined => callOf(line, (fd) => `file ${fd}`, architecture)

test('a blocking call is named, with the PHP functions that use it', () => {
  assert.equal(of('230 0x0 0x0 0x7ffd 0x0 0x0 0x0 0x7ffd 0x7f00\n'), 'clock_nanosleep() (sleep(), usleep())')
  assert.equal(of('115 0x0 0x0', 'arm64'), 'clock_nanosleep() (sleep(), usleep())')
  assert.equal(of('45 0x1a 0x7f'), 'recvfrom() of file 26')
  assert.equal(of('999 0x1'), 'system call 999')
})
test('a running process, or one whose loop waits for the next event, is in no call', () => {
  for (const line of ['running\n', '-1 0x7ffd 0x7f00\n', '', '232 0x4 0x7f', '270 0x4', '23 0x4']) assert.equal(of(line), undefined, line)
  assert.equal(of('22 0x4', 'arm64'), undefined)
})
test('the port of a connection is that of the other end', () => {
  const table =
    '  sl  local_address rem_address   st\n   0: 0100007F:A3C4 0100007F:0CEA 01 00000000:00000000 00:00000000 00000000  1000        0 12345 1\n'
  assert.equal(portOf('12345', table), ' to port 3306')
  assert.equal(portOf('999', table), '')
})
