# Tests what is read of instructions.csv, how it is tested, and what it may decide.
set.seed(4)
grid_of <- function(blocks, change = 1, sd = 0.005, cells = c("a/x", "b/x")) {
  grid <- expand.grid(
    block = seq_len(blocks), cell = cells, rev = c("base", "head"), mode = modes, stringsAsFactors = FALSE
  )
  is_changed <- grid$mode == "swoole" & grid$rev == "head"
  grid$x <- 1000 * exp(rnorm(nrow(grid), 0, sd)) * ifelse(grid$mode == "swoole", 1.3, 1) * ifelse(is_changed, change, 1)
  grid
}
#' @param more share of additional instructions in head's asynchronous arm, per cell
counts_of <- function(more = c("a/x" = 0, "b/x" = 0), sd = 0.001, repetitions = 4, faster_sync = 1, job = "1") {
  counts <- expand.grid(
    repetition = seq_len(repetitions), cell = names(more), revision = c("base", "head"), mode = modes,
    stringsAsFactors = FALSE
  )
  is_head <- counts$revision == "head"
  is_async <- counts$mode == "swoole"
  counts$instructions_per_request <- ifelse(is_async, 5e4, 1e6) * ifelse(is_head & is_async, 1 + more[counts$cell], 1) *
    ifelse(is_head & !is_async, faster_sync, 1) * exp(rnorm(nrow(counts), 0, sd))
  counts$requests <- 100
  counts$tool <- "valgrind"
  counts$job <- job
  counts
}
judged <- function(counts, change = 1, sd = 0.005, ..., cpu = NULL) {
  samples <- samples_from(grid_of(10, change, sd), cpu = cpu)
  analyse(samples, modes, gate_settings(...), counts = counts)
}
reasons <- function(result) paste(unlist(result$json$reasons), collapse = " ")

test_that("a mode is tested by Student's t, and the change is the contrast of four means", {
  counts <- counts_of(c("a/x" = 0.04), sd = 0.03)
  result <- judged(counts)
  test <- result$decision$tests$instructions
  logs <- function(revision, mode) {
    log(1 / counts$instructions_per_request[counts$revision == revision & counts$mode == mode])
  }
  student <- t.test(logs("head", "swoole"), logs("base", "swoole"), var.equal = TRUE)
  expect_equal(test$cells$async_m, unname(diff(rev(student$estimate))))
  expect_equal(test$cells$async_se, student$stderr)
  of <- function(statistic) {
    arms <- list(logs("head", "swoole"), logs("head", "fpm"), logs("base", "swoole"), logs("base", "fpm"))
    vapply(arms, statistic, numeric(1))
  }
  expect_equal(log(test$cells$change), sum(of(mean) * c(1, -1, -1, 1)))
  # Each mode contributes twice its variance over four counts, with 6 df.
  v <- 2 * c(mean(of(var)[c(1, 3)]), mean(of(var)[c(2, 4)])) / 4
  expect_equal(test$cells$se, sqrt(sum(v)))
  expect_equal(test$cells$df, sum(v)^2 / sum(v^2 / 6))
  expect_equal(result$json$metrics$instructions$cells[[1]]$change, test$cells$change)
  expect_equal(result$json$metrics$instructions$pooled$change, test$pooled$change)
})

test_that("equal counts have the smallest allowed spread", {
  test <- judged(counts_of(c("a/x" = 0.0505), sd = 0))$decision$tests$instructions
  expect_equal(test$cells$se, sqrt(4 * LEAST_COUNT_SD^2 / 4))
  expect_gt(test$cells$p_fail, 0.2)
})

test_that("finds a loss that time does not show, in one cell and over all", {
  result <- judged(counts_of(c("a/x" = 0.08, "b/x" = 0)), sd = 0.1)
  expect_equal(result$json$verdict, "regressed")
  expect_match(reasons(result), paste(
    "The gain of `swoole` over `fpm` in instructions per request fell by 7\\.[0-9] % in `a/x`",
    "\\(95 % CI .*\\): `swoole` 8\\.[0-9] % more instructions, `fpm` changed by less than 1 %"
  ))
  expect_match(title_of(result), "gain in instructions per request fell")
  expect_match(paste(summary_lines(result), collapse = "\n"), "counted by Valgrind, 4 times each")
  expect_match(reasons(judged(counts_of(c("a/x" = 0.08, "b/x" = 0.08)), sd = 0.1)), "over all cells")
  expect_equal(judged(counts_of(), sd = 0.1)$json$verdict, "inconclusive")
})

test_that("a loss is only a warning if goodput and CPU time prove that the gain held", {
  cpu <- 1e6 / grid_of(10)$x
  result <- judged(counts_of(c("a/x" = 0.08, "b/x" = 0)), cpu = cpu)
  expect_equal(result$json$verdict, "pass")
  expect_match(paste(unlist(result$json$warnings), collapse = " "), paste(
    "in instructions per request fell by 7\\.[0-9] % in `a/x`, but goodput and CPU time prove that the gain held"
  ))
  expect_match(paste(summary_lines(result), collapse = "\n"), "\\*\\*\u26a0.*prove that the gain held")
  # Goodput alone proves less, because waiting can hide work.
  expect_equal(judged(counts_of(c("a/x" = 0.08, "b/x" = 0)))$json$verdict, "regressed")
})

