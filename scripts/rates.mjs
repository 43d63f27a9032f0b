// The README's short list of error rates, from the table of simulated jobs. Pure.

/** For each line: the rows that it quotes, and the sentence with their rates. */
const LINES = [
  {
    rows: [
      ['nothing changed', '6 to 20, where open', 'regressed'],
      ['nothing changed', '6 to 20, where open', 'pass'],
    ],
    text: ([alarms, passes]) => `Nothing changed: ${alarms} of the jobs are \`regressed\`, ${passes} \`pass\`.`,
  },
  {
    rows: [
      ['every cell loses 10 %', '10', 'regressed'],
      ['one cell loses 15 %', '6 to 20, where open', 'regressed'],
    ],
    text: ([all, one]) =>
      `A loss of 10 % in every cell is found in ${all} of the jobs. One of 15 % in one of four cells is found in ${one}.`,
  },
  {
    rows: [
      ['one cell loses 10 %', '6 to 20, where open', 'regressed'],
      ['one cell loses 10 %', '6 to 20, where open', 'pass'],
    ],
    text: ([found, passes]) => `A loss of 10 % in one of four cells is found in ${found}, and passes in ${passes}.`,
  },
  {
    rows: [
      ['nothing changed, runs of CV 6 %', '6 to 20, where open', 'pass'],
      ['nothing changed, runs of CV 6 %', '6 to 20, where open', 'regressed'],
    ],
    text: ([passes, alarms]) =>
      `On a machine whose runs vary by 6 % instead of 2 %, ${passes} pass and ${alarms} are a false alarm. The rest is \`inconclusive\`.`,
  },
  {
    rows: [['threshold on the means, nothing changed', '10', 'regressed']],
    text: ([alarms]) =>
      `For comparison: a plain threshold on the means gives a false alarm in ${alarms} of the jobs in which nothing changed.`,
  },
]

/**
 * @param table Markdown, as r/calibrate.R prints it
 * @returns a Markdown list
 * @throws if the table has no such row
 */
export function ratesIn(table) {
  const rows = table.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  const rate = (wanted) => {
    const row = rows.find((cells) => wanted.every((text, i) => cells[i] === text))
    const found = /^([\d.]+) %/.exec(row?.[4] ?? '')
    if (!found) throw new Error(`the table has no row of ${wanted.join(' | ')}`)
    return `${Number(found[1])} %`
  }
  return LINES.map(({ rows, text }) => `- ${text(rows.map(rate))}`).join('\n')
}
