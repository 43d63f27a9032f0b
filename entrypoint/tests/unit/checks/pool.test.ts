/** What too many connections do: errors, connections of the database, and what is left afterwards. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countedIn, crowded, lastingPeak, type Window } from '../../../checks/pool.ts'

const window = (answered: number, failed: Window['failed'] = {}, more: Partial<Window> = {}): Window => ({
  ...{ seconds: 1, answered, failed, ...more },
})
const usual = window(1000)

test('more connections than instances that are all answered have held', () => {
  assert.deepEqual(crowded([usual, window(1100), window(900)], 16), {
    state: 'held',
    sentence: '64 connections for 16 instances: no errors; it serves as before afterwards',
  })
})
test('errors and time-outs break it, during the rush and after it', () => {
  assert.equal(
    crowded([usual, window(90, { 'status 500': 8, timeout: 2 }), window(999, { closed: 1 })], 16).sentence,
    'with 64 connections for 16 instances 10 of 100 requests fail (8 status 500, 2 timeout); afterwards, with 16 again, 1 of 1000 requests fail (1 closed)',
  )
})
test('an app that stays slow has not recovered', () => {
  assert.equal(crowded([usual, usual, window(240)], 16).sentence, 'afterwards it answers 240 requests per second, before 1000')
  assert.equal(crowded([usual, usual, window(0)], 16).state, 'broken')
})
test('connections of the database that grow like the clients are broken, those of a pool in each worker are not', () => {
  const peaks = (before: number, during: number): ReturnType<typeof crowded> =>
    crowded([window(9, {}, { databasePeak: before }), window(9, {}, { databasePeak: during }), window(9)], 16)
  assert.equal(peaks(16, 64).sentence, 'with 64 connections it has 64 at the database, with 16 it had 16')
  assert.equal(peaks(16, 32).state, 'held')
  assert.equal(peaks(1, 4).state, 'held')
  assert.match(peaks(0, 0).sentence, /no errors, at most 0 connections at the database/)
})
test('what fails as usual is not looked at', () => {
  const found = crowded([window(9, { 'status 500': 1 }), usual, usual], 16)
  assert.deepEqual([found.state, found.isOwed], ['not-checked', true])
  assert.match(
    found.sentence,
    /^with 16 connections, as many as it has instances, it fails already: 1 of 10 requests fail \(1 status 500\)$/,
  )
  assert.match(crowded([window(0), usual, usual], 16).sentence, /no request was answered$/)
})
test('a refusal is an answer, and a status of the server’s is a failure', () => {
  assert.deepEqual(countedIn({ statuses: [200, 404, 429, 500, 503, 500], errors: { timeout: 2 } }), {
    answered: 3,
    failed: { timeout: 2, 'status 500': 2, 'status 503': 1 },
  })
})

test('a peak is the number of connections that lasted, not one that was just closed', () => {
  assert.equal(lastingPeak([4, 8, 12, 8, 8]), 8)
  assert.equal(lastingPeak([4, 16, 16, 15, 16]), 16)
  assert.deepEqual([lastingPeak([5]), lastingPeak([]), lastingPeak([-1, -1, -1])], [5, 0, 0])
})
