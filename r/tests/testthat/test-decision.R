# Tests which verdict the decision reaches.
set.seed(1)
quiet <- function(blocks, change = 1, gain = 1.3, base_sync = 1, head_sync = 1, cells = c("a/x", "b/x")) {
  grid <- expand.grid(
    block = seq_len(blocks), cell = cells, rev = c("base", "head"), mode = modes, stringsAsFactors = FALSE
  )
  grid$x <- 1000 * exp(rnorm(nrow(grid), 0, 0.005)) *
    ifelse(grid$mode == "swoole", gain, ifelse(grid$rev == "head", head_sync, base_sync)) *
    ifelse(grid$mode == "swoole" & grid$rev == "head", change, 1)
  grid
}
verdict_of <- function(table, ...) analyse(samples_from(table), modes, gate_settings(...))$json$verdict

test_that("reaches each verdict", {
  expect_equal(verdict_of(quiet(10)), "pass")
  expect_equal(verdict_of(quiet(10, change = 0.85)), "regressed")
  expect_equal(verdict_of(quiet(10, change = 0.93)), "regressed")
  expect_equal(verdict_of(quiet(5)), "not-gated")
  noisy <- quiet(10)
  noisy$x <- noisy$x * exp(rnorm(nrow(noisy), 0, 0.2))
  expect_equal(verdict_of(noisy), "inconclusive")
})

test_that("a faster synchronous mode is a regression only if on-sync-improvement is fail", {
  faster <- quiet(10, head_sync = 1.3)
  result <- analyse(samples_from(faster), modes, gate_settings())
  expect_equal(result$json$verdict, "pass")
  expect_match(paste(unlist(result$json$reasons), collapse = " "), "only because `fpm` became faster")
  expect_equal(verdict_of(faster, on_sync_improvement = "fail"), "regressed")
})

# A machine whose speed drifts moves both modes. The gain does not show that, but head / base of one mode does.
drifting <- function(...) {
  table <- quiet(10, ...)
  moment <- interaction(table$block, table$rev, table$cell)
  table$x <- table$x * exp(rnorm(nlevels(moment), 0, 0.05))[moment]
  table
}

test_that("the verdict is inconclusive if it is unclear which mode moved", {
  set.seed(2)
  n <- repetitions(30, 10)
  faster <- lapply(seq_len(n), function(i) {
    analyse(samples_from(drifting(head_sync = 1.15)), modes, gate_settings())$json
  })
  verdicts <- vapply(faster, `[[`, "", "verdict")
  expect_setequal(verdicts, c("inconclusive", "pass"))
  for (json in faster) {
    cells <- vapply(json$cells, `[[`, "", "verdict")
    expect_true(json$verdict != "pass" || all(cells %in% c("pass", "sync-improved")))
  }
  unclear <- Filter(function(json) any(grepl("not proven whether `swoole` held", unlist(json$reasons))), faster)
  expect_gt(length(unclear), n / 6)
  expect_match(paste(unlist(unclear[[1]]$reasons), collapse = " "), paste(
    "`fpm` improved \\([0-9.]+ % faster\\). It is not proven whether `swoole` held",
    ".*(About [0-9]+|Even 200) blocks"
  ))

  # A slower asynchronous mode fails, even if the synchronous mode became faster at the same time.
  slower <- vapply(seq_len(n), function(i) verdict_of(drifting(change = 0.87, head_sync = if (i %% 2) 1 else 1.1)), "")
  expect_gte(sum(slower == "regressed"), 0.9 * n)
  # If on-sync-improvement is fail, a faster synchronous mode counts as well.
  expect_equal(verdict_of(drifting(head_sync = 1.15), on_sync_improvement = "fail"), "regressed")
})

test_that("a pass has no undecided cell", {
  set.seed(11)
  seen <- vapply(seq_len(repetitions(60, 20)), function(i) {
    jittered <- quiet(6, head_sync = 1.05)
    jittered$x <- jittered$x * exp(rnorm(nrow(jittered), 0, 0.01 + 0.03 * (i %% 2)))
    json <- analyse(samples_from(jittered), modes, gate_settings())$json
    cells <- vapply(json$cells, function(cell) cell$verdict, character(1))
    info <- paste(i, paste(cells, collapse = " "))
    expect_true(json$verdict != "pass" || all(cells %in% c("pass", "sync-improved")), info = info)
    json$verdict
  }, character(1))
  expect_true(all(c("pass", "inconclusive") %in% seen))
})

