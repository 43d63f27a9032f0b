# Tests the error rates with the fewest jobs, for `npm run check`. `npm test` also simulates 60 per scenario, which
# includes adaptive jobs, and `npm run calibrate` 2,000. A correct gate exceeds these bounds once in ten thousand times.
for (name in c("noises.R", "instructions.R", "jobs.R", "scenarios.R")) source(calibration(name))
count_of <- function(scenario, n) sum(verdicts_of(scenario, n, parallel::detectCores()) == scenario$counted)

N <- 8
# Shares without a promise are not tested, and adaptive jobs take longest.
is_held <- function(scenario) !is.na(scenario$promise) && !scenario$adapts
for (s in Filter(is_held, ACCEPTANCE)) {
  test_that(paste("simulated:", s$name, s$counted, s$promise, s$bound), {
    if (s$promise == "at most") {
      expect_lte(count_of(s, N), qbinom(0.9999, N, s$bound))
    } else {
      expect_gte(count_of(s, N), qbinom(0.0001, N, s$bound))
    }
  })
}

test_that("a threshold on the means breaks the first promise", {
  mutant <- ACCEPTANCE[[1]]
  mutant$verdict_of <- naive_verdict
  expect_gt(count_of(mutant, 80), qbinom(0.9999, 80, mutant$bound))
})

test_that("a simulated job is always the same", {
  expect_identical({
    set.seed(7)
    simulate_runs(6, jobs = 2)
  }, {
    set.seed(7)
    simulate_runs(6, jobs = 2)
  })
  runs <- simulate_runs(6)
  expect_equal(as.vector(table(runs$cell, runs$revision, runs$mode)), rep(6, 16))
  # In a balanced quad, the positions of both diagonals add up to the same sum.
  sign_of_arm <- ifelse((runs$revision == "head") == (runs$mode == "swoole"), 1, -1)
  sums <- tapply(runs$position * sign_of_arm, paste(runs$block, runs$cell), sum)
  expect_true(all(sums == 0))
})

test_that("each noise has its own shape, on top of the noise of the machine", {
  set.seed(8)
  calm <- function(noise) {
    runs <- noisy_runs(2000, noise)
    # Neighbouring runs share the machine's drift, so differences of neighbours show the noise of the runs.
    lapply(split(log(runs$cpu), paste(runs$revision, runs$mode)), function(x) mad(diff(x)) / sqrt(2))
  }
  plain <- calm(list())
  expect_equal(plain[["base fpm"]], OWN_SD, tolerance = 0.15)
  uneven <- calm(NOISES[["head async of CV 6 %"]])
  expect_gt(uneven[["head swoole"]], 2.5 * uneven[["base swoole"]])

  heavy <- NOISES[["t3 tails"]]$own(1e5)
  expect_equal(sd(heavy), 1, tolerance = 0.1)
  expect_gt(mean(abs(heavy) > 4), 20 * 2 * pnorm(-4))

  slow <- rle(bursts(1e5))
  is_burst <- slow$values < 0
  expect_equal(mean(inverse.rle(slow) < 0), BURST_SHARE, tolerance = 0.2)
  expect_equal(mean(slow$lengths[is_burst]), BURST_LENGTH, tolerance = 0.2)
  expect_true(all(exp(slow$values[is_burst]) > 0.5 & exp(slow$values[is_burst]) < 0.8))
})

test_that("what slows the machine changes CPU time less than goodput", {
  set.seed(9)
  runs <- noisy_runs(2000, NOISES$bursts)
  mode <- factor(runs$mode)
  slope <- coef(lm(log(runs$cpu) ~ mode + log(runs$x)))[["log(runs$x)"]]
  # The runs' own noise in goodput makes the slope a little flatter than -1/5.
  expect_equal(slope, -0.2, tolerance = 0.2)
})

test_that("more instructions are found, and equal ones are not", {
  set.seed(10)
  counts <- list(sd = 0.004, tolerance = 0.05)
  expect_equal(verdict_on_counts(ALL(1 / 1.2), counts), "regressed")
  expect_equal(verdict_on_counts(ONE(1 / 1.2), counts), "regressed")
  expect_equal(verdict_on_counts(ALL(1), counts), "held")
})
