# Tests the text that people read: titles, sentences and tables of summary and report.

#' Makes a job of ten quiet blocks with one or two cells. The arms of head are multiplied by factors.
job <- function(async = 1, sync = 1, blocks = 10, cells = c("a/x", "b/x"), spread = 0.005, seed = 1) {
  set.seed(seed)
  grid <- expand.grid(
    block = seq_len(blocks), cell = cells, rev = c("base", "head"), mode = c("fpm", "swoole"),
    stringsAsFactors = FALSE
  )
  factor_of <- ifelse(grid$rev == "base", 1, ifelse(grid$mode == "swoole", async, sync))
  grid$x <- 1000 * ifelse(grid$mode == "swoole", 1.3, 1) * factor_of * exp(rnorm(nrow(grid), 0, spread))
  grid
}
judged <- function(table, ..., run = NULL, rows = samples_from(table)) {
  analyse(rows, c("fpm", "swoole"), gate_settings(...), run)
}
text_of <- function(result) paste(summary_lines(result), collapse = "\n")
reasons_of <- function(result) paste(unlist(result$json$reasons), collapse = " ")
title <- function(result) summary_lines(result)[1]
count <- function(pattern, text) lengths(regmatches(text, gregexpr(pattern, text, perl = TRUE)))

test_that("names are in code spans everywhere", {
  named <- function(table) {
    names <- c("a/x" = "www.evil.example/GH-1", "b/x" = "invoice/GH-2")
    table$cell <- names[table$cell]
    table
  }
  lapply(list(
    judged(named(job())), judged(named(job(async = 0.8))), judged(named(job(sync = 1.3))),
    judged(named(job(async = 0.8, sync = 0.8)), max_slowdown = 0.1), judged(named(job()), min_gain = 2),
    judged(named(job(spread = 0.2))), judged(named(job(async = 0.7, sync = 0.7)))
  ), function(result) {
    # The chart becomes a picture, in which GitHub links nothing.
    text <- sub("```mermaid.*?```", "", text_of(result))
    outside <- gsub("`[^`\n]*`", "", text)
    expect_match(text, "`www.evil.example/GH-1`", fixed = TRUE)
    expect_false(grepl("www\\.|GH-|swoole|fpm", outside), info = outside)
  })
})

test_that("the title of a regression names what regressed", {
  expect_match(title(judged(job(async = 0.8))), "Regressed: the asynchronous gain fell$")
  both <- judged(job(async = 0.8, sync = 0.8), max_slowdown = 0.1)
  expect_match(title(both), "Regressed: `fpm` and `swoole` became slower$")
  expect_match(title(judged(job(), min_gain = 2)), "Regressed: the required gain is missed$")
  expect_match(
    title(judged(job(async = 0.8), max_slowdown = 0.1)),
    "Regressed: the asynchronous gain fell, and `swoole` became slower$"
  )
  rows <- samples_from(job())
  rows$failed[rows$revision == "head" & rows$mode == "swoole"] <- 10
  expect_match(title(judged(rows = rows)), "Regressed: head answers with errors$")
  table <- job()
  cpu <- 1e6 / table$x * ifelse(table$mode == "swoole" & table$rev == "head", 1.3, 1)
  costly <- judged(rows = samples_from(table, cpu))
  expect_match(title(costly), "Regressed: the asynchronous gain in CPU time fell$")
  # The table must also show the figures that decided.
  of_cpu <- "\\|`a/x`, CPU time per request +\\|regressed +\\|[^\n]*\\*\\*-2[0-9]\\.[0-9]\u00a0%\\*\\*"
  expect_match(text_of(costly), of_cpu)
  expect_false(grepl("CPU time per request +\\|", text_of(judged(job(async = 0.8)))))
  in_report <- cell_table(costly)
  expect_equal(unique(in_report$metric), c("goodput", "CPU time per request"))
  expect_match(tail(in_report$change, 1), "^-2[0-9]\\.[0-9] %$")
  expect_equal(in_report$verdict, rep(c("pass", "regressed"), each = 2))
  expect_match(text_of(costly), "\\|`a/x`, goodput +\\|pass +\\|")
  expect_null(cell_table(judged(job(async = 0.8)))$metric)
  expect_match(text_of(judged(job(blocks = 1))), "<sub>1 block[,.]")
})