test_that("min-gain gates each workload, with and without a base", {
  expect_equal(verdict_of(quiet(10), min_gain = 1.5), "regressed")
  expect_equal(verdict_of(quiet(10), min_gain = 1.2), "pass")
  expect_equal(verdict_of(quiet(10), min_gain = list(b = 1.5)), "regressed")
  expect_equal(verdict_of(quiet(10), min_gain = list(c = 9)), "pass")
  alone <- subset(quiet(10), rev == "head")
  expect_equal(verdict_of(alone), "not-gated")
  expect_equal(verdict_of(alone, min_gain = 1.2), "pass")
  expect_equal(verdict_of(alone, min_gain = 1.5), "regressed")
})

test_that("an inconclusive verdict says how many more blocks would decide it", {
  outlook_of <- function(table, ...) {
    json <- analyse(samples_from(table), modes, gate_settings(...))$json
    expect_equal(json$verdict, "inconclusive")
    paste(unlist(json$reasons), collapse = " ")
  }
  spread <- function(sd, blocks = 10, ...) {
    table <- quiet(blocks, ...)
    table$x <- table$x * exp(rnorm(nrow(table), 0, sd))
    table
  }
  set.seed(3)
  expect_match(outlook_of(spread(0.1)), "About [0-9]+ blocks would probably decide it; there were 10\\.")
  # On a machine that varies by a third between runs, an unchanged app has no certain change.
  expect_match(outlook_of(spread(0.35)), "Even 200 blocks would probably not decide it")
  between <- outlook_of(spread(0.005, change = 0.93), max_regression = 0.1, resolution = 0.05)
  expect_match(between, "lies between what passes (a loss below 5.0 %) and what fails (above 10.0 %)", fixed = TRUE)
  # The open question can also be the required gain.
  expect_match(
    outlook_of(spread(0.02, gain = 1.31), min_gain = 1.3),
    "required gain is not proven.*(About [0-9]{2,3}|Even 200) blocks"
  )
})

test_that("only the required gain stays open if every cell is spared", {
  set.seed(5)
  faster <- quiet(10, head_sync = 1.3, gain = 1.3)
  json <- analyse(samples_from(faster), modes, gate_settings(min_gain = 1.0))$json
  expect_equal(json$verdict, "inconclusive")
  expect_match(
    paste(unlist(json$reasons), collapse = " "),
    "required gain is not proven.*(About [0-9]+|Even 200) blocks.*only because `fpm` became faster"
  )
})

test_that("the predicted number of blocks decides", {
  decided <- mean(vapply(seq_len(repetitions(30, 10)), function(i) {
    set.seed(i)
    short <- quiet(10)
    short$x <- short$x * exp(rnorm(nrow(short), 0, 0.06))
    reasons <- paste(unlist(analyse(samples_from(short), modes, gate_settings())$json$reasons), collapse = " ")
    if (!grepl("About", reasons)) return(NA)
    needed <- as.integer(sub(".*About ([0-9]+) blocks.*", "\\1", reasons))
    long <- quiet(needed)
    long$x <- long$x * exp(rnorm(nrow(long), 0, 0.06))
    verdict_of(long) != "inconclusive"
  }, logical(1)), na.rm = TRUE)
  expect_gt(decided, 0.8)
})

test_that("only max-slowdown finds a loss of both modes", {
  slow <- quiet(10)
  slow$x[slow$rev == "head"] <- slow$x[slow$rev == "head"] / 1.2
  expect_equal(verdict_of(slow), "pass")
  expect_equal(verdict_of(slow, max_slowdown = 0.1), "regressed")
})

