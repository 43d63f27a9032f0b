// Issues one invoice in the database: the statements of ../src/Invoice.php, in the same order.
import { COLUMNS, SHOWN, valuesOf } from './row.mjs'

const ITEMS = 14
const SELECTS_BY_ID = 168
const SELECTS_BY_NUMBER = 7

/**
 * @param connection of mysql2's promise API
 * @param {boolean} allColumns
 * @returns {Promise<{ number: number, rows: Record<string, unknown>[] }>} the 13 rows that remain
 * @throws {Error} if a row differs from the one that was written
 */
export async function issue(connection, allColumns) {
  const ids = await insert(connection)
  const number = ids[0]
  await update(connection, ids)
  const rows = await select(connection, number, ids, allColumns ? '*' : SHOWN.join(', '))
  await connection.query('DELETE FROM notas_fiscais WHERE id = ?', [ids.at(-1)])
  return { number, rows: rows.slice(0, ITEMS - 1) }
}

/** The first ID is the invoice's number, so no two requests share a number. */
async function insert(connection) {
  const statement = `INSERT INTO notas_fiscais (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`
  const ids = []
  for (let item = 1; item <= ITEMS; item++) {
    const [{ insertId }] = await connection.query(statement, valuesOf(ids[0] ?? 0, item))
    ids.push(insertId)
  }
  return ids
}

async function update(connection, ids) {
  await connection.query('UPDATE notas_fiscais SET numero = ? WHERE id = ?', [ids[0], ids[0]])
  for (const i of [1, 2, 3]) {
    await connection.query('UPDATE notas_fiscais SET inteiro_003 = ?, valor_002 = ? WHERE id = ?', [100 + i, 1.25 * i, ids[i]])
  }
}

async function select(connection, number, ids, columns) {
  const rows = []
  for (let i = 0; i < SELECTS_BY_ID; i++) {
    const item = i % ITEMS
    const [[row]] = await connection.query(`SELECT ${columns} FROM notas_fiscais WHERE id = ?`, [ids[item]])
    if (row?.numero !== number || row.inteiro_004 !== (item + 1) * 1000 + 4) throw new Error(`Row ${ids[item]} is not what this request wrote.`)
    rows[item] = row
  }
  for (let i = 0; i < SELECTS_BY_NUMBER; i++) {
    const [found] = await connection.query(`SELECT ${columns} FROM notas_fiscais WHERE numero = ? ORDER BY id LIMIT 2`, [number])
    if (found.length !== 2) throw new Error(`Invoice ${number} is not what this request wrote.`)
  }
  return rows
}
