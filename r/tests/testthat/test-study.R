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

test_that("loads of a fixed rate are drawn against the rate, the slowest first", {
  rates <- c(storm = 900, busy = 300, calm = 60)
  runs <- expand.grid(load = names(rates), mode = c("fpm", "swoole"), block = 1:3, stringsAsFactors = FALSE)
  table <- data.frame(runs[c("block", "mode")], cell = paste0("page/", runs$load), rev = "head", x = rates[runs$load])
  rows <- samples_from(table)
  rows$concurrency <- 16
  plan <- data.frame(workload = "page", load = names(rates), rate = unname(rates))
  result <- analyse(rows, modes, gate_settings(), list(study = TRUE, plan = list(cells = plan)))
  drawn <- plots(result)
  expect_setequal(drawn$throughput_by_load$plot$data$concurrency, rates)
  expect_equal(drawn$throughput_by_load$plot$labels$x, "rate (requests/s)")
  expect_match(drawn$throughput_by_load$alt, "against the rate, .* triangles\\.$")
  expect_equal(levels(drawn$gain_by_load$plot$data$load), c("calm", "busy", "storm"))
  # Without a rate, the connections count.
  expect_equal(plots(study(rows, modes))$throughput_by_load$plot$labels$x, "connections")
})