test_that("CPU time may only regress, and a run without it loses its quad", {
  table <- quiet(10)
  cpu <- 1e6 / table$x * ifelse(table$mode == "swoole" & table$rev == "head", 1.3, 1)
  result <- analyse(samples_from(table, cpu), modes, gate_settings())
  expect_equal(result$json$verdict, "regressed")
  expect_match(result$json$reasons[[1]], "CPU")
  for (value in list(NA, 0, 1e-320)) {
    blank <- cpu
    blank[which(table$rev == "head")[3]] <- value
    json <- analyse(samples_from(table, blank), modes, gate_settings())$json
    expect_equal(json$verdict, "regressed")
    expect_equal(json$blocks, 9)
    expect_equal(json$excluded[[1]]$reason, "without CPU time: head fpm")
    # If more than a tenth of the quads hide their CPU time, nothing may be decided.
    blank[table$rev == "head"] <- value
    expect_equal(analyse(samples_from(table, blank), modes, gate_settings())$json$verdict, "invalid")
  }
  # If base has no CPU time either, this machine does not measure it.
  result <- analyse(samples_from(table, ifelse(table$rev == "base", NA, cpu)), modes, gate_settings())
  expect_equal(result$json$verdict, "pass")
  expect_equal(result$json$checks$missing_metrics, list("cpu"))
})

test_that("errors decide before anything else", {
  rows <- samples_from(quiet(10))
  with_errors <- function(which, failed = 10) {
    rows$failed[which] <- failed
    rows$succeeded[which] <- 1000 - failed
    analyse(rows, modes, gate_settings())$json
  }
  head <- rows$revision == "head"
  expect_equal(with_errors(head & rows$mode == "swoole")$verdict, "regressed")
  expect_equal(with_errors(rows$mode == "swoole")$verdict, "invalid")
  expect_equal(with_errors(!head)$verdict, "invalid")
  # One burst in one of many runs is within the allowed rate and proves nothing.
  expect_equal(with_errors(which(head)[1], 5)$verdict, "pass")
  # Few errors prove a rise if they are in head only, run after run.
  expect_match(with_errors(which(head & rows$mode == "fpm"), 1)$reasons[[1]], "Errors rose")
})

test_that("a run that only head fails is head's error, never a lost quad", {
  rows <- samples_from(quiet(10))
  one <- which(rows$revision == "head" & rows$mode == "swoole")[1:3]
  rows[one, c("goodput_rps", "succeeded", "failed")] <- list(0, 0, 1000)
  json <- analyse(rows, modes, gate_settings())$json
  expect_equal(json$verdict, "regressed")
  expect_length(json$excluded, 3)
})

test_that("many lost quads make the measurement invalid, a few do not", {
  rows <- samples_from(quiet(20))
  json <- analyse(rows[-1, ], modes, gate_settings())$json
  expect_equal(c(json$verdict, json$blocks), c("pass", "19"))
  expect_match(json$excluded[[1]]$reason, "missing: base fpm")
  expect_equal(analyse(rows[-(1:6), ], modes, gate_settings())$json$verdict, "invalid")
})

test_that("a cell that base lacks is new and not gated", {
  table <- quiet(10)
  table <- table[!(table$cell == "b/x" & table$rev == "base"), ]
  json <- analyse(samples_from(table), modes, gate_settings())$json
  expect_equal(json$verdict, "pass")
  expect_equal(vapply(json$cells, `[[`, "", "verdict"), c("pass", "new"))
})

test_that("a workload that base and head define differently is reported but decides nothing", {
  rows <- samples_from(quiet(10))
  cheap <- rows$workload == "b" & rows$revision == "head"
  # Head is faster and has errors. Neither may affect the verdict.
  rows$goodput_rps[cheap] <- rows$goodput_rps[cheap] * ifelse(rows$mode[cheap] == "swoole", 3, 1)
  rows$failed[cheap] <- rows$succeeded[cheap]
  rows$requests[cheap] <- rows$succeeded[cheap] + rows$failed[cheap]
  run <- function(names) list(ungated = data.frame(workload = names, why = "redefined"))
  alone <- analyse(rows[rows$workload == "a", ], modes, gate_settings())$json
  both <- analyse(rows, modes, gate_settings(), run("b"))$json
  expect_equal(both[c("verdict", "reasons", "pooled", "errors")], alone[c("verdict", "reasons", "pooled", "errors")])
  expect_equal(vapply(both$cells, `[[`, "", "verdict"), c("pass", "not-gated"))
  expect_equal(both$cells[[2]]$change, 3, tolerance = 0.02)
  expect_equal(analyse(samples_from(quiet(10)), modes, gate_settings(), run(c("a", "b")))$json$verdict, "not-gated")
})

