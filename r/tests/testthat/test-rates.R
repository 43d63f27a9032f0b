# A small version of the acceptance numbers. Bounds are those that a right gate exceeds once in ten thousand times.
set.seed(42)
verdicts <- function(n, blocks, effect) vapply(seq_len(n), function(i) decide(experiment(simulate(blocks, effect), modes), gate_settings())$verdict, "")

test_that("an A/A job regresses almost never", {
  expect_lte(sum(verdicts(120, 10, c(1, 1, 1, 1)) == "regressed"), 4)
})

test_that("a loss of 10 % everywhere is found", {
  expect_gte(sum(verdicts(60, 10, rep(0.9, 4)) == "regressed"), 46)
})

test_that("the naive threshold on means fails where the gate holds", {
  naive <- vapply(1:120, function(i) {
    rows <- simulate(10)
    m <- tapply(rows$goodput_rps, paste(rows$revision, rows$mode, rows$cell), mean)
    cells <- unique(rows$cell)
    gain <- function(revision) m[paste(revision, "swoole", cells)] / m[paste(revision, "fpm", cells)]
    any(gain("head") / gain("base") < 0.95)
  }, logical(1))
  expect_gt(sum(naive), 4)
})
