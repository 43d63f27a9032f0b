# Tests analysis.json, the summary and the plots.
table <- read.csv(fixture("gate_fail_all.csv"))
result <- analyse(samples_from(table), modes, gate_settings())

test_that("analysis.json has the promised keys, and the same bytes each time", {
  files <- c(tempfile(), tempfile())
  write_analysis(result$json, files[1])
  write_analysis(analyse(samples_from(table[sample(nrow(table)), ]), modes, gate_settings())$json, files[2])
  expect_identical(readLines(files[1]), readLines(files[2]))
  json <- jsonlite::fromJSON(files[1], simplifyVector = FALSE)
  promised <- c(
    "schema", "verdict", "reasons", "cells", "pooled", "metrics", "pairs", "anova", "t_test", "errors", "checks",
    "blocks", "looks", "excluded", "modes", "versions"
  )
  expect_equal(setdiff(promised, names(json)), character())
  promised_of_cells <- c(
    "workload", "load", "gain_base", "gain_head", "change", "change_low", "change_high", "p_fail", "p_fail_holm",
    "p_pass", "mde90", "async_change", "sync_change", "verdict"
  )
  expect_equal(setdiff(promised_of_cells, names(json$cells[[1]])), character())
  expect_length(json$cells, 4)
  # Without a test, too, `metrics` is an object.
  untested <- analyse(samples_from(table[table$rev == "head", ]), modes, gate_settings())$json
  expect_equal(as.character(jsonlite::toJSON(untested$metrics)), "{}")
})

test_that("markup in names stays text in the summary", {
  rows <- samples_from(table)
  rows$workload <- "a|b<script>@x"
  rows$cell <- paste(rows$workload, rows$load, sep = "/")
  rows <- rows[!duplicated(rows[c("block", "cell", "revision", "mode")]), ]
  text <- paste(summary_lines(analyse(rows, modes, gate_settings())), collapse = "\n")
  expect_false(grepl("<script>", text, fixed = TRUE))
  # The name is in a code span, which has no markup, and without the characters that could end the span.
  expect_match(text, "`a?b?script?@x/medium`", fixed = TRUE)
  expect_false(grepl("@x", gsub("`[^`\n]*`", "", text), fixed = TRUE))
})

test_that("draws every plot without a warning", {
  directory <- tempfile()
  drawn <- save_plots(plots(result), directory)
  expect_true(all(file.size(file.path(directory, paste0(drawn$name, ".png"))) > 5000))
  expect_true(all(nchar(drawn$alt) > 30))
})

test_that("a pass explains an interval that reaches further than its promise", {
  expect_equal(
    pass_meaning(gate_settings()),
    paste(
      "A pass excludes a loss of 10 % in every cell, not one of 5 %.",
      "The test is one-sided, so a 95 % CI may reach further."
    )
  )
  expect_equal(pass_meaning(gate_settings(looks = 2)), "A pass excludes a loss of 10 % in every cell, not one of 5 %.")
})

test_that("names a plot that cannot be drawn", {
  plot <- list(plot = ggplot2::ggplot(), alt = "")
  expect_error(save_plots(list(parts = plot), "/proc/none"), "the plot parts could not be drawn: .*none")
  lost <- ggplot2::ggplot(data.frame(x = c(1, NA)), ggplot2::aes(x, x)) + ggplot2::geom_point()
  expect_error(
    save_plots(list(parts = list(plot = lost, alt = "")), tempfile()),
    "the plot parts could not be drawn: .*missing values"
  )
})

test_that("shows statements of base beside head, and none for an arm that was not counted", {
  run <- jsonlite::fromJSON('{"statements": {
    "base/fpm": {"orders": {"select": 1}, "home": {}},
    "head/fpm": {"orders": {"select": 13, "insert": 1}, "home": {}, "new": {"select": 5}}
  }}')
  table <- statements_table(list(run = run))
  expect_equal(table$workload, c("new", "orders", "orders"))
  expect_equal(table$statement, c("SELECT", "INSERT", "SELECT"))
  expect_equal(table$base, c("", "0", "1"))
  expect_equal(table$head, c("5", "1", "13"))
  head_only <- list(statements = run$statements["head/fpm"])
  expect_named(statements_table(list(run = head_only)), c("workload", "mode", "statement", "head"))
  expect_null(statements_table(list(run = list(statements = list("head/fpm" = list(home = list()))))))
  expect_null(statements_table(list(run = NULL)))
})