test_that("the last attempt of a quad counts", {
  rows <- samples_from(quiet(10))
  again <- rows[rows$block == 1 & rows$cell == "a/x", ]
  rows$goodput_rps[rows$block == 1 & rows$cell == "a/x"] <- 1
  again$attempt <- 2
  expect_equal(analyse(rbind(rows, again), modes, gate_settings())$json$verdict, "pass")
})

test_that("six or more jobs are the replicates", {
  tables <- lapply(1:6, function(job) cbind(quiet(2), job = as.character(job)))
  design <- experiment(samples_from(do.call(rbind, tables)), modes)
  expect_equal(c(design$unit, design$blocks), c("job", "12"))
  expect_equal(nrow(arm_logs(design, "goodput")$head_async), 6)
  expect_equal(analyse(samples_from(do.call(rbind, tables)), modes, gate_settings(looks = 2))$json$looks, 1)
})

test_that("two to five jobs are compared with each other", {
  tables <- lapply(1:3, function(job) cbind(quiet(6, change = if (job == 3) 0.95 else 1), job = as.character(job)))
  json <- analyse(samples_from(do.call(rbind, tables)), modes, gate_settings())$json
  expect_equal(c(json$jobs, json$blocks), c(3, 18))
  expect_length(json$checks$between_jobs, 2)
  expect_lt(json$checks$between_jobs[[1]]$p, 0.001)
  expect_length(analyse(samples_from(tables[[1]]), modes, gate_settings())$json$checks$between_jobs, 0)
})

test_that("an unsteady head does not pass", {
  rows <- samples_from(quiet(10))
  rows$half_ratio <- ifelse(rows$revision == "head", 0.9, 1) * exp(rnorm(nrow(rows), 0, 0.005))
  json <- analyse(rows, modes, gate_settings())$json
  expect_equal(json$verdict, "inconclusive")
  expect_match(json$reasons[[1]], "steady state")
})

test_that("parts of the gain add up on the log scale", {
  three <- c("fpm", "swoole-sync", "swoole")
  grid <- expand.grid(block = 1:10, cell = "a/x", rev = "head", mode = three, stringsAsFactors = FALSE)
  grid$x <- 100 * exp(rnorm(30, 0, 0.1)) * c(fpm = 1, "swoole-sync" = 2, swoole = 3)[grid$mode]
  json <- analyse(samples_from(grid), c("fpm", "swoole", "swoole-sync"), gate_settings())$json
  gain <- stats::setNames(vapply(json$pairs, `[[`, 1, "gain"), vapply(json$pairs, function(p) paste(p$from, p$to), ""))
  by_steps <- log(gain[["fpm swoole-sync"]]) + log(gain[["swoole-sync swoole"]])
  expect_equal(by_steps, log(gain[["fpm swoole"]]), tolerance = 1e-12)
  expect_equal(vapply(json$pairs, `[[`, NA, "step"), c(TRUE, TRUE, FALSE))
})

test_that("constant data do not break the tests", {
  table <- quiet(10)
  table$x <- 100
  expect_equal(verdict_of(table), "pass")
})

test_that("a loss in few runs does not pass", {
  # Slows some of head's asynchronous runs: a tenth of them to a tenth, a fifth to a half, or two blocks to a tenth.
  hide <- function(share, factor, cells = c("a/x", "b/x")) {
    table <- quiet(10)
    hit <- which(table$mode == "swoole" & table$rev == "head" & table$cell %in% cells)
    hit <- sample(hit, round(share * length(hit)))
    table$x[hit] <- table$x[hit] * factor
    analyse(samples_from(table), modes, gate_settings())$json
  }
  set.seed(7)
  for (i in seq_len(repetitions(20, 7))) {
    expect_false(hide(0.1, 0.1)$verdict == "pass")
    expect_false(hide(0.2, 0.5)$verdict == "pass")
    expect_false(hide(0.2, 0.5, "a/x")$verdict == "pass")
  }
  two <- hide(0.2, 0.1, "a/x")
  expect_equal(two$verdict, "inconclusive")
  expect_match(
    paste(unlist(two$reasons), collapse = " "),
    paste(
      "A loss sits in few runs: the trimmed mean of the change in `a/x` \\(10.0 % allowed\\) passes,",
      "the plain mean is -3[0-9.]+ %. The lowest: block [0-9]+ \\(-[89]"
    )
  )
  expect_equal(vapply(two$cells, `[[`, "", "verdict"), c("inconclusive", "pass"))
  # One slow run of forty is normal on any machine.
  expect_equal(hide(0.05, 0.7)$verdict, "pass")
})

