# Tests the error rates with the fewest jobs, for `npm run check`. `npm test` also simulates 60 per scenario, which
# includes adaptive jobs, and `npm run calibrate` 2,000. A correct gate exceeds these bounds once in ten thousand times.
source(calibration("acceptance.R"))
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
