/** The type of a workload, built-in or the app's own. */

export interface Expectation {
  status: number
  contains?: string | undefined
}

export interface Workload {
  name: string
  /** Path and query. `{id}`, here, in headers and in the body, stands for an identity: preflight sends distinct ones, hey the first. */
  path: string
  method: string
  headers: Record<string, string>
  body?: string | undefined
  /** Values of `{id}`. Absent: the numbers from 1. */
  ids?: string[] | undefined
  expect: Expectation
  /** Regular expressions for parts that may differ between answers. */
  mask: string[]
  builtIn?: BuiltIn | undefined
}

/** The folder of a built-in workload. */
export interface BuiltIn {
  directory: string
  description: string
  database: boolean
  schema?: string | undefined
  /** Whether it calls the slow upstream. */
  upstream?: boolean | undefined
  /** Statements a successful request makes; preflight counts them on the server. */
  statements?: Record<string, number> | undefined
}