test_that("a pass names the cells that base lacks", {
  table <- quiet(10)
  table$x[table$cell == "b/x" & table$mode == "swoole"] <- 300
  rows <- samples_from(table[!(table$cell == "b/x" & table$rev == "base"), ])
  reasons <- unlist(analyse(rows, modes, gate_settings())$json$reasons)
  expect_match(
    paste(reasons, collapse = " "), "excluded. Base does not have `b/x`: measured, but not compared.",
    fixed = TRUE
  )
})

test_that("warns of one file under two names", {
  one <- samples_from(quiet(6))
  two <- one
  two$job <- "2"
  warnings <- function(...) unlist(analyse(rbind(...), modes, gate_settings())$json$warnings)
  expect_match(warnings(one, two), "Jobs `1` and `2` have the same numbers", all = FALSE)
  two$goodput_rps <- two$goodput_rps * 1.001
  expect_false(any(grepl("same numbers", warnings(one, two))))
})

test_that("tables that are only reported never decide", {
  rows <- samples_from(quiet(10))
  # The squares of these numbers are infinite.
  rows$goodput_rps <- rows$goodput_rps * 1e304
  expect_equal(analyse(rows, modes, gate_settings())$json$verdict, "pass")
  # R warns of a perfect fit here, because each job is constant, and the tests turn warnings into errors.
  same <- rbind(rows, transform(rows, job = "2"))
  same$goodput_rps <- ifelse(same$job == "2" & same$mode == "swoole" & same$revision == "head", 101, 100)
  json <- analyse(same, modes, gate_settings())$json
  expect_equal(json$verdict, "pass")
  expect_length(json$checks$between_jobs, 0)
})

test_that("the check of the steady state also works if the second half has no responses", {
  rows <- samples_from(quiet(10))
  rows$half_ratio <- as.numeric(rows$revision != "head")
  json <- analyse(rows, modes, gate_settings())$json
  expect_equal(json$verdict, "inconclusive")
  expect_match(unlist(json$reasons), "steady state", all = FALSE)
})

test_that("a lost quad removes the block from its own cell only", {
  set.seed(31)
  rows <- samples_from(quiet(10, cells = c("a/x", "b/x", "c/x")))
  out <- rows$block == 3 & rows$cell == "b/x" & rows$revision == "base" & rows$mode == "fpm"
  result <- analyse(rows[!out, ], modes, gate_settings())
  d <- result$decision$tests$goodput$d
  expect_equal(unname(colSums(!is.na(d))), c(10, 9, 10))
  expect_equal(result$json$blocks, 9)
  # The other cells are as if no quad was lost. The cell itself is as if the block did not exist.
  whole <- analyse(rows, modes, gate_settings())$decision$tests$goodput$cells
  cells <- result$decision$tests$goodput$cells
  same <- c("gain_base", "change", "change_low", "p_fail", "p_pass", "async_change")
  expect_equal(cells[c(1, 3), same], whole[c(1, 3), same])
  without <- analyse(rows[rows$block != 3, ], modes, gate_settings())$decision$tests$goodput$cells
  expect_equal(cells[2, same], without[2, same])
  expect_length(result$json$pairs, 3)
})

test_that("no cell may lose more than a fifth of its quads", {
  set.seed(32)
  rows <- samples_from(quiet(10, cells = c("a/x", "b/x", "c/x", "d/x")))
  lost <- function(blocks) rows[!(rows$block %in% blocks & rows$cell == "b/x" & rows$revision == "base"), ]
  expect_equal(analyse(lost(1:2), modes, gate_settings())$json$verdict, "pass")
  json <- analyse(lost(1:3), modes, gate_settings())$json
  expect_equal(json$verdict, "invalid")
  expect_match(json$reasons[[1]], "30.0 % of the quads of `b/x` were lost; at most 20.0 %")
})
