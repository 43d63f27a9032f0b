// The columns of notas_fiscais and the values of one row of about 12.7 KB, as in ../src/Row.php.

/** The columns that a SELECT names by default, as an invoice page would. */
export const SHOWN = [
  ...['id', 'numero', 'inteiro_003', 'inteiro_004', 'inteiro_005', 'valor_001', 'valor_002', 'valor_003', 'valor_004'],
  ...['texto_001', 'texto_002', 'texto_003'],
]

/** Bytes of texto_110, chosen so that a row takes 12.7 KB. */
const LONG_TEXT = 5950

const named = (type, from, to) => range(from, to).map((i) => `${type}_${String(i).padStart(3, '0')}`)

/** The 330 columns that an INSERT sets; id is generated. */
export const COLUMNS = ['numero', ...named('inteiro', 3, 110), ...named('valor', 1, 111), ...named('texto', 1, 110)]

/** @returns {(number | string)[]} in the order of COLUMNS */
export function valuesOf(number, item) {
  const text = `Item ${String(item).padStart(2, '0')} da nota fiscal eletronica, descricao longa`
  return [
    number,
    ...range(3, 110).map((i) => item * 1000 + i),
    ...range(1, 111).map((i) => item * 10 + i / 8),
    ...Array(109).fill(text),
    'x'.repeat(LONG_TEXT),
  ]
}

function range(from, to) {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}
