/**
 * One hostile pull request, to its verdict: it loosens its judge, compares itself with itself, redefines a workload, and is slow.
 * The budget has room for the deciding cell.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { PACKAGE } from '../../../../config/catalog.ts'
import { type GitHubApi, startGitHub, TOKEN } from '../../github-api.ts'
import { commit, git, hasExtension, leftovers, repository } from '../../harness.ts'
import { runStep } from '../../runner.ts'

const FILE = '.github/async-php-bench.yml'
const config = (mode: string, page: string, more: string): string =>
  `modes: [fpm, ${mode}]\nworkloads: [{ name: home, path: / }, { name: page, path: "${page}" }]\nloads: { low: { concurrency: 4 } }\nprofile: quick\nbudget: 4m\ndatabase: none\n${more}`

const GREEN = 'on: pull_request\njobs: { gate: { name: async gain, steps: [{ run: "true" }] } }\n'

const swoole = (await hasExtension('swoole')) ? false : 'php -m has no swoole'

let api: GitHubApi
before(async () => {
  api = await startGitHub()
})
after(() => api.close())

for (const mode of ['fibers', 'swoole'])
  test(
    `a hostile pull request that is slow in ${mode} has regressed, and its comment says what it tried`,
    { skip: mode === 'swoole' && swoole },
    () => judged(mode),
  )

async function judged(mode: string): Promise<void> {
  const app = readFileSync(join(PACKAGE, 'examples', 'minimal-app', 'src', 'Core', 'App.php'), 'utf8')
  const slow = app.replace(
    'return $this->router',
    "if (PHP_SAPI === 'cli') {\n            for ($i = 0; $i < 6000; $i++) {\n                hash('sha256', (string) $i);\n            }\n        }\n\n        return $this->router",
  )
  assert.notEqual(slow, app)
  const workspace = await repository({ base: { [FILE]: config(mode, '/?p=1', 'gate: { max-regression: 5 }\n') } })
  const main = await git(workspace, 'rev-parse', 'HEAD')
  await git(workspace, 'checkout', '--quiet', '-b', 'topic')
  const loosened = config(mode, '/?p=3', 'blocks: 1\nbaseline: HEAD\ngate: { max-regression: 90, resolution: 90 }\n')
  await commit(workspace, { [FILE]: loosened, 'src/Core/App.php': slow, '.github/workflows/green.yml': GREEN }, 'faster')
  const topic = await git(workspace, 'rev-parse', 'HEAD')
  await git(workspace, 'checkout', '--quiet', '--detach', main)
  await git(workspace, 'merge', '--quiet', '--no-ff', '-m', 'merge', 'topic')

  const { data } = await api.call('POST', '/repos/gate-bot/app/issues', { title: 'a pull request' })
  const { number } = data as { number: number }
  const done = await runStep({
    file: 'gate-action',
    workspace,
    inputs: { 'github-token': TOKEN },
    github: {
      API_URL: api.url,
      REPOSITORY: 'gate-bot/app',
      RUN_ID: '1',
      EVENT_NAME: 'pull_request',
      WORKFLOW_REF: 'gate-bot/app/.github/workflows/gate.yml@refs/pull/1/merge',
      SHA: await git(workspace, 'rev-parse', 'HEAD'),
    },
    payload: {
      pull_request: { number, user: { login: 'stranger' }, base: { sha: main, ref: 'main' }, head: { sha: topic, ref: 'topic' } },
    },
  })
  const comments = (await api.call('GET', `/repos/gate-bot/app/issues/${number}/comments`)).data as { body: string }[]
  const body = comments[0]?.body ?? done.log
  assert.equal(done.code, 1, done.log)
  assert.match(body, /^<!-- async-php-bench:default run:1 -->\n## [^\n]*Regressed/)
  assert.match(body, /1 of 2 cells gated/)
  for (const key of ['blocks', 'baseline', 'gate.max-regression', 'gate.resolution'])
    assert.match(body, new RegExp(`This pull request changes ${key} from`))
  assert.match(body, /Workload `page`: base and head define it differently/)
  assert.match(body, /Head changes or adds `\.github\/workflows\/green\.yml`, with a job that GitHub may show/)
  // The profile of the cell that decided names the function and the line. The extension comes from a Debian package.
  assert.match(body, /\| `App\\Core\\App::handle` \| `src\/Core\/App\.php:\d+` \|[^\n]*\*\*changed line\*\* \|/)
  assert.match(done.log, /::error title=async-php-bench%3A regressed::/)
  assert.deepEqual(await leftovers(), [])
}
