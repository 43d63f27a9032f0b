/** Compares what was written to the emulated GitHub with GitHub's OpenAPI description. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Ajv, { type ValidateFunction } from 'ajv'
import { PACKAGE } from '../../../config/catalog.ts'
import type { GitHubApi } from '../github-api.ts'

const FILE = join(PACKAGE, 'node_modules', '@octokit', 'openapi', 'generated', 'api.github.com.json')

/**
 * Defines a test, the last of its file, of all bodies that the others wrote.
 *
 * @param kinds what they must have written: method and path, with N for numbers
 */
export function testWritten(api: GitHubApi, kinds: readonly string[]): void {
  test("what was written is valid against GitHub's OpenAPI", () => {
    const validator = requestValidator()
    assert.throws(() => validator('POST', '/repos/o/r/issues/1/comments', { text: 'x' }), /must have required property 'body'/)
    assert.throws(() => validator('POST', '/repos/o/r/none', {}), /describes no POST/)
    for (const { method, path, body } of api.written) validator(method, path, body)
    const found = new Set(api.written.map(({ method, path }) => `${method} ${path.replace(/\d+/g, 'N')}`))
    assert.deepEqual([...found].sort(), kinds)
  })
}

/** Returns a function that throws if GitHub's API has no such operation, or if its body must be another one. */
function requestValidator(): (method: string, path: string, body: unknown) => void {
  const description = JSON.parse(readFileSync(FILE, 'utf8')) as { paths: Record<string, Record<string, { requestBody?: object }>> }
  const ajv = new Ajv({ strict: false, validateFormats: false }).addSchema(description, 'github')
  return (method, path, body) => {
    const verb = method.toLowerCase()
    const template = templateOf(path, verb, description.paths)
    assert.ok(template, `GitHub's API describes no ${method} ${path}`)
    if (!description.paths[template]?.[verb]?.requestBody) return assert.equal(body, undefined, `${method} ${path} has no body`)
    const place = `github#/paths/${template.replaceAll('/', '~1')}/${verb}/requestBody/content/application~1json/schema`
    const isValid = ajv.getSchema(place) as ValidateFunction
    assert.ok(isValid(body), `${method} ${path}: ${ajv.errorsText(isValid.errors)}: ${JSON.stringify(body).slice(0, 500)}`)
  }
}

/** The path of the description that fits, such as `/repos/{owner}/{repo}`. Of several, the one with the fewest variables. */
function templateOf(path: string, verb: string, paths: Record<string, object>): string | undefined {
  const variables = (template: string): number => template.split('{').length
  const fits = (template: string): boolean =>
    verb in (paths[template] as object) && new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
  return Object.keys(paths)
    .filter(fits)
    .sort((a, b) => variables(a) - variables(b))[0]
}
