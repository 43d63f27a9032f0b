/** Finds the C functions of PHP that execute more instructions per request in head than in base, and what they mean. Pure. */

/** Instructions by function, without those of the functions that it calls. Names are `function (library)`. */
export type Costs = ReadonlyMap<string, number>

/** One revision's count. */
export interface CountedCosts {
  requests: number
  costs: Costs
}

/** In instructions per request. */
export interface CFunction {
  name: string
  base: number
  head: number
  /** A sentence about what it does, or '' if it is unknown. */
  meaning: string
}

const FUNCTIONS_SHOWN = 10
/** A function that grew by a smaller share of all growth explains nothing. */
const LEAST_SHARE = 0.01

/** What functions do, by name. The first that matches counts. Names are from PHP's sources, from PCRE2 and from glibc. */
const MEANINGS: [RegExp, string][] = [
  [
    /^(compile_file|compile_filename|compile_string|zend_compile\w*|zendparse|lex_scan|zendlex|pass_two|zend_ast_\w+|zend_optimize\w*|zend_ini_parse|init_op_array|destroy_op_array)$/,
    'PHP code is compiled in each request: OPcache is off, a path is new, or code is evaluated',
  ],
  [
    /^(zif_include|zend_include_or_eval|zend_resolve_path|php_resolve_path\w*|virtual_file_ex|tsrm_realpath_r)$/,
    'files are included, and their paths looked up',
  ],
  [/^(gc_\w+|zend_gc_\w+|zend_objects_store_free\w*)$/, 'more objects and arrays may be in cycles, which the garbage collector visits'],
  [/^(zif_json_encode|php_json_encode\w*|php_json_escape_string|smart_str_append_double)$/, 'more is encoded as JSON'],
  [/^(zif_json_decode|php_json_decode\w*|php_json_(yy)?parse\w*|php_json_scan\w*)$/, 'more is decoded from JSON'],
  [/^(zif_preg_\w+|php_pcre_\w+|pcre_get_compiled_regex\w*|pcre2_\w+)$/, 'regular expressions are matched'],
  [/^(php_var_(un)?serialize\w*|zif_(un)?serialize|var_(tmp_)?replace)$/, 'values are serialized or read back'],
  [/^(PHP_(MD5|SHA|XXH|CRC)\w*|php_hash_\w+|zif_(md5|sha1|hash|crc32)\w*)$/, 'hashes are computed'],
  [/^(php_(pdo|mysqlnd)_\w+|mysqlnd_\w+|zim_PDO\w*|PQ\w+|sqlite3_?\w*)$/, 'more is asked of the database, or more rows are read'],
  [/^(zif_sort|zif_usort|zend_sort\w*|zend_insert_sort|zend_hash_sort\w*|php_array_\w+compare\w*)$/, 'arrays are sorted'],
  [
    /^(zend_lookup_class\w*|zend_fetch_class\w*|zend_do_link_class|zend_do_inheritance\w*|spl_perform_autoload|do_bind_class)$/,
    'classes are looked up or loaded',
  ],
  [/^(zend_call_function|zend_call_known_function|zend_is_callable\w*|zend_fcall_info\w*)$/, 'callbacks are called'],
  [
    /^(zend_std_\w+|zend_objects_\w+|object_init_ex|object_properties_init|rebuild_object_properties\w*)$/,
    'objects are created, or their properties used',
  ],
  [/^(zend_hash_\w+|_zend_hash_\w+|zend_array_\w+|_zend_new_array\w*|zend_symtable\w*)$/, 'arrays are built, searched or copied'],
  [/^(execute_ex|zend_execute\w*|zend_vm_\w+|ZEND_\w+_HANDLER)$/, 'PHP code itself runs more steps'],
  [
    /^(zend_str\w*|zend_string_\w+|php_str\w*|php_trim|php_addslashes|smart_str_\w+|php_implode|php_explode|zif_str\w*|zif_implode|zif_explode|concat_function|zend_memnstr\w*)$/,
    'strings are built or searched',
  ],
  [
    /^(_?_?e?(malloc|calloc|realloc|free)\w*|_e(malloc|free|realloc|calloc)\w*|_int_(malloc|free|realloc)|zend_mm_\w+|unlink_chunk\S*)$/,
    'memory is allocated and freed',
  ],
  [/^(_dl_\w+|do_lookup_x|check_match)$/, 'libraries are loaded: a process is started in each request'],
  [/^__?mem(cpy|move|set|cmp)\w*$/, 'memory is copied or compared'],
]

