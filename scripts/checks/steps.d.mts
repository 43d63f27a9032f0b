/** Types of steps.mjs, for its test. */
export interface Step {
  title: string
  command: string[]
  env?: Record<string, string>
}

export function units(files: string[] | undefined): Step[]
export function ofPhp(files: string[] | undefined): Step[]
