/** Every option of the command line, each described once. */
import { CONFIG_FILE } from '../config/inputs.ts'
import { GATE_OPTIONS, LIST_OPTIONS, SCALAR_OPTIONS } from './config-options.ts'
import type { Option } from './option.ts'

export const OUT_DIRECTORY = 'async-php-bench-results'

export const WORKSPACE: Option = { name: 'workspace', value: 'DIR', meaning: 'the repository under test', byDefault: 'the current folder' }
export const OUT: Option = { name: 'out', value: 'DIR', meaning: 'the folder for results', byDefault: OUT_DIRECTORY }
export const SEED: Option = {
  name: 'seed',
  value: 'N',
  meaning: 'decides the random order of cells and arms; the same seed gives the same order',
  byDefault: 'random, and recorded',
}
export const YES: Option = { name: 'yes', meaning: 'install what is missing without asking' }

/** Options of every verb that reads the configuration. */
export const RUN_OPTIONS: Option[] = [
  WORKSPACE,
  { name: 'config', value: 'FILE', meaning: 'the configuration file', byDefault: CONFIG_FILE },
  OUT,
  SEED,
  {
    name: 'job',
    value: 'NAME',
    meaning: 'the name of this job in samples.csv, if several jobs share the blocks',
    byDefault: '1',
  },
  YES,
  ...LIST_OPTIONS,
  ...SCALAR_OPTIONS,
  ...GATE_OPTIONS,
]

export const DRY: Option = {
  name: 'dry',
  meaning: 'only print the plan, from the configuration alone; install, serve and fetch nothing',
}

/** Options of the verbs that judge recorded samples. */
export const ANALYSE_OPTIONS: Option[] = [
  {
    name: 'samples',
    value: 'FILE…',
    meaning: 'files with the header of samples.csv, one for each job. Required',
    isList: true,
  },
  { ...OUT, meaning: 'the folder for analysis.json, summary.md, report.html and plots. Required', byDefault: undefined },
  { name: 'run', value: 'FILE', meaning: 'the run.json of the samples', byDefault: 'the one beside a single samples file' },
  ...LIST_OPTIONS.filter(({ name }) => name === 'modes').map((option) => ({
    ...option,
    byDefault: 'those of run.json, else by the kinds of the runtimes',
  })),
  {
    name: 'looks',
    value: '1|2|4',
    meaning: 'number of looks at the data: 4 if the job measured open cells further, 2 if it had 20 blocks with a look after 10',
    byDefault: 'that of run.json if it says which look it was, else 1',
    allowed: ['1', '2', '4'],
  },
  {
    name: 'look',
    value: 'N',
    meaning: 'which of these looks it is',
    byDefault: 'that of run.json, else the last',
    allowed: ['1', '2', '3', '4'],
  },
  ...GATE_OPTIONS,
  { name: 'no-report', meaning: 'write no report.html and no plots' },
]

export const INIT_OPTIONS: Option[] = [
  WORKSPACE,
  { name: 'force', meaning: 'overwrite files that exist' },
  { name: 'check', meaning: 'only show what was found and what would be written' },
]
