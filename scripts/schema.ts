// Writes the JSON Schema of the configuration file, for editors.
import { writeFileSync } from 'node:fs'
import { jsonSchema } from '../entrypoint/config/schema.ts'

writeFileSync(new URL('../docs/config.schema.json', import.meta.url), `${JSON.stringify(jsonSchema(), null, 2)}\n`)
