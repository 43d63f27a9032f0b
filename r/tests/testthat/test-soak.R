# Growth of the memory in a soak: leaks are found, and what fills up is none.
soaked <- function(bytes, requests = rep(1000, length(bytes)), of = "heap") {
  soak_growth(bytes, requests, SOAK_LEAST[[of]])
}

test_that("a leak is found, with its size", {
  found <- soaked(rep(200 * 1000, 18))
  expect_equal(unlist(found[c("estimate", "low", "high")], use.names = FALSE), rep(200 * 1000 / 1024, 3))
  expect_true(found$grows)
  # The requests of a slice vary, and so does what it adds.
  set.seed(1)
  requests <- round(1000 * exp(rnorm(18, 0, 0.3)))
  found <- soaked(requests * 200 + rnorm(18, 0, 20000), requests)
  expect_true(found$grows)
  expect_lt(found$low, 200 * 1000 / 1024)
  expect_gt(found$high, 200 * 1000 / 1024)
})

test_that("what fills up, at once or in steps, is no leak", {
  expect_false(soaked(c(rep(5e6, 6), rep(0, 12)))$grows)
  expect_false(soaked(c(rep(5e6, 9), rep(0, 9)))$grows)
  # An array that is enlarged now and then.
  expect_false(soaked(c(rep(0, 7), 2e6, rep(0, 4), 4e6, rep(0, 5)))$grows)
  # It still grew over most of the slices, and no longer in the last ones.
  expect_false(soaked(c(rep(5e6, 14), rep(0, 4)))$grows)
})

test_that("nothing, falls, little and noise are no leak", {
  expect_false(soaked(rep(0, 18))$grows)
  expect_false(soaked(rep(-1e6, 18))$grows)
  expect_false(soaked(rep(40 * 1000, 18))$grows)
  # Few requests, each of which touches a page.
  expect_false(soaked(rep(4096, 18), rep(10, 18), "whole")$grows)
  set.seed(2)
  alarms <- replicate(500, soaked(rnorm(18, 0, 1e6))$grows)
  # At most 2.5 %, with room for 500 soaks. PHP's own memory does not vary like that.
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

test_that("too few slices are not judged", {
  expect_null(soaked(rep(1e6, 7)))
  expect_null(soaked(rep(1e6, 18), c(rep(1000, 8), rep(0, 10))))
})