test_that("the title of a pass names what is proven", {
  expect_match(title(judged(job())), "Pass: the asynchronous gain held$")
  risen <- judged(job(async = 15))
  expect_match(title(risen), "Pass: the asynchronous gain rose$")
  expect_false(grepl("held", text_of(risen)))
  expect_match(reasons_of(risen), "^The gain of `swoole` over `fpm` rose by 1[45][0-9]{2}\\.[0-9] % over all cells")
  moved <- "%\\): `swoole` 15 times as fast, `fpm` changed by less than 1 %\\. A loss of"
  expect_match(reasons_of(risen), moved)
  cache_off <- judged(job(sync = 0.77))
  expect_match(title(cache_off), "Pass: the asynchronous gain rose, because `fpm` became slower$")
  because <- "rose by [0-9.]+ % .*: `swoole` changed by less than 1 %, `fpm` 2[0-9]\\.[0-9] % slower\\."
  expect_match(reasons_of(cache_off), because)
  alone <- judged(subset(job(), rev == "head"), min_gain = 1.1)
  expect_match(title(alone), "Pass: the required gain is proven$")
  spared <- judged(job(sync = 1.3))
  expect_match(title(spared), "Pass: `swoole` held$")
  expect_false(grepl("gain of `swoole` over `fpm` held|in every other cell", reasons_of(spared)))
})

test_that("a pass warns in bold if both modes are proven slower", {
  slower <- judged(job(async = 0.69, sync = 0.69))
  expect_equal(slower$json$verdict, "pass")
  text <- text_of(slower)
  expect_match(text, paste(
    "\\*\\*\\S+ Both modes are slower over all cells: `fpm` by 3[01]\\.[0-9] %, `swoole` by 3[01]\\.[0-9] %\\.",
    "The gain is blind to .*`max-slowdown`.*\\*\\*"
  ))
  expect_match(unlist(slower$json$warnings), "Both modes are slower", all = FALSE)
  half <- judged(job(async = 0.8, sync = 0.8, cells = "a/x") |> rbind(job(cells = "b/x")))
  expect_match(text_of(half), "Both modes are slower in `a/x`")
  for (result in list(judged(job()), judged(job(sync = 0.8)), judged(job(async = 0.96, sync = 0.96)),
    judged(job(async = 0.96, sync = 0.96, spread = 0.3)))) {
    expect_false(grepl("Both modes", text_of(result)))
  }
  # If max-slowdown regressed, the reasons say it already.
  expect_false(grepl("Both modes", text_of(judged(job(async = 0.69, sync = 0.69), max_slowdown = 0.1))))
  expect_match(
    text_of(judged(job(async = 0.69, sync = 0.69), max_slowdown = 0.5)), "Both modes.*`max-slowdown` allows 50"
  )
})

test_that("gains, changes and parts multiply to the numbers beside them", {
  for (seed in 1:8) {
    three <- job(spread = 0.15, seed = seed)
    extra <- transform(three[three$mode == "fpm", ], mode = "swoole-sync")
    extra$x <- extra$x * exp(rnorm(nrow(extra), 0.1, 0.15))
    result <- analyse(samples_from(rbind(three, extra)), c("fpm", "swoole", "swoole-sync"), gate_settings())
    for (metric in result$json$metrics) for (cell in metric$cells) {
      expect_equal(cell$gain_head / cell$gain_base, cell$change, tolerance = 1e-12)
      expect_equal(cell$async_change / cell$sync_change, cell$change, tolerance = 1e-12)
    }
    pooled <- result$json$pooled
    expect_equal(pooled$async_change / pooled$sync_change, pooled$change, tolerance = 1e-12)
    for (cell in result$json$cells) {
      pairs <- Filter(function(pair) pair$cell == paste(cell$workload, cell$load, sep = "/"), result$json$pairs)
      whole <- Filter(function(pair) !pair$step, pairs)[[1]]
      steps <- Filter(function(pair) pair$step, pairs)
      expect_equal(
        c(whole$gain, whole$change, whole$change_low, whole$change_high),
        c(cell$gain_head, cell$change, cell$change_low, cell$change_high), tolerance = 1e-12
      )
      expect_equal(prod(vapply(steps, `[[`, 1, "gain")), whole$gain, tolerance = 1e-12)
      expect_equal(prod(vapply(steps, `[[`, 1, "change")), whole$change, tolerance = 1e-12)
    }
  }
})

