# Tests which noise the reasons name, and that noise does not break the checks of the measurement.

noisy <- function(spread, blocks = 10, seed = 3) {
  set.seed(seed)
  grid <- expand.grid(
    block = seq_len(blocks), cell = c("a/x", "b/x"), rev = c("base", "head"), mode = c("fpm", "swoole"),
    stringsAsFactors = FALSE
  )
  grid$x <- 1000 * exp(rnorm(nrow(grid), 0, spread[grid$mode]))
  samples_from(grid)
}
reasons_of <- function(rows, run = NULL, ...) {
  paste(unlist(analyse(rows, c("fpm", "swoole"), gate_settings(...), run)$json$reasons), collapse = " ")
}

test_that("an inconclusive verdict names the noise that left it open", {
  rows <- noisy(c(fpm = 0.15, swoole = 0.03))
  expect_match(reasons_of(rows), "The noise: `fpm` varies by 1[0-9] % from run to run, `swoole` by 3 %\\.")
  rows$attempt[rows$block == 4 & rows$cell == "a/x"] <- 2
  run <- list(probes_ms = c(90, 110, 90, 110), runs = data.frame(idle = rep(c(TRUE, FALSE), c(28, 52))))
  expect_match(
    reasons_of(rows, run),
    paste(
      "`swoole` by 3 %; the CPU probe varied by 12 %; 1 of 20 quads was run again because of its CPU probe;",
      "the machine was never idle before 52 of 80 runs\\."
    )
  )
  run$runs$stolen <- rep(c(0, 0.12), c(60, 20))
  expect_match(reasons_of(rows, run), "; the hypervisor gave 3 % of the CPU time to others, at most 12 % during a run;")
  run$runs$stolen <- 0.001
  expect_false(grepl("hypervisor", reasons_of(rows, run)))
  # A quiet machine has no noise to name, and a pass was not left open by noise.
  expect_false(grepl("noise", reasons_of(noisy(c(fpm = 0.005, swoole = 0.005)))))
  # If the change lies between the two limits, noise is not the cause.
  between <- noisy(c(fpm = 0.011, swoole = 0.011))
  between$goodput_rps <- between$goodput_rps * ifelse(between$revision == "head" & between$mode == "swoole", 0.93, 1)
  expect_false(grepl("noise", reasons_of(between, max_regression = 0.1, resolution = 0.05)))
})

#' Makes quiet blocks in which the second halves of head's runs differ from base's.
shifted <- function(by, spread, blocks = 12, seed = 1) {
  rows <- noisy(c(fpm = 0.005, swoole = 0.005), blocks, seed)
  head <- rows$revision == "head"
  shifted <- head & rows$mode == "fpm" & rows$cell == "a/x"
  rows$half_ratio <- ifelse(shifted, 1 + by, 1) * exp(rnorm(nrow(rows), 0, spread))
  rows
}
verdict_of <- function(rows, ...) analyse(rows, c("fpm", "swoole"), gate_settings(...))$json$verdict

test_that("a shift within a run prevents a pass only if it is proven to exceed half of the resolution", {
  expect_equal(verdict_of(shifted(0.031, 0.01)), "pass")
  expect_equal(verdict_of(shifted(-0.09, 0.01)), "inconclusive")
  expect_equal(verdict_of(shifted(0.09, 0.01)), "inconclusive")
  # The estimate is above the limit, but that is not proven.
  expect_equal(verdict_of(shifted(0.06, 0.05)), "pass")
  expect_equal(verdict_of(shifted(0.031, 0.005), resolution = 0.04, max_regression = 0.03), "inconclusive")
  expect_match(
    reasons_of(shifted(-0.09, 0.01)),
    paste(
      "`a/x` on `fpm` did not reach a steady state: from the first half of a run to the second its rate moves by",
      "-[89]\\.[0-9] % against base; 5\\.0 % is allowed\\."
    )
  )
})

test_that("the check of the steady state keeps its level for the largest allowed shift", {
  broken <- vapply(1:200, function(seed) {
    set.seed(seed)
    rows <- noisy(c(fpm = 0.005, swoole = 0.005), 10, seed)
    # Every cell and mode reaches the limit.
    rows$half_ratio <- ifelse(rows$revision == "head", 1.05, 1) * exp(rnorm(nrow(rows), 0, 0.04))
    any(steady_state(experiment(rows, c("fpm", "swoole")), gate_settings())$broken)
  }, NA)
  expect_lte(sum(broken), qbinom(0.9999, 200, 0.05))
  expect_gte(sum(broken), qbinom(0.0001, 200, 0.02))
})

test_that("the mean along the change equals Yuen's for the change, and its interval covers the true value", {
  set.seed(9)
  d <- rnorm(10)
  expect_equal(yuen_along(d, d), yuen(d))
  expect_equal(yuen_along(3 - 2 * d, d)$se, 2 * yuen(d)$se)
  expect_null(yuen_along(c(NaN, NaN, 1), 1:3))
  for (rho in c(0, 0.7)) {
    covered <- vapply(1:1500, function(i) {
      d <- rnorm(10)
      # One run in ten is an outlier, as in the change.
      d <- d + (runif(10) < 0.1) * rnorm(10, 0, 10)
      y <- rho * d + sqrt(1 - rho^2) * rnorm(10)
      centre <- yuen_along(y, d)
      abs(centre$m) < qt(0.975, centre$df) * centre$se
    }, NA)
    expect_gte(mean(covered), 0.93)
  }
})
