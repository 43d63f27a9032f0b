/** Tells which frontend reads a Dockerfile, because a frontend gets the key of the layer cache. Pure. */

/** Docker's own frontend, by tag or digest. */
const DOCKERS = /^#[ \t]*syntax[ \t]*=[ \t]*(docker\.io\/)?docker\/dockerfile([:@][\w.:@-]+)?[ \t]*\r?$/i

/**
 * BuildKit passes the attributes of the cache (`cache-imports`), with the runtime token of the job, to the image that reads the
 * Dockerfile. The Dockerfile names that image: `# syntax=`, `// syntax=`, `{"syntax": …}`, the build argument BUILDKIT_SYNTAX. Only the
 * builder's own frontend and Docker's may have the token. Some harmless files are refused as well; they are built without the cache.
 */
export function isTrustedFrontend(dockerfile: string, buildArgs: readonly string[]): boolean {
  if (buildArgs.some((name) => /^BUILDKIT_SYNTAX$/i.test(name))) return false
  // A byte-order mark and a `#!` line may precede it.
  if (/^\uFEFF?(#!.*\n)?\s*\{/.test(dockerfile)) return false
  return dockerfile.split('\n').every((line) => !/syntax/i.test(line) || DOCKERS.test(line))
}
