/** Suggests a path of the app to measure first, from its routes. Pure. */

const ATTRIBUTE = /#\[(?:\w+\\)*Route\(([\s\S]*?)\)\]/g
const LITERAL_PATH = /^\s*(?:path:\s*)?'(\/[^'{}\s]*)'/
const METHODS = /methods:/
const IS_GET = /['"]GET['"]/

/**
 * @param controllers texts of classes with Symfony's route attributes
 * @returns `/` if the app has this route or no other is found, else the first route without parameters
 */
export function firstPath(controllers: readonly string[]): string {
  const paths = controllers.filter((text) => !hasPrefix(text)).flatMap(pathsOf)
  return paths.includes('/') ? '/' : (paths[0] ?? '/')
}

/** Whether the class has a route attribute, which changes the paths of its methods. */
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
