/** The schema of a workload: the name of a built-in one, a path of the app, or either with options. */
import { z } from 'zod'
import { IDENTITIES_MOST, OF_BUILT_INS, PRINTABLE, PRINTABLE_RULE, withIdentity } from './identities.ts'
import { inside, name, scalar } from './values.ts'

const status = z.number().int().min(100).max(599)

export const expectation = z.strictObject({ status: status.default(200), contains: z.string().min(1).optional() })

const BELONGS = `${OF_BUILT_INS} belongs to the built-in workloads`

const identity = z.union([z.number().int(), z.string().regex(PRINTABLE, PRINTABLE_RULE)]).transform(String)

const RANGE = /^(\d{1,15})\.\.(\d{1,15})$/
const RANGE_RULE = 'must be a list, or a range such as 1..500'

function boundsOf(range: string): [first: number, last: number] {
  const [, first, last] = RANGE.exec(range) as unknown as [string, string, string]
  return [Number(first), Number(last)]
}

const range = z
  .string()
  .regex(RANGE, { error: RANGE_RULE, abort: true })
  .refine((text) => boundsOf(text)[0] <= boundsOf(text)[1], { error: RANGE_RULE, abort: true })
  .transform((text) => {
    const [first, last] = boundsOf(text)
    return Array.from({ length: Math.min(IDENTITIES_MOST, last - first + 1) }, (_, i) => String(first + i))
  })

const identities = z.union([z.array(identity).min(1).max(IDENTITIES_MOST), range])

/** A pattern between delimiters, as in PHP and JavaScript. */
const DELIMITED = /^\/(.*[^\\])\/[gimsuxy]*$/s

const ONE_PATH = 'hey repeats one request, so a workload has one `path`. Define a workload for each path'

const pattern = z
  .string()
  .max(500)
  .refine((text) => !DELIMITED.test(text), {
    error: ({ input }) =>
      `must be written without delimiters: ${JSON.stringify(DELIMITED.exec(String(input))?.[1])}. Write a literal slash as "\\\\/"`,
  })

export const userWorkload = z
  .strictObject({
    name,
    path: z
      .string({ error: ({ input }) => (Array.isArray(input) ? ONE_PATH : undefined) })
      .startsWith('/', 'must begin with "/"')
      .regex(PRINTABLE, PRINTABLE_RULE)
      .refine((path) => !path.startsWith(OF_BUILT_INS), BELONGS),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']).default('GET'),
    headers: z.record(z.string().regex(/^[A-Za-z0-9-]+$/), z.string().regex(/^[^\r\n]*$/)).default({}),
    body: z.string().optional(),
    ids: identities.optional(),
    'ids-file': inside.optional(),
    expect: z.union([status.transform((of) => ({ status: of })), expectation]).prefault({ status: 200 }),
    mask: z.array(pattern).default([]),
    // Declared only to be refused with its own message.
    paths: z.never(ONE_PATH).optional(),
  })
  .superRefine((workload, { addIssue }) => {
    const file = workload['ids-file']
    const key = file === undefined ? 'ids' : 'ids-file'
    const refuse = (message: string): void => void addIssue({ code: 'custom', path: [key], message })
    if (workload.ids && file !== undefined) refuse('the workload has `ids` already')
    if (!workload.ids && file === undefined) return
    const places = [workload.path, ...Object.values(workload.headers), workload.body ?? '']
    if (!places.some((text) => text.includes('{id}'))) refuse('neither path, headers nor body has an {id}')
    if (workload.ids?.some((id) => withIdentity(workload.path, id).startsWith(OF_BUILT_INS))) refuse(BELONGS)
  })

/** The keys that a user may write. */
export const WORKLOAD_KEYS = Object.keys(userWorkload.shape).filter((key) => key !== 'paths')

/** A built-in workload with options; workloads.ts checks them against its workload.yml. */
const builtInWorkload = z
  .object({ name })
  .catchall(scalar)
  // Aborts, because otherwise the union would report this branch.
  .refine((workload) => !('path' in workload), { abort: true })

/** `/api/orders?limit=5` is called api-orders-limit-5, `/` is called home. */
export function nameOf(path: string): string {
  const words = path.toLowerCase().match(/[a-z0-9]+/g) ?? ['home']
  return words.join('-').slice(0, 40)
}

const bare = z
  .string()
  .regex(/^([a-z0-9][a-z0-9._-]{0,39}|\/[\x21-\x7e]*)$/, {
    error: 'must be the name of a built-in workload, or a path that begins with "/" (URL-encoded ASCII without spaces)',
    abort: true,
  })
  .refine((text) => !text.startsWith(OF_BUILT_INS), { error: BELONGS, abort: true })
  .transform((text) => (text.startsWith('/') ? userWorkload.parse({ name: nameOf(text), path: text }) : text))

export const workload = z.union([bare, userWorkload, builtInWorkload])