test_that("a synchronous mode with fewer instructions is no regression", {
  result <- judged(counts_of(faster_sync = 0.8))
  expect_equal(result$json$verdict, "pass")
  expect_match(reasons(result), "fell .* only because `fpm` needs fewer instructions")
})

test_that("keeps the promised rates: false alarms, 4 % at a tolerance of 2 %, 8 % at 5 %", {
  set.seed(11)
  design <- judged(counts_of())$design
  found <- function(more, tolerance, sd, jobs = repetitions(400, 40)) {
    settings <- gate_settings(max_regression = tolerance)
    mean(replicate(jobs, {
      design$counts <- counts_of(more, sd = sd)
      has_regressed(test_instructions(design, settings, list()))
    }))
  }
  none <- c("a/x" = 0, "b/x" = 0)
  one <- c("a/x" = 1, "b/x" = 0)
  for (sd in c(0.001, 0.005)) {
    expect_lte(found(none, 0.02, sd), 0.005)
    # The loss of the gain equals the tolerance.
    expect_lte(found(none + 1 / 0.98 - 1, 0.02, sd), 0.005)
  }
  # With few jobs, a share may be missed by chance.
  at_least <- function(share) repetitions(share, qbinom(0.001, 40, share) / 40)
  expect_gte(found(0.04 * one, 0.02, 0.003), at_least(0.95))
  expect_gte(found(0.08 * one, 0.05, 0.003), at_least(0.99))
})

test_that("counts of several jobs are compared within each job", {
  counts <- rbind(counts_of(job = "1"), counts_of(job = "2"))
  # Another processor executes another number of instructions.
  is_moved <- counts$job == "2" & counts$mode == "swoole"
  counts$instructions_per_request[is_moved] <- 1.2 * counts$instructions_per_request[is_moved]
  table <- grid_of(10)
  samples <- rbind(samples_from(table), transform(samples_from(table), job = "2"))
  test <- analyse(samples, modes, gate_settings(), counts = counts)$decision$tests$instructions
  expect_lt(abs(log(test$pooled$change)), 0.003)
  expect_lt(max(test$cells$se), 0.002)
})

test_that("a count that head hides is named and prevents a pass", {
  counts <- counts_of()
  hidden <- counts[!(counts$cell == "a/x" & counts$revision == "head" & counts$mode == "swoole"), ]
  result <- judged(hidden)
  expect_equal(result$json$verdict, "inconclusive")
  expect_match(reasons(result), "The instructions of head could not be counted in `a/x`, those of base could")
  # If base could not be counted either, head hides nothing.
  expect_equal(judged(counts[counts$cell == "b/x", ])$json$verdict, "pass")
})

test_that("reads instructions.csv beside samples.csv, and names what is wrong with it", {
  samples <- samples_from(grid_of(2))
  directory <- tempfile()
  dir.create(directory)
  file <- file.path(directory, "samples.csv")
  expect_null(read_counts(samples, file))
  row <- "1,1,1,a,x,8,base,swoole,100,5000000,50000,valgrind"
  write <- function(...) {
    header <- paste(names(COUNT_COLUMNS), collapse = ",")
    writeLines(c(header, ...), file.path(directory, "instructions.csv"))
    read_counts(samples, file)
  }
  expect_equal(write(row)$instructions_per_request, 50000)
  wrong <- list(
    c("50000,valgrind", "50001,valgrind", "request: found \"50001\", allowed: instructions / requests"),
    c("valgrind", "guess", "tool: found \"guess\", allowed: perf or valgrind"),
    c("base", "main", "revision: found \"main\", allowed: base or head"),
    c("1,1,1,a", "9,1,1,a", "job: found \"9\", allowed: what samples.csv has: 1"),
    c(",a,", ",c,", "cell: found \"c/x\""), c("swoole", "frankenphp", "mode: found \"frankenphp\""),
    c(",100,", ",0,", "requests: found \"0\", allowed: 1 or more"), c("5000000", "5e1", "instructions_per_request"),
    c("5000000", "Inf", "instructions: found \"Inf\", allowed: a number"),
    c("1,1,1,a", "1,1,3,a", "position: found \"3\"")
  )
  for (one in wrong) expect_error(write(sub(one[1], one[2], row)), one[3], fixed = TRUE, class = "input_error")
  expect_error(write(row, row), "repetition: found \"1\", allowed: one count for each arm", class = "input_error")
  other <- "1,2,1,a,x,8,head,swoole,50,2500000,50000,valgrind"
  same <- "requests: found \"50\", allowed: the same in every count of a mode"
  expect_error(write(row, other), same, class = "input_error")
  expect_error(write(), "contains no counts", class = "input_error")
})
