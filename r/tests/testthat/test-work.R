# Tests `profile: work`, whose results have no runs: verdicts, texts and refusals.

#' Makes the lines of an instructions.csv.
#'
#' @param more share of additional instructions in head's asynchronous arm, per cell
counts_text <- function(more = c("a/x" = 0, "b/x" = 0), repetitions = 3, sd = 0.0005) {
  set.seed(5)
  rows <- expand.grid(
    mode = c("fpm", "fibers"), revision = c("base", "head"), repetition = seq_len(repetitions), cell = names(more),
    stringsAsFactors = FALSE
  )
  is_changed <- rows$revision == "head" & rows$mode == "fibers"
  each <- ifelse(rows$mode == "fibers", 4e5, 1.4e6) * ifelse(is_changed, 1 + more[rows$cell], 1)
  rows$total <- round(100 * each * exp(rnorm(nrow(rows), 0, sd)))
  rows$position <- ave(rows$total, rows$cell, rows$repetition, FUN = seq_along)
  rows
}
write_counts <- function(rows, directory) {
  parts <- strsplit(rows$cell, "/", fixed = TRUE)
  lines <- paste(
    "1", rows$repetition, rows$position, vapply(parts, `[`, "", 1), vapply(parts, `[`, "", 2),
    ifelse(rows$mode == "fibers", 4, 1), rows$revision, rows$mode, 100,
    format(rows$total, scientific = FALSE, trim = TRUE),
    format(rows$total / 100, digits = 10, scientific = FALSE, trim = TRUE),
    "valgrind",
    sep = ","
  )
  header <- paste(names(COUNT_COLUMNS), collapse = ",")
  writeLines(c(header, if (nrow(rows)) lines), file.path(directory, "instructions.csv"))
}
#' Makes a folder with the header of samples.csv, and with counts.
folder <- function(rows) {
  directory <- tempfile("work")
  dir.create(directory)
  writeLines(paste(names(SAMPLE_COLUMNS), collapse = ","), file.path(directory, "samples.csv"))
  if (!is.null(rows)) write_counts(rows, directory)
  file.path(directory, "samples.csv")
}
run_of <- function(cells = c("a", "b"), base = "abc", ...) {
  plan <- list(cells = data.frame(workload = cells, load = rep("x", length(cells))))
  list(plan = plan, commits = list(base = base), ...)
}
judged <- function(rows, ..., run = run_of(), modes = c("fpm", "fibers")) {
  file <- folder(rows)
  samples <- read_samples(file, modes)
  analyse(samples, modes, gate_settings(...), run, read_counts(samples, file))
}
reasons <- function(result) paste(unlist(result$json$reasons), collapse = " ")
summary_of <- function(result) paste(summary_lines(result), collapse = "\n")

test_that("counts alone can pass, and every text says that no time and no waiting was measured", {
  result <- judged(counts_text())
  expect_equal(result$json$verdict, "pass")
  expect_equal(result$json$metric, "instructions")
  expect_match(reasons(result), "gain of `fibers` over `fpm` in instructions per request held: .* over all cells")
  expect_match(reasons(result), "no time and no waiting was measured")
  expect_match(title_of(result), "Pass: the asynchronous gain in instructions held")
  text <- summary_of(result)
  expect_match(text, "no time and no waiting was measured")
  expect_match(text, "counted by Valgrind, 3 times each")
  expect_match(text, "<sub>24 counts.</sub>", fixed = TRUE)
  expect_false(grepl("goodput|blocks|CPU second", text))
  expect_equal(lengths(list(result$json$anova, result$json$pairs, result$json$warnings)), c(0, 0, 0))
})

test_that("more work in one cell is a regression, with the same figures as beside blocks", {
  result <- judged(counts_text(c("a/x" = 0.08, "b/x" = 0)))
  expect_equal(result$json$verdict, "regressed")
  expect_match(reasons(result), "in instructions per request fell by 7.[0-9] % in `a/x` .*: `fibers` 8.[0-9] % more")
  expect_match(title_of(result), "Regressed: the asynchronous gain in instructions per request fell")
  cells <- result$json$cells
  expect_equal(vapply(cells, `[[`, "", "verdict"), c("regressed", "pass"))
  expect_equal(cells[[1]]$change, 1 / 1.08, tolerance = 0.002)
  expect_match(summary_of(result), "\\|`a/x` +\\|regressed")
})

