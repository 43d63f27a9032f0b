# Tests the error rates with fewer jobs than `npm test` (200 per scenario) and `npm run calibrate` simulate.
# A correct gate exceeds these bounds once in ten thousand times.
source(calibration("acceptance.R"))
count_of <- function(scenario, n) sum(verdicts_of(scenario, n, parallel::detectCores()) == scenario$counted)

# Shares without a promise are not tested. `npm run check` also leaves out adaptive jobs, which take longest.
is_held <- function(scenario) !is.na(scenario$promise) && repetitions(TRUE, !scenario$adapts)
for (s in Filter(is_held, ACCEPTANCE)) {
  n <- if (s$adapts) 16 else repetitions(32, 8)
  test_that(paste("simulated:", s$name, if (s$adapts) "adapts", s$counted, s$promise, s$bound), {
    if (s$promise == "at most") {
      expect_lte(count_of(s, n), qbinom(0.9999, n, s$bound))
    } else {
      expect_gte(count_of(s, n), qbinom(0.0001, n, s$bound))
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
