/** The outcome of a job that was cancelled: commands that were ended say nothing about the app. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { thrownOutcome } from '../../../analyse/outcome.ts'
import { AppFailure, Cancelled, HeadFailed, MeasurementError } from '../../../system/errors.ts'

test('a cancelled job neither regresses nor blames what its end has broken', () => {
  const ended = AbortSignal.abort()
  const failure = new HeadFailed('head/fpm', new AppFailure('no answer', 'home'))
  for (const error of [failure, new MeasurementError('composer failed: no output'), new Error('read ECONNRESET')]) {
    const { verdict, reasons } = thrownOutcome(error, ended)
    assert.deepEqual([verdict, reasons], ['invalid', ['Cancelled before there was a verdict.']])
  }
  assert.deepEqual(thrownOutcome(new Cancelled('Cancelled in preflight.'), ended).reasons, ['Cancelled in preflight.'])
  assert.equal(thrownOutcome(failure, new AbortController().signal).verdict, 'regressed')
})
