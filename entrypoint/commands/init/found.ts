/** The findings of `init` about an app, and the phrases that they share. */

export interface Found {
  name: string
  /** PHP files by path: bench/app.php, or the start of the app's own server. */
  files: Record<string, string>
  /** The text of the configuration file. */
  config: string
  /** The remaining steps, in order. */
  next: string[]
}

/** Where frameworks keep their front script. */
export const FRONT = 'public/index.php'

export const PATHS_HINT = 'add paths of your app under workloads: in .github/async-php-bench.yml'
