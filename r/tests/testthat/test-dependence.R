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
  expect_equal(chain_of(ar(5, 0.9, 1))$rho, rep(0, 4))
  expect_equal(chain_of(matrix(1, 10, 2))$rho, c(0, 0))
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

drift <- c(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
steady <- c(1, -1, -1, 1, 1, -1, -1, 1, -1, 1) / 10

test_that("cells that are not wide share one correlation, and a wide one may have a larger one of its own", {
  together <- chain_of(cbind(a = steady, b = rev(steady)))$rho
  expect_equal(together, c(0, 0))
  rho <- chain_of(cbind(a = drift, b = steady, c = rev(steady)))$rho
  expect_equal(rho, c(chain_of(cbind(drift))$rho, 0, 0))
  expect_gt(rho[1], 0.5)
  # A wide cell has at least what the others share.
  rho <- chain_of(cbind(a = 1000 * steady, b = drift, c = rev(drift)))$rho
  expect_equal(rho, rep(chain_of(cbind(drift, rev(drift)))$rho[1], 3))
  expect_gt(rho[1], 0.5)
})

test_that("a cell is wide above 25 times the median of the others' mean squares", {
  mean_square <- function(x) mean((winsorise(x) - mean(winsorise(x)))^2)
  of_square <- function(x, square) x * sqrt(square / mean_square(x))
  at <- function(first, others) {
    chain_of(cbind(of_square(drift, first), vapply(others, function(square) of_square(steady, square), steady)))$rho
  }
  expect_length(unique(at(24.9, 1)), 1)
  expect_length(unique(at(25.1, 1)), 2)
  # The median of 1, 3 and 100 is 3, and that of 1 and 3 is 2.
  expect_equal(at(74, c(1, 3, 100))[1], at(74, c(1, 3, 100))[2])
  expect_gt(at(76, c(1, 3, 100))[1], at(76, c(1, 3, 100))[2])
  expect_length(unique(at(49.9, c(1, 3))), 1)
  expect_length(unique(at(50.1, c(1, 3))), 2)
  # Beside cells without any spread, every spread is wide. A single cell never is.
  expect_equal(chain_of(cbind(drift, 0))$rho, c(chain_of(cbind(drift))$rho, 0))
})

test_that("a cell is widened by its own correlation, and the mean over cells by the largest", {
  d <- cbind(a = drift, b = steady)
  chain <- chain_of(d)
  alone <- yuen_cells(d)
  y <- yuen_cells(d, chain)
  expect_gt(y$se[1], 1.2 * alone$se[1])
  expect_equal(y$se[2], alone$se[2])
  pooled <- yuen_pooled(d)
  expect_equal(yuen_pooled(d, chain), widened(pooled, 10, chain_in_cell(chain, 1)))
  expect_gt(yuen_pooled(d, chain)$se, pooled$se)
})

test_that("a drifting cell does not widen the steady cells beside it", {
  set.seed(7)
  n <- repetitions(400, 100)
  widens <- replicate(n, {
    d <- cbind(cumsum(rnorm(6, 0.5, 0.1)), matrix(rnorm(18, 0, 0.01), 6))
    any(chain_of(d)$rho[2:4] > 0)
  })
  expect_lt(mean(widens), 0.08)
})

test_that("each test of a job uses the correlation of its cell", {
  grid <- expand.grid(
    block = 1:10, cell = c("a/x", "b/x"), rev = c("base", "head"), mode = modes, stringsAsFactors = FALSE
  )
  hit <- grid$rev == "head" & grid$mode == "swoole"
  of_block <- ifelse(grid$cell == "a/x", drift[grid$block] / 10, steady[grid$block] / 10)
  grid$x <- 1000 * exp(of_block * hit)
  result <- analyse(samples_from(grid), modes, gate_settings(min_gain = 0.5, max_slowdown = 0.05))
  wide <- chain_of(cbind(drift))$rho
  expect_equal(result$json$checks$dependence$goodput, wide)
  steady_p <- p_below(yuen(steady / 10), 0.95)
  expect_equal(result$decision$tests$goodput$cells$p_fail[2], steady_p)
  expect_equal(result$decision$min_gain$se, yuen_cells(cbind(drift, steady) / 10, chain_of(cbind(drift, steady)))$se)
  slowdown <- result$decision$slowdown
  expect_equal(slowdown$p[slowdown$cell == "b/x" & slowdown$mode == "swoole"], steady_p)
})

test_that("a sentence names the largest correlation, and whether it widens every limit", {
  expect_null(chain_clause(NO_CHAIN))
  clause <- function(...) chain_clause(list(rho = c(...), jobs = 1))
  expect_match(clause(0.5, 0.5), "(correlation 0.50), which widens every limit", fixed = TRUE)
  expect_match(clause(0, 0.7), "(correlation up to 0.70), which widens limits", fixed = TRUE)
})
