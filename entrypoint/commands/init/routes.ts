/** Suggests a path of the app that is worth measuring first, from its routes. Pure. */

const ATTRIBUTE = /#\[(?:\w+\\)*Route\(([\s\S]*?)\)\]/g
const LITERAL_PATH = /^\s*(?:path:\s*)?'(\/[^'{}\s]*)'/
const METHODS = /methods:/
const IS_GET = /['"]GET['"]/

/**
 * @param controllers texts of the classes with Symfony's route attributes
 * @returns `/` if the app has it or if nothing can be told, else the first path that needs no parameter
 */
export function firstPath(controllers: readonly string[]): string {
  const paths = controllers.filter((text) => !hasPrefix(text)).flatMap(pathsOf)
  return paths.includes('/') ? '/' : (paths[0] ?? '/')
}

/** An attribute of the class changes what those of its methods mean. */
function hasPrefix(text: string): boolean {
  const attribute = text.search(ATTRIBUTE)
  return attribute >= 0 && attribute < text.search(/^(?:final |abstract |readonly )*class /m)
}

function pathsOf(text: string): string[] {
  return [...text.matchAll(ATTRIBUTE)].flatMap(([, options = '']) => {
    const path = LITERAL_PATH.exec(options)?.[1]
    return path === undefined || (METHODS.test(options) && !IS_GET.test(options)) ? [] : [path]
  })
}
