# Tests the widening of intervals for blocks that resemble their neighbours.
ar <- function(n, rho, sd, columns = 4) {
  one <- function() {
    stats::filter(rnorm(n, 0, sd * sqrt(1 - rho^2)), rho, "recursive", init = rnorm(1, 0, sd))
  }
  matrix(replicate(columns, as.vector(one())), n)
}
rates <- function(rho, sd, loss, n = repetitions(400, 100)) {
  set.seed(5)
  mean(replicate(n, {
    d <- ar(20, rho, sd) + log(1 - loss)
    y <- yuen_cells(d, chain_of(d))
    any(p.adjust(p_below(y, 0.95), "holm") < 0.0125)
  }))
}

test_that("a loss equal to the tolerance raises no more alarms than allowed if blocks depend on each other", {
  # Goodput has half of the level at one of two looks, and its cells have half of that: 1.25 %.
  expect_lte(rates(0, 0.04, 0.05), 0.03)
  expect_lte(rates(0.5, 0.02, 0.05), 0.05)
  expect_lte(rates(0.8, 0.04, 0.05), 0.05)
  # Without the widening, one in four would be an alarm.
  set.seed(5)
  naive <- mean(replicate(400, {
    y <- yuen_cells(ar(20, 0.8, 0.04) + log(0.95))
    any(p.adjust(p_below(y, 0.95), "holm") < 0.0125)
  }))
  expect_gt(naive, 0.25)
})

test_that("the correlation is estimated without bias, and chance is no correlation", {
  set.seed(6)
  mean_of <- function(rho) mean(replicate(300, chain_of(ar(20, rho, 1))$rho))
  expect_equal(mean_of(0.8), 0.8, tolerance = 0.1)
  expect_lt(mean(replicate(300, chain_of(ar(10, 0, 1))$rho > 0)), 0.06)
  expect_equal(chain_of(ar(5, 0.9, 1))$rho, 0)
  expect_equal(chain_of(matrix(1, 10, 2))$rho, 0)
})

test_that("blocks of different jobs are not neighbours, and lost blocks do not break the chain", {
  d <- matrix(rep(c(0, 1, 2, 3), each = 6) + rnorm(24, 0, 0.1), 24)
  expect_gt(chain_of(d)$rho, 0.5)
  # With another order of rows, a block resembles its neighbour only within its job.
  job <- rep(1:4, each = 6)
  expect_gt(chain_of(d, job)$rho, 0.5)
  alternating <- order(rep(1:6, 4), job)
  expect_equal(chain_of(d[alternating, , drop = FALSE], seq_len(24))$rho, 0)
  lost <- rbind(d[1:10, , drop = FALSE], NA, d[11:24, , drop = FALSE])
  expect_equal(chain_of(lost), chain_of(d))
})

test_that("the widening is that of the mean of an autoregressive process", {
  # This is V by hand for k = 6: 1 + 2 sum (1 - j/6) 0.5^j.
  v <- 1 + 2 * (5 / 6 * 0.5 + 4 / 6 * 0.25 + 3 / 6 * 0.125 + 2 / 6 * 0.0625 + 1 / 6 * 0.03125)
  wide <- widened(list(m = 0, se = 1, df = 9), 6, list(rho = 0.5, jobs = 1))
  expect_equal(wide, list(m = 0, se = sqrt(v * 5 / (6 - v)), df = 9 / v))
  expect_equal(widened(list(m = 0, se = 1, df = 9), 6, NO_CHAIN), list(m = 0, se = 1, df = 9))
  expect_equal(widened(list(m = 0, se = 1, df = 2), 6, list(rho = 0.95, jobs = 1))$df, 1)
})