test_that("more work in the synchronous mode alone is a rise that names it, and less is no regression", {
  rows <- counts_text()
  is_moved <- rows$revision == "head" & rows$mode == "fpm"
  more <- transform(rows, total = ifelse(is_moved, round(1.2 * total), total))
  expect_match(title_of(judged(more)), "Pass: .* in instructions rose, because `fpm` does more work")
  less <- transform(rows, total = ifelse(is_moved, round(0.8 * total), total))
  result <- judged(less)
  expect_equal(result$json$verdict, "pass")
  expect_match(reasons(result), "only because `fpm` needs fewer instructions; `fibers` itself held")
})

test_that("a change that may exceed the resolution is inconclusive", {
  result <- judged(counts_text(c("a/x" = 0.095), sd = 0.02), run = run_of("a"))
  expect_equal(result$json$verdict, "inconclusive")
  expect_match(reasons(result), "A loss of 10.0 % of the gain in instructions is not excluded in `a/x`")
})

test_that("a cell that could not be counted prevents a pass", {
  rows <- counts_text()
  of_head <- rows[!(rows$revision == "head" & rows$mode == "fibers" & rows$cell == "b/x"), ]
  result <- judged(of_head)
  expect_equal(result$json$verdict, "inconclusive")
  expect_match(reasons(result), "The instructions of head could not be counted in `b/x`, those of base could")
  of_base <- rows[!(rows$revision == "base" & rows$cell == "b/x" & rows$repetition == 3), ]
  expect_equal(judged(of_base)$json$verdict, "invalid")
  # A planned cell has no count at all.
  nowhere <- judged(rows[rows$cell == "a/x", ])
  expect_equal(nowhere$json$verdict, "invalid")
  expect_match(reasons(nowhere), "The instructions of base could not be counted in `b/x`")
  # An object without keys, because that of other jobs has the metrics as keys.
  expect_equal(as.character(jsonlite::toJSON(nowhere$json$metrics)), "{}")
  # A proven loss in another cell decides nevertheless.
  lost <- counts_text(c("a/x" = 0.2, "b/x" = 0))
  lost <- lost[!(lost$revision == "head" & lost$mode == "fibers" & lost$cell == "b/x"), ]
  expect_equal(judged(lost)$json$verdict, "regressed")
})

test_that("gates nothing without a base, and names settings that need time", {
  none <- counts_text()[0, ]
  alone <- judged(none, run = run_of(base = NULL))
  expect_equal(alone$json$verdict, "not-gated")
  expect_match(reasons(alone), "There is no base to compare with.")
  expect_equal(judged(none, run = run_of(), modes = "fpm")$json$verdict, "not-gated")
  other <- run_of(ungated = data.frame(workload = c("a", "b"), why = "redefined"))
  expect_match(reasons(judged(counts_text(), run = other)), "define every workload differently")
  named <- judged(counts_text(), min_gain = 2, max_slowdown = 0.1)
  expect_equal(named$json$verdict, "pass")
  expect_match(reasons(named), "Not tested, since nothing but instructions was counted: `min-gain` and `max-slowdown`")
})

test_that("refuses a header without counts beside it, and half a measurement", {
  expect_error(judged(NULL), "contains no runs", class = "input_error")
  full <- file.path(tempfile("full"), "samples.csv")
  dir.create(dirname(full))
  grid <- expand.grid(
    block = 1:6, cell = "a/x", rev = c("base", "head"), mode = c("fpm", "fibers"), stringsAsFactors = FALSE
  )
  grid$x <- 500
  rows <- samples_from(grid)
  rows$position <- match(paste(rows$revision, rows$mode), unique(paste(rows$revision, rows$mode)))
  utils::write.csv(rows[names(SAMPLE_COLUMNS)], full, row.names = FALSE, quote = FALSE, na = "")
  expect_silent(read_samples(full))
  both <- c(full, folder(counts_text()))
  expect_error(read_samples(both), "contains no runs, and other files do", class = "input_error")
})
