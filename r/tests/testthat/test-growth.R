# Tests the limits on growth of latency and memory: what they find, and how often they raise false alarms.
source(calibration("recorded.R"))

#' Makes ten blocks of two cells. p95 and peak memory of one arm of head are multiplied by a factor.
grown <- function(p95 = 1, memory = 1, mode = "swoole", cell = c("a/x", "b/x"), blocks = 10, spread = 0.02, seed = 1) {
  set.seed(seed)
  grid <- expand.grid(
    block = seq_len(blocks), cell = c("a/x", "b/x"), rev = c("base", "head"), mode = c("fpm", "swoole"),
    stringsAsFactors = FALSE
  )
  grid$x <- 1000 * exp(rnorm(nrow(grid), 0, 0.005))
  rows <- samples_from(grid)
  hit <- rows$revision == "head" & rows$mode == mode & rows$cell %in% cell
  rows$p95_ms <- 12 * ifelse(hit, p95, 1) * exp(rnorm(nrow(rows), 0, spread))
  rows$peak_memory_mib <- 40 * ifelse(hit, memory, 1) * exp(rnorm(nrow(rows), 0, spread))
  rows
}
limited <- function(rows, ..., max_p95_growth = 0.2, max_memory_growth = 0.2) {
  settings <- gate_settings(max_p95_growth = max_p95_growth, max_memory_growth = max_memory_growth, ...)
  analyse(rows, c("fpm", "swoole"), settings)
}
reasons_of <- function(result) paste(unlist(result$json$reasons), collapse = " ")
title <- function(result) summary_lines(result)[1]

test_that("tests nothing without a limit", {
  result <- analyse(grown(p95 = 3, memory = 3), c("fpm", "swoole"), gate_settings())
  expect_equal(result$json$verdict, "pass")
  expect_equal(result$json$checks$growth, list())
})

test_that("a growth beyond its limit regresses, and the reason names mode, cells and sizes", {
  result <- limited(grown(p95 = 1.5, cell = "a/x"))
  expect_equal(result$json$verdict, "regressed")
  expect_match(title(result), "Regressed: the 95th percentile latency of `swoole` grew$")
  expect_match(reasons_of(result), paste(
    "^The 95th percentile latency of `swoole` grew in `a/x` by (4[6-9]|5[0-4])\\.[0-9] %;",
    "`max-p95-growth` allows 20\\.0 %\\.$"
  ))
  both <- limited(grown(p95 = 1.5, memory = 2, mode = "fpm"))
  expect_match(
    title(both), "Regressed: the 95th percentile latency of `fpm` grew, and the peak memory of `fpm` grew$"
  )
  expect_match(reasons_of(both), "The peak memory of `fpm` grew in `a/x` by [0-9.]+ % and in `b/x` by [0-9.]+ %; `max")
  rows <- both$json$checks$growth
  expect_length(rows, 8)
  expect_equal(vapply(rows, `[[`, NA, "regressed"), vapply(rows, function(row) row$mode == "fpm", NA))
})

test_that("the limit itself, a fall and noise do not regress, and the summary says what would", {
  for (rows in list(grown(p95 = 1.2, memory = 1.2), grown(p95 = 0.5, memory = 0.5), grown(p95 = 1.5, spread = 0.6))) {
    result <- limited(rows)
    expect_equal(result$json$verdict, "pass")
    text <- paste(summary_lines(result), collapse = "\n")
    expect_match(text, "`max-p95-growth` allows 20\\.0 %: no larger growth is proven\\. One of [0-9.]+ % would")
    expect_match(text, "`max-memory-growth` allows 20\\.0 %: no larger growth")
  }
  # With more noise, the smallest growth that would be found is larger.
  least <- function(spread) max(vapply(limited(grown(spread = spread))$json$checks$growth, `[[`, 1, "mde90"))
  expect_lt(least(0.02), 0.3)
  expect_gt(least(0.3), 0.6)
})

test_that("a limit without figures prevents a pass", {
  none <- grown()
  none$peak_memory_mib <- NA_real_
  result <- limited(none)
  expect_equal(result$json$verdict, "inconclusive")
  expect_match(reasons_of(result), "`max-memory-growth` is not tested in `a/x` on `fpm`, `b/x` on `fpm`, ")
  expect_equal(limited(none, max_memory_growth = NULL)$json$verdict, "pass")
  # Head leaves out the blocks that would show its leak.
  hidden <- grown(memory = 2)
  hidden$peak_memory_mib[hidden$revision == "head" & hidden$mode == "swoole" & hidden$block > 3] <- NA
  expect_equal(limited(hidden)$json$verdict, "inconclusive")
  one <- grown(memory = 2)
  one$peak_memory_mib[which(one$revision == "head")[1]] <- NA
  expect_equal(limited(one)$json$verdict, "regressed")
})

test_that("two looks share the level, and a job without base has no limit", {
  rows <- grown(p95 = 1.24, spread = 0.05, seed = 3)
  p <- min(vapply(limited(rows)$json$checks$growth, `[[`, 1, "p_holm"))
  # This alpha puts p between the level of two looks and that of one.
  expect_equal(limited(rows, alpha = p * 1.5)$json$verdict, "regressed")
  expect_equal(limited(rows, alpha = p * 1.5, looks = 2)$json$verdict, "pass")
  alone <- rows[rows$revision == "head", ]
  expect_equal(limited(alone, min_gain = 0.5)$json$checks$growth, list())
})

test_that("recorded runs of unchanged code exceed no limit of 5 %", {
  exceeded <- function(condition, n = 60) {
    aa <- read_recording(calibration(file.path("recorded", condition)))[["0"]]
    by_block <- split(aa, aa$block)
    set.seed(6)
    settings <- gate_settings(max_p95_growth = 0.05, max_memory_growth = 0.05)
    mean(replicate(n, {
      rows <- do.call(rbind, by_block[sample(length(by_block), 10)])
      any(test_growth(experiment(rows, c("fpm", "fibers")), settings)$regressed)
    }))
  }
  # Each of the two limits has level 5 %. A rate of 10 % exceeds this bound once in ten thousand times.
  for (condition in c("quiet", "busy")) expect_lte(exceeded(condition), qbinom(0.9999, 60, 0.1) / 60)
})
