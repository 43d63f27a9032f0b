# Tests the growth of memory in a soak: it finds leaks, and takes nothing that fills up for one.
soaked <- function(bytes, requests = rep(1000, length(bytes)), of = "heap") {
  soak_growth(bytes, requests, SOAK_LEAST[[of]])
}

test_that("finds a leak with its size", {
  found <- soaked(rep(200 * 1000, 18))
  expect_equal(unlist(found[c("estimate", "low", "high")], use.names = FALSE), rep(200 * 1000 / 1024, 3))
  expect_true(found$grows)
  # The number of requests varies between slices, and so does the growth.
  set.seed(1)
  requests <- round(1000 * exp(rnorm(18, 0, 0.3)))
  found <- soaked(requests * 200 + rnorm(18, 0, 20000), requests)
  expect_true(found$grows)
  expect_lt(found$low, 200 * 1000 / 1024)
  expect_gt(found$high, 200 * 1000 / 1024)
})

test_that("memory that fills up, at once or in steps, is no leak", {
  expect_false(soaked(c(rep(5e6, 6), rep(0, 12)))$grows)
  expect_false(soaked(c(rep(5e6, 9), rep(0, 9)))$grows)
  # An array is enlarged now and then.
  expect_false(soaked(c(rep(0, 7), 2e6, rep(0, 4), 4e6, rep(0, 5)))$grows)
  # The memory grew in most of the slices, but no longer in the last ones.
  expect_false(soaked(c(rep(5e6, 14), rep(0, 4)))$grows)
})

test_that("constant memory, falls, small rises and noise are no leak", {
  expect_false(soaked(rep(0, 18))$grows)
  expect_false(soaked(rep(-1e6, 18))$grows)
  expect_false(soaked(rep(40 * 1000, 18))$grows)
  # The slices have few requests, each of which touches a new page.
  expect_false(soaked(rep(4096, 18), rep(10, 18), "whole")$grows)
  set.seed(2)
  alarms <- replicate(500, soaked(rnorm(18, 0, 1e6))$grows)
  # At most 2.5 % are alarms, with a margin for 500 soaks. PHP's own memory varies less than these readings.
  expect_lt(mean(alarms), 0.045)
})

test_that("the interval covers the median in at least 95 % of soaks", {
  set.seed(3)
  covered <- replicate(2000, {
    found <- soaked(rlnorm(18, 12, 1))
    truth <- exp(12) / 1024
    found$low <= truth && truth <= found$high
  })
  expect_gt(mean(covered), 0.945)
})

test_that("does not judge too few slices", {
  expect_null(soaked(rep(1e6, 7)))
  expect_null(soaked(rep(1e6, 18), c(rep(1000, 8), rep(0, 10))))
})
