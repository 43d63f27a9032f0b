/** One option of the command line, for parsing and help. */
export interface Option {
  name: string
  /** The placeholder of its value in help. A flag has none. */
  value?: string | undefined
  /** A sentence without its full stop. */
  meaning: string
  /** The default, for help. */
  byDefault?: string | undefined
  /** The only allowed values. Without them any text is allowed, and its user checks it. */
  allowed?: readonly string[] | undefined
  /** Whether several values may follow it. */
  isList?: boolean | undefined
}