/** For code without symbols, which distributions strip. */
const UNNAMED = /^0x[0-9a-f]+$/

/** @param dumps profiles in callgrind's format, one for each process */
export function costsIn(dumps: readonly string[]): Costs {
  const costs = new Map<string, number>()
  for (const dump of dumps) addCosts(dump, costs)
  return costs
}

/** callgrind writes a name once, with its number. Later it writes the number alone. */
function addCosts(dump: string, costs: Map<string, number>): void {
  const names = { ob: new Map<string, string>(), fn: new Map<string, string>() }
  const nameOf = (kind: 'ob' | 'fn', text: string): string => {
    const [, id = '', name] = /^\((\d+)\)(?: (.+))?$/.exec(text) ?? []
    if (name !== undefined) names[kind].set(id, name)
    return names[kind].get(id) ?? text
  }
  let object = ''
  let current = ''
  let isCall = false
  for (const line of dump.split('\n')) {
    const [, key, value = ''] = /^(c?ob|c?fn|calls)=(.*)$/.exec(line) ?? []
    if (key === 'ob') object = nameOf('ob', value)
    else if (key === 'cob') nameOf('ob', value)
    else if (key === 'fn') current = labelOf(nameOf('fn', value), object)
    else if (key === 'cfn') nameOf('fn', value)
    else if (key === 'calls') isCall = true
    else {
      const [, cost] = /^[+*-]?\d* (\d+)$/.exec(line) ?? []
      if (cost === undefined) continue
      // The line after `calls` is the cost of the called function.
      if (!isCall) costs.set(current, (costs.get(current) ?? 0) + Number(cost))
      isCall = false
    }
  }
}

/** Calls of itself have a number, and functions without a symbol an address, which differs between versions. */
function labelOf(name: string, object: string): string {
  // Valgrind's own sign for what it does not know.
  const library = object.split('/').at(-1) || '???'
  const plain = name.replace(/'\d+$/, '')
  return `${UNNAMED.test(plain) ? 'functions without a symbol' : plain} (${library})`
}

/** @returns the functions that grew, the largest growth first */
export function grownC(base: CountedCosts, head: CountedCosts): CFunction[] {
  const total = totalOf(head) - totalOf(base)
  return [...new Set([...base.costs.keys(), ...head.costs.keys()])]
    .map((name) => ({ name, base: each(base, name), head: each(head, name), meaning: meaningOf(name) }))
    .filter((of) => of.head - of.base > LEAST_SHARE * Math.max(0, total))
    .sort((a, b) => b.head - b.base - (a.head - a.base))
    .slice(0, FUNCTIONS_SHOWN)
}

/** Instructions per request. */
export function totalOf({ requests, costs }: CountedCosts): number {
  return [...costs.values()].reduce((sum, cost) => sum + cost, 0) / requests
}

/** The meanings of the functions, those of the largest growth first, and each once. */
export function meaningsOf(functions: readonly CFunction[]): string[] {
  const grown = new Map<string, number>()
  for (const { meaning, base, head } of functions) if (meaning) grown.set(meaning, (grown.get(meaning) ?? 0) + head - base)
  return [...grown].sort(([, a], [, b]) => b - a).map(([meaning]) => meaning)
}

function each({ requests, costs }: CountedCosts, name: string): number {
  return (costs.get(name) ?? 0) / requests
}

function meaningOf(name: string): string {
  const [plain = ''] = name.split(' (')
  return MEANINGS.find(([pattern]) => pattern.test(plain))?.[1] ?? ''
}
