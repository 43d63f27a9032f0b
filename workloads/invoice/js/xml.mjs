// The NF-e as in ../src/Xml.php: an XML file of about 50 KB, with one item per row and its taxes.

const TAXES = ['ICMS', 'IPI', 'PIS', 'COFINS', 'II', 'ISSQN', 'ICMSUFDest', 'IS', 'IBS', 'CBS']
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** @param {number} number @param {Record<string, unknown>[]} rows @returns {string} */
export function renderXml(number, rows) {
  const id = String(number).padStart(44, '0')
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<nfeProc versao="4.00" xmlns="http://www.portalfiscal.inf.br/nfe"><NFe>' +
    `<infNFe versao="4.00" Id="NFe${id}"><ide><cUF>35</cUF><nNF>${number}</nNF></ide>` +
    `${rows.map((row, i) => item(i + 1, row)).join('')}</infNFe></NFe></nfeProc>\n`
  )
}

function item(position, row) {
  const text = String(row.texto_001).replace(/[&<>]/g, (character) => ENTITIES[character])
  const taxes = TAXES.map((tax, j) => {
    const base = row.valor_001 + j
    return (
      `<${tax}><orig>0</orig><CST>${String(j).padStart(2, '0')}</CST><modBC>3</modBC><vBC>${base.toFixed(2)}</vBC>` +
      `<p${tax}>${(1.5 * j).toFixed(4)}</p${tax}><v${tax}>${(base * 0.015 * j).toFixed(2)}</v${tax}><xMotivo>${text}</xMotivo></${tax}>`
    )
  })
  return (
    `<det nItem="${position}"><prod><cProd>${row.id}</cProd><xProd>${text}</xProd><vProd>${row.valor_001.toFixed(2)}</vProd></prod>` +
    `<imposto>${taxes.join('')}</imposto><infAdProd>${`${text}. `.repeat(35)}</infAdProd></det>`
  )
}