test_that("mentions a single cell once", {
  one <- function(...) job(..., cells = "a/x")
  for (result in list(judged(one()), judged(one(async = 0.8)), judged(one(sync = 1.3)), judged(one(spread = 0.05)))) {
    text <- text_of(result)
    expect_equal(count("all cells", text), 0, info = text)
    expect_lte(count("95 % CI -?\\+?[0-9]", reasons_of(result)), 1)
  }
  expect_length(judged(one(async = 0.8))$json$reasons, 1)
})

test_that("an undecided mode is not called both unchanged and unproven", {
  expect_equal(moved_text(1.002, "slower", "faster"), "changed by less than 1 %")
  set.seed(2)
  texts <- vapply(1:15, function(seed) {
    table <- job(sync = 1.15, seed = seed)
    moment <- interaction(table$block, table$rev, table$cell)
    table$x <- table$x * exp(rnorm(nlevels(moment), 0, 0.05))[moment]
    reasons_of(judged(table))
  }, "")
  unclear <- grep("`fpm` improved", texts, value = TRUE)
  expect_gt(length(unclear), 3)
  expect_false(any(grepl("did not move|proven neither", texts)))
  expect_match(unclear, "It is not proven whether `swoole` held or lost more than 5.0 % \\(estimate: ")
})

test_that("shows a rise to three times or more as a factor", {
  expect_equal(
    moved_text(c(0.026, 2.99, 3.305, 39.174, 1402.1), "slower", "faster", "as fast"),
    c("97.4 % slower", "199.0 % faster", "3.3 times as fast", "39 times as fast", "1,402 times as fast")
  )
  table <- job(async = 0.02)
  costly <- judged(rows = samples_from(table, 1e6 / table$x))
  expect_match(reasons_of(costly), "`swoole` (49|50|51) times the CPU time, `fpm` changed by less than 1 %\\.")
  expect_false(grepl("more CPU time", reasons_of(costly)))
})

test_that("no cell is called not gated if errors of head decide or the measurement is invalid", {
  rows <- samples_from(job())
  verdicts <- function(result) {
    in_summary <- regmatches(text_of(result), gregexpr("`[ab]/x` *\\|[^|]+", text_of(result)))[[1]]
    in_summary <- trimws(sub(".*\\|", "", in_summary[1:2]))
    expect_equal(cell_table(result)$verdict, gsub("\u00a0", " ", in_summary, fixed = TRUE))
    cell_table(result)$verdict
  }
  fallen <- rows$mode == "swoole" & rows$cell == "a/x"
  rows[fallen & rows$revision == "head", c("goodput_rps", "succeeded", "failed")] <- list(0, 0, 1000)
  regressed <- judged(rows = rows)
  expect_equal(regressed$json$verdict, "regressed")
  expect_equal(verdicts(regressed), c("regressed", "not tested"))
  rows[fallen, c("goodput_rps", "succeeded", "failed")] <- list(0, 0, 1000)
  invalid <- judged(rows = rows)
  expect_equal(invalid$json$verdict, "invalid")
  expect_equal(verdicts(invalid), c("invalid", "invalid"))
  expect_equal(verdicts(judged(job(blocks = 5))), c("not-gated", "not-gated"))
  # The JSON keeps the verdicts of the tests.
  expect_equal(unique(vapply(regressed$json$cells, `[[`, "", "verdict")), "not-gated")
})

