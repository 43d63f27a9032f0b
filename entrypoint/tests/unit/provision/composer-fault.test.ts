// The cause of Composer's failure is shown, not its usage line.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { composerFault } from '../../../provision/composer-fault.ts'

describe('why Composer failed', () => {
  test('is the cause in its box, not the usage after it', () => {
    const text = [
      'Loading composer repositories with package information',
      '',
      'In CurlDownloader.php line 389:',
      '                                            ',
      '  curl error 60 while downloading https://  ',
      '  mirror.test/packages.json: self-signed    ',
      '                                            ',
      '',
      'update [--with WITH] [--prefer-source]',
      '',
    ].join('\n')
    assert.equal(composerFault(text), 'curl error 60 while downloading https://mirror.test/packages.json: self-signed')
  })
  test('is its last line if there is no box', () => assert.equal(composerFault('a\nNo such package\n'), 'No such package'))
})
