# Tests a study, which compares modes without base and head.
paper <- read.csv(fixture("paper_anova.csv"))
cells <- paste0("invoice/", paper$load)
rows <- samples_from(data.frame(block = paper$rep, cell = cells, rev = "head", mode = paper$mode, x = paper$y))
rows$concurrency <- ifelse(rows$load == "high", 32, 8)
study <- function(rows, modes) analyse(rows, modes, gate_settings(min_gain = 99), list(study = TRUE))
result <- study(rows, c("fpm", "swoole"))

test_that("a study has findings but no gate", {
  expect_equal(result$json$verdict, "not-gated")
  expect_match(
    result$json$reasons[[1]],
    "^`invoice`: the goodput of `swoole` against that of `fpm` is .* times at `medium` .*, .* times at `high`"
  )
  text <- summary_lines(result)
  expect_match(text[1], "Study")
  expect_false(any(grepl("Not gated|MDE90", text)))
})

test_that("compares an invoice study with the paper's table", {
  table <- paper_comparison(result)
  expect_equal(table$term, c("mode", "load", "mode:load", "Residuals"))
  expect_equal(as.numeric(table$F[1:3]), as.numeric(table[["paper: F"]][1:3]), tolerance = 1e-3)
  other <- rows
  other$workload <- "other"
  other$cell <- paste0("other/", other$load)
  expect_null(paper_comparison(study(other, c("fpm", "swoole"))))
})

test_that("a study with one mode, load or repetition reports what it can", {
  one_mode <- study(rows[rows$mode == "fpm", ], "fpm")$json
  expect_equal(one_mode$verdict, "not-gated")
  expect_equal(vapply(one_mode$anova, `[[`, "", "term")[1], "load")
  one_load <- study(rows[rows$load == "high", ], c("fpm", "swoole"))$json
  expect_equal(vapply(one_load$anova, `[[`, "", "term")[1:2], c("mode", "Residuals"))
  one_run <- study(rows[rows$block == 1, ], c("fpm", "swoole"))
  expect_match(one_run$json$reasons[[1]], "too few")
  expect_true(any(nzchar(summary_lines(one_run))))
})

test_that("marks the best load without errors from three loads on", {
  runs <- expand.grid(concurrency = c(1, 8, 64), mode = factor(c("fpm", "swoole")), n = 1:2)
  failed <- ifelse(runs$concurrency == 64 & runs$mode == "fpm", 3, 0)
  runs <- data.frame(runs, workload = "a", failed = failed, goodput_rps = runs$concurrency)
  best <- best_loads(runs)
  expect_equal(best$concurrency, c(8, 64 * 1.02))
  expect_null(best_loads(runs[runs$concurrency < 64, ]))
})
