# Tests the warnings about memory and its growth, and how often they are false.
source(calibration("recorded.R"))

leaking <- function(growth = c(1, 2670), peak = c(23, 120), blocks = 6, noise = 20) {
  set.seed(4)
  rows <- samples_from(quiet_runs(blocks))
  leaks <- rows$mode == "swoole"
  head <- rows$revision == "head"
  n <- nrow(rows)
  rows$peak_memory_mib <- ifelse(leaks, peak[1 + head], 30) * exp(rnorm(n, 0, 0.01))
  rows$memory_growth_kib_per_1k <- ifelse(leaks, growth[1 + head], 0) + rnorm(n, 0, noise)
  rows
}
quiet_runs <- function(blocks) {
  grid <- expand.grid(
    block = seq_len(blocks), cell = c("a/x", "b/x"), rev = c("base", "head"), mode = c("fpm", "swoole"),
    stringsAsFactors = FALSE
  )
  grid$x <- 1000 * exp(rnorm(nrow(grid), 0, 0.005))
  grid
}
result_of <- function(rows) analyse(rows, c("fpm", "swoole"), gate_settings())
text_of <- function(rows) paste(summary_lines(result_of(rows)), collapse = "\n")

test_that("the title of the section names a leak, even beside a pass", {
  result <- result_of(leaking())
  expect_equal(result$json$verdict, "pass")
  text <- text_of(leaking())
  expect_match(text, paste(
    "\n### \\S+ Memory: `swoole` grows by 2,6[0-9]{2} KiB per 1,000 requests in head,",
    "-?[0-9]{1,2} in base \\(in 2 cells, most in `[ab]/x`\\)\n"
  ))
  expect_match(
    text, "`a/x` *\\|`swoole` *\\| *2[0-9](\\.[0-9])?\\| *1[0-9]{2} \\S+\\| *-?[0-9]+\\| *2,6[0-9]{2} \\S+\\|"
  )
  expect_match(unlist(result$json$warnings), "`swoole` grows by", all = FALSE)
  rows <- result$json$checks$memory
  expect_equal(vapply(rows, `[[`, NA, "growth_rose"), vapply(rows, function(row) row$mode == "swoole", NA))
  # Constant numbers must not suppress the warning.
  expect_match(text_of(leaking(noise = 0)), "grows by 2,670 KiB per 1,000 requests in head, 1 in base")
})

test_that("a higher peak without growth is named as a peak", {
  expect_match(
    text_of(leaking(growth = c(0, 0))),
    "Memory: `swoole` peaks at 1[12][0-9] MiB in head, 2[0-9](\\.[0-9])? MiB in base"
  )
})

test_that("small rises, noise and falls only appear in the table", {
  quiet <- list(
    leaking(growth = c(0, 40), peak = c(30, 31)), leaking(growth = c(0, 500), peak = c(30, 30), noise = 2000),
    leaking(growth = c(2670, 1), peak = c(120, 23)), leaking(blocks = 5)
  )
  for (rows in quiet) {
    text <- text_of(rows)
    expect_match(text, "Memory and its growth: no rise is proven")
    expect_match(text, "growth head (KiB/1,000 req)", fixed = TRUE)
    expect_false(grepl("### \\S+ Memory", text))
  }
})

test_that("leaves out memory that was not measured", {
  rows <- leaking()
  rows$peak_memory_mib <- rows$memory_growth_kib_per_1k <- NA_real_
  expect_false(grepl("Memory", text_of(rows)))
  alone <- leaking()
  alone <- alone[alone$revision == "head", ]
  expect_match(text_of(alone), "peak head (MiB)", fixed = TRUE)
  expect_false(grepl("peak base", text_of(alone)))
})

test_that("recorded runs of unchanged code cause no warning", {
  warned <- function(condition, n = 100) {
    aa <- read_recording(calibration(file.path("recorded", condition)))[["0"]]
    by_block <- split(aa, aa$block)
    set.seed(6)
    mean(replicate(n, {
      rows <- memory_rows(experiment(do.call(rbind, by_block[sample(length(by_block), 10)]), c("fpm", "fibers")))
      any(rows$growth_rose | rows$peak_rose)
    }))
  }
  # Each of the two quantities has level 1 %. A rate of 2 % exceeds this bound once in ten thousand times.
  for (condition in c("quiet", "busy")) expect_lte(warned(condition), qbinom(0.9999, 100, 0.02) / 100)
})