test_that("no cell of a job that is not gated is called passed", {
  few <- judged(job(blocks = 5))
  expect_equal(few$json$verdict, "not-gated")
  expect_equal(unique(vapply(few$json$cells, `[[`, "", "verdict")), "not-gated")
})

test_that("text from others makes no link, mention or reference in a comment", {
  text <- as_markdown("@all www.evil.example https://evil.example #12 GH-12 a*b `www.evil.example` <b>|_x_ `")
  expect_equal(
    text,
    paste0(
      "@&#8203;all www&#8203;.evil.example https:&#8203;//evil.example #&#8203;12 GH-&#8203;12 a\\*b ",
      "`www.evil.example` &lt;b&gt;\\|\\_x\\_ \\`"
    )
  )
  expect_equal(code("a`b|c<d>\ne\u00e9"), "`a?b?c?d??e?`")
  expect_equal(as_html("`a` <b>"), "<code>a</code> &lt;b&gt;")
  result <- judged(job(), run = list(warnings = c("`www.x.example`: new", "see www.x.example")))
  expect_match(text_of(result), "- `www.x.example`: new\n- see www&#8203;.x.example", fixed = TRUE)
})

test_that("has few sentences even for many cells", {
  regressed <- judged(job(async = 0.8))
  expect_length(regressed$json$reasons, 2)
  expect_match(
    regressed$json$reasons[[2]], "^Cells in which this is proven: `a/x` \\(-[0-9.]+ %\\), `b/x` \\(-[0-9.]+ %\\)\\.$"
  )
  slower <- judged(job(async = 0.7, sync = 0.7), max_slowdown = 0.1)
  beginnings <- sub("[0-9.]+ % and.*", "", unlist(slower$json$reasons))
  expect_equal(beginnings, sprintf("`%s` became slower in `a/x` by ", c("fpm", "swoole")))
  expect_match(slower$json$reasons[[1]], "; `max-slowdown` allows 10.0 %.", fixed = TRUE)
  expect_match(
    reasons_of(judged(job(sync = 1.3))), "^The gain in goodput fell in every cell only because `fpm` became faster"
  )
})

test_that("the title counts the cells that a pull request took out of the gate, and explains an ungated job", {
  run <- list(ungated = data.frame(workload = c("b", "c", "d"), why = c("redefined", "new", "dropped")))
  result <- judged(job(), run = run)
  expect_match(
    title(result),
    "Pass: the asynchronous gain held (1 of 3 cells gated: this pull request changes what the others measure)",
    fixed = TRUE
  )
  added <- judged(job(), run = list(ungated = data.frame(workload = "c", why = "new")))
  expect_match(title(added), "Pass: the asynchronous gain held$")
  alone <- job()[job()$rev == "head", ]
  unable <- judged(alone, run = list(commits = list(without_base = "Base (abc) has no configuration yet.\n  more")))
  expect_match(title(unable), "Not gated: Base (abc) has no configuration yet", fixed = TRUE)
  # Only one cell is left, so the table has no pool.
  expect_false(grepl("all cells", text_of(result)))
  expect_match(text_of(result), "`b/x` *\\|not-gated")
})

test_that("a regression says how much the gain fell, but not what a pass would mean", {
  regressed <- judged(job(async = 0.8))
  expect_match(
    reasons_of(regressed),
    "^The gain of .* fell by (19|20)\\.[0-9] % over all cells \\(95 % CI -2[0-9]\\.[0-9] % to -1[0-9]\\.[0-9] %\\): "
  )
  expect_false(grepl("A pass excludes", text_of(regressed)))
  expect_match(text_of(judged(job())), "A pass excludes")
  expect_match(text_of(judged(job())), "<sub>10 blocks[^l]*</sub>")
  expect_match(text_of(judged(job(), looks = 2)), "<sub>10 blocks, judged up to 2 times")
})
