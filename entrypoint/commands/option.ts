/** One option of the command line, as parsing and help see it. */
export interface Option {
  name: string
  /** What stands for its value in help. A flag has none. */
  value?: string | undefined
  /** A sentence without its full stop. */
  meaning: string
  /** What counts where the option is not given. */
  byDefault?: string | undefined
  /** The only values that it takes; without them any text, checked by whoever uses it. */
  allowed?: readonly string[] | undefined
  /** Takes several values after one mention of it. */
  isList?: boolean | undefined
}
