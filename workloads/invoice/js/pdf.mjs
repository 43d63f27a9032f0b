// The DANF-e as in ../src/Pdf.php: one PDF page with the items as text and a raw bar-code image, about 140 KB.

const WIDTH = 580
const HEIGHT = 238

/** @param {number} number @param {string[]} lines of plain ASCII text @returns {Buffer} */
export function renderPdf(number, lines) {
  const text = lines.map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj T*\n`).join('')
  const content = `BT /F1 9 Tf 40 800 Td 12 TL\n${text}ET\nq 500 0 0 90 40 60 cm /Bar Do Q\n`
  const image = barCode(number)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> /XObject << /Bar 6 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}endstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
    `<< /Type /XObject /Subtype /Image /Width ${WIDTH} /Height ${HEIGHT} /ColorSpace /DeviceGray /BitsPerComponent 8 /Length ${image.length} >>\nstream\n${image}\nendstream`,
  ]
  let pdf = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const offset = pdf.length
    pdf += `${i + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const references = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const end = `xref\n0 7\n0000000000 65535 f \n${references}trailer\n<< /Size 7 /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`
  return Buffer.from(pdf + end, 'latin1')
}

/** Bars from the bits of the number: one row of pixels, repeated. */
function barCode(number) {
  let row = ''
  for (let i = 0; row.length < WIDTH; i++) row += (i % 2 === 0 ? '\x00' : '\xff').repeat(2 + ((number >> (i % 31)) & 1) * 2)
  return row.slice(0, WIDTH).repeat(HEIGHT)
}
