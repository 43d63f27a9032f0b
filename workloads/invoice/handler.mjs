// Issues an invoice on a connection of its own, and writes its PDF and its XML file.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { issue } from './js/invoice.mjs'
import { renderPdf } from './js/pdf.mjs'
import { renderXml } from './js/xml.mjs'

export default async (query, { withConnection, directory }) => {
  const { number, rows } = await withConnection((connection) => issue(connection, query.get('columns') === 'all'))
  const lines = rows.map((row) => `${row.texto_001.padEnd(50)} ${row.valor_001.toFixed(2).padStart(10)}`)
  const pdf = renderPdf(number, ['DANF-e', 'Nota fiscal', ...lines])
  await writeFile(join(directory, `${number}.pdf`), pdf)
  const xml = Buffer.from(renderXml(number, rows))
  await writeFile(join(directory, `${number}.xml`), xml)
  return {
    status: 'success',
    items: rows.length,
    total: rows.reduce((sum, row) => sum + row.valor_001, 0),
    // Rounded, because the number of digits in the invoice number changes the sizes from request to request.
    pdf_kb: Math.round(pdf.length / 1000),
    xml_kb: Math.round(xml.length / 1000),
  }
}
