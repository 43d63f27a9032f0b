// Student's t, fair coins, and Holm's adjustment.

/** log of the gamma function (Lanczos, g = 7). */
function logGamma(x) {
  const c = [
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
    -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ]
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  const y = x - 1
  const sum = c.reduce((s, value, i) => (i === 0 ? value : s + value / (y + i)), 0)
  const t = y + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (y + 0.5) * Math.log(t) - t + Math.log(sum)
}

/** Regularised incomplete beta function, by Lentz's continued fraction. */
function incompleteBeta(x, a, b) {
  if (x <= 0) return 0
  if (x >= 1) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) / a
  const tiny = 1e-300
  let c = 1
  let d = 1 / Math.max(tiny, Math.abs(1 - ((a + b) * x) / (a + 1)))
  if (1 - ((a + b) * x) / (a + 1) < 0) d = -d
  let fraction = d
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    let factor = 1
    for (const step of [even, odd]) {
      d = 1 / (1 + step * d || tiny)
      c = 1 + step / c || tiny
      factor = c * d
      fraction *= factor
    }
    if (Math.abs(factor - 1) < 1e-15) break
  }
  return front * fraction
}

/** Probability that Student's t with df degrees of freedom is at most x. */
export function studentT(x, df) {
  if (x === Number.POSITIVE_INFINITY) return 1
  if (x === Number.NEGATIVE_INFINITY) return 0
  const tail = incompleteBeta(df / (df + x * x), df / 2, 0.5) / 2
  return x < 0 ? tail : 1 - tail
}

/** Probability of `least` or more heads in n throws of a coin. */
export function headsAtLeast(least, n) {
  let sum = 0
  for (let i = least; i <= n; i++) sum += Math.exp(logGamma(n + 1) - logGamma(i + 1) - logGamma(n - i + 1) - n * Math.LN2)
  return sum
}

/** Holm's adjusted p-values. */
export function holm(p) {
  const order = p.map((_, i) => i).sort((i, j) => p[i] - p[j])
  const adjusted = new Array(p.length)
  let largest = 0
  order.forEach((i, rank) => {
    largest = Math.max(largest, Math.min(1, (p.length - rank) * p[i]))
    adjusted[i] = largest
  })
  return adjusted
}
