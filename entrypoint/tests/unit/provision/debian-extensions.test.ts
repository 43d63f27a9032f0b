/** Debian's packages of PHP extensions. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { debianPackage } from '../../../provision/debian-extensions.ts'

describe('the Debian package of an extension', () => {
  for (const [extension, name] of [
    ['pdo_sqlite', 'php8.2-sqlite3'],
    ['sqlite3', 'php8.2-sqlite3'],
    ['pdo_mysql', 'php8.2-mysql'],
    ['pdo_pgsql', 'php8.2-pgsql'],
    ['simplexml', 'php8.2-xml'],
    ['ctype', 'php8.2-common'],
    ['redis', 'php8.2-redis'],
    ['zend_test', 'php8.2-zend-test'],
  ] as const) {
    test(`${extension} is ${name}`, () => assert.equal(debianPackage('8.2', extension), name))
  }
})