test_that("names machine, versions and settings in words", {
  run <- jsonlite::fromJSON('{
    "seed": 7, "gate": {"max-regression": 5, "min-gain": null}, "connections": 16,
    "commits": {"head": "abc", "base": null, "base_label": null},
    "plan": {"blocks": 10, "look_at": [10, 20], "predicted_seconds": 243, "cells": []},
    "facts": {
      "connections": 16, "machine": {"memory_gib": 24, "cpus": 2}, "cpu_sets": {"app": "all"},
      "database": {"private": true, "settings": {"max-connections": "1200"}},
      "composer_install": ["head: update --no-dev", "base: update --no-dev"],
      "ini": ["opcache.enable = 1", "memory_limit = \\"256M\\""]
    },
    "versions": {"ext-pdo_mysql": "8.2.36"}
  }')
  table <- facts_table(list(run = run))
  value_of <- stats::setNames(table$value, table$what)
  expect_equal(value_of[["machine: memory (GiB)"]], "24")
  expect_equal(value_of[["looks after blocks"]], "10; 20")
  expect_equal(value_of[["Composer"]], "head: update --no-dev; base: update --no-dev")
  expect_equal(value_of[["PHP setting opcache.enable"]], "1")
  expect_equal(value_of[["PHP setting memory_limit"]], "\"256M\"")
  expect_equal(value_of[["database: private"]], "yes")
  expect_equal(value_of[["database setting max-connections"]], "1200")
  expect_equal(value_of[["gate: max-regression"]], "5")
  expect_equal(value_of[["version of ext-pdo_mysql"]], "8.2.36")
  expect_equal(sum(table$what == "connections"), 1)
  told <- paste(table$what, table$value)[!grepl("^(PHP setting|version of)", table$what)]
  expect_false(any(grepl("facts|_|[a-z][0-9]$|TRUE", told)))
})

test_that("text is aligned to the left, and figures to the right", {
  table <- data.frame(
    load = "high", mode = "fpm", change = "-1.0 %", gain = "1.57x (1.48x to 1.66x)", p = "< 0.0001", blocks = 10
  )
  shown <- paste(capture.output(html_table(table, "Gain")), collapse = "")
  alignments <- regmatches(shown, gregexpr("(?<=<td style=\"text-align:)[a-z]+", shown, perl = TRUE))[[1]]
  expect_equal(alignments, c("left", "left", "right", "right", "right", "right"))
})

test_that("the checks of the measurement have columns in words, with yes or no", {
  checks <- list(list(
    cell = "home/low", mode = "fpm", shift = -0.214, p = 0.00001, p_holm = 0.2, allowed = 0.05, broken = FALSE
  ))
  table <- check_table("steady_state", checks)
  expect_named(table, c("cell", "mode", "shift", "allowed", "p", "p (Holm)", "too large"))
  expect_equal(c(table$shift, table$allowed, table$p), c("-21.4 %", "5.0 %", "< 0.0001"))
  shown <- paste(capture.output(html_table(table, "Steady state")), collapse = "")
  expect_match(shown, "<td[^>]*> no </td>")
  expect_null(check_table("little", NULL))
  for (name in names(result$json$checks)) {
    rows <- result$json$checks[[name]]
    if (!name %in% names(CHECK_COLUMNS) || !length(rows)) next
    expect_setequal(names(as.data.frame(rows[[1]])), names(CHECK_COLUMNS[[name]]))
  }
  expect_setequal(names(as.data.frame(result$json$errors$rates[[1]])), names(CHECK_COLUMNS$rates))
})

test_that("the report states the verdict once, names the modes, and lists differences after a regression", {
  expect_equal(report_title(result), "Asynchronous gain: swoole over fpm")
  expect_equal(page_title(result), "Asynchronous gain: regressed")
  expect_match(verdict_box(result), "<strong>Regressed: ", fixed = TRUE)
  expect_true(all(c("swoole", "fpm") %in% names(cell_table(result))))
  expect_false(any(c("async", "sync") %in% names(cell_table(result))))
  differences <- c("package `a/b`: `1` \u2192 `2`", "workload `<x>` makes 2 SELECT statements per request instead of 1")
  html <- differences_html(result, differences)
  expect_match(html, "<li>package <code>a/b</code>: <code>1</code> \u2192 <code>2</code></li>", fixed = TRUE)
  expect_match(html, "<code>&lt;x&gt;</code>", fixed = TRUE)
  expect_equal(differences_html(result, NULL), "")
  passed <- result
  passed$json$verdict <- "pass"
  expect_equal(differences_html(passed, differences), "")
})
