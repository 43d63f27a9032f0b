# analysis.json, the summary and the plots.
table <- read.csv(fixture("gate_fail_all.csv"))
result <- analyse(samples_from(table), modes, gate_settings())

test_that("analysis.json has the promised keys and replays to the same bytes", {
  files <- c(tempfile(), tempfile())
  write_analysis(result$json, files[1])
  write_analysis(analyse(samples_from(table[sample(nrow(table)), ]), modes, gate_settings())$json, files[2])
  expect_identical(readLines(files[1]), readLines(files[2]))
  json <- jsonlite::fromJSON(files[1], simplifyVector = FALSE)
  expect_true(all(c("schema", "verdict", "reasons", "cells", "pooled", "metrics", "pairs", "anova", "t_test", "errors", "checks", "blocks", "looks", "excluded", "modes", "versions") %in% names(json)))
  expect_true(all(c("workload", "load", "gain_base", "gain_head", "change", "change_low", "change_high", "p_fail", "p_fail_holm", "p_pass", "mde90", "async_change", "sync_change", "verdict") %in% names(json$cells[[1]])))
  expect_length(json$cells, 4)
})

test_that("names with markup stay text in the summary", {
  rows <- samples_from(table)
  rows$workload <- "a|b<script>@x"
  rows$cell <- paste(rows$workload, rows$load, sep = "/")
  rows <- rows[!duplicated(rows[c("block", "cell", "revision", "mode")]), ]
  text <- paste(summary_lines(analyse(rows, modes, gate_settings())), collapse = "\n")
  expect_false(grepl("<script>", text, fixed = TRUE))
  # In code spans, where nothing is markup, without what could leave them.
  expect_match(text, "`a?b?script?@x/medium`", fixed = TRUE)
  expect_false(grepl("@x", gsub("`[^`\n]*`", "", text), fixed = TRUE))
})

test_that("every plot is drawn without a warning", {
  directory <- tempfile()
  drawn <- save_plots(plots(result), directory)
  expect_true(all(file.size(file.path(directory, paste0(drawn$name, ".png"))) > 5000))
  expect_true(all(nchar(drawn$alt) > 30))
})

test_that("a pass says why an interval may reach further, where it may", {
  expect_equal(
    pass_meaning(gate_settings()),
    "A pass excludes a loss of 10 % in every cell, not one of 5 %. The test is one-sided, so a 95 % CI may reach further."
  )
  expect_equal(pass_meaning(gate_settings(looks = 2)), "A pass excludes a loss of 10 % in every cell, not one of 5 %.")
})

test_that("a plot that cannot be drawn is named", {
  plot <- list(plot = ggplot2::ggplot(), alt = "")
  expect_error(save_plots(list(parts = plot), "/proc/none"), "the plot parts could not be drawn: .*none")
  lost <- ggplot2::ggplot(data.frame(x = c(1, NA)), ggplot2::aes(x, x)) + ggplot2::geom_point()
  expect_error(save_plots(list(parts = list(plot = lost, alt = "")), tempfile()), "the plot parts could not be drawn: .*missing values")
})

test_that("statements stand base beside head, and an arm that was not counted has none", {
  run <- jsonlite::fromJSON('{"statements": {
    "base/fpm": {"orders": {"select": 1}, "home": {}}, "head/fpm": {"orders": {"select": 13, "insert": 1}, "home": {}, "new": {"select": 5}}
  }}')
  table <- statements_table(list(run = run))
  expect_equal(table$workload, c("new", "orders", "orders"))
  expect_equal(table$statement, c("SELECT", "INSERT", "SELECT"))
  expect_equal(table$base, c("", "0", "1"))
  expect_equal(table$head, c("5", "1", "13"))
  expect_named(statements_table(list(run = list(statements = run$statements["head/fpm"]))), c("workload", "mode", "statement", "head"))
  expect_null(statements_table(list(run = list(statements = list("head/fpm" = list(home = list()))))))
  expect_null(statements_table(list(run = NULL)))
})
