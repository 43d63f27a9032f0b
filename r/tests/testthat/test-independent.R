# Compares verdicts with the program in r/tests/independent, which another language implements from docs/method.md.

#' Picks one of several values at random.
one_of <- function(...) sample(list(...), 1)[[1]]

#' Makes a job with everything that jobs may have: several jobs, lost quads, errors, new and redefined workloads, every
#' setting, and cells that dropped out.
random_job <- function(i) {
  set.seed(40000 + i)
  cells <- c("a/x", "a/y", "b/x", "c/x")[seq_len(sample(4, 1))]
  jobs <- if (runif(1) < 0.75) 1 else sample(2:7, 1)
  blocks <- if (jobs == 1) one_of(5, 6, 10, 10, 20, 20) else one_of(2, 3, 6)
  grid <- expand.grid(
    block = seq_len(blocks), cell = cells, rev = c("base", "head"), mode = modes, job = as.character(seq_len(jobs)),
    stringsAsFactors = FALSE
  )
  spread <- one_of(0.005, 0.02, 0.02, 0.05)
  rho <- one_of(0, 0, 0.6, 0.9)
  spreads <- spread * ifelse(grid$cell == cells[1], one_of(1, 1, 1, 8), 1)
  noise <- function() {
    spreads * as.vector(stats::filter(rnorm(nrow(grid), 0, sqrt(1 - rho^2)), rho, "recursive"))
  }
  change <- stats::setNames(sample(c(1, 1, 1, 1, 1, 1, 1, 1.05, 0.95, 0.9, 0.8), length(cells), TRUE), cells)
  sync <- one_of(1, 1, 1, 1.1, 1.3)
  is_head <- grid$rev == "head"
  is_async <- grid$mode == "swoole"
  factor <- ifelse(is_head & is_async, change[grid$cell], ifelse(is_head, sync, 1))
  grid$x <- 1000 * ifelse(is_async, 1.3, 1) * factor * exp(noise())
  if (runif(1) < 0.2) grid$x[sample(which(is_head & is_async), 2)] <- 100
  rows <- samples_from(grid, cpu = if (runif(1) < 0.5) 1e5 / grid$x * exp(noise()))
  if (runif(1) < 0.4) {
    rows$half_ratio <- exp(rnorm(nrow(rows), 0, 0.02)) * ifelse(rows$revision == "head", one_of(1, 1, 0.9), 1)
  }
  hit <- function(share) which(runif(nrow(rows)) < share)
  if (runif(1) < 0.25) rows$cpu_us_per_request[hit(0.01)] <- one_of(NA, 0, 1e-320)
  if (runif(1) < 0.2) rows$failed[hit(one_of(0.02, 0.1))] <- one_of(1, 3)
  if (runif(1) < 0.1) rows$failed[rows$revision == "head"][1:8] <- 1
  if (runif(1) < 0.15) rows[hit(0.01), c("goodput_rps", "succeeded", "failed")] <- list(0, 0, 1000)
  if (runif(1) < 0.2) rows <- rows[-sample(nrow(rows), one_of(1, 2, 4)), ]
  if (runif(1) < 0.1) rows <- rows[rows$revision == "head" | rows$cell != cells[1], ]
  if (runif(1) < 0.15) {
    again <- rows[rows$block == 1 & rows$cell == rows$cell[1], ]
    again$attempt <- 2
    again$goodput_rps <- again$goodput_rps * 0.9
    rows <- rbind(rows, again)
  }
  looks <- one_of(1, 2, 4, 4)
  if (looks == 4) {
    last <- stats::setNames(sample(c(6, 10, 20), length(cells), TRUE), cells)
    rows <- rows[rows$block <= last[rows$cell], ]
  }
  settings <- gate_settings(
    min_gain = one_of(NULL, NULL, NULL, NULL, NULL, NULL, 1.2, 1.35, list(a = 1.2, c = 1)),
    max_slowdown = one_of(NULL, NULL, 0.05), max_error_rate = one_of(0.001, 0.01, 0.05),
    alpha = one_of(0.05, 0.01), looks = looks, look = sample.int(looks, 1),
    on_sync_improvement = one_of("warn", "warn", "fail")
  )
  list(rows = rows, settings = settings, redefined = if (runif(1) < 0.15) one_of("a", "b") else character())
}

verdict_in_r <- function(job) {
  run <- if (length(job$redefined)) list(ungated = data.frame(workload = job$redefined, why = "redefined"))
  # Several jobs have one look, as in analyse().
  if (length(unique(job$rows$job)) > 1) job$settings[c("looks", "look")] <- 1
  design <- experiment(job$rows, modes, redefined_workloads(run))
  decision <- decide(design, job$settings, run)
  paste(c(decision$verdict, sort(open_cells(design, decision, job$settings), method = "radix")), collapse = " ")
}

for_the_other <- function(job) {
  settings <- job$settings[c(
    "max_regression", "resolution", "min_gain", "max_slowdown", "max_error_rate", "alpha", "on_sync_improvement"
  )]
  names(settings) <- c(
    "max-regression", "resolution", "min-gain", "max-slowdown", "max-error-rate", "alpha", "on-sync-improvement"
  )
  list(
    rows = job$rows[setdiff(names(job$rows), c("cell", "started_at"))], modes = modes,
    redefined = as.list(job$redefined), looks = job$settings$looks, look = job$settings$look,
    settings = settings
  )
}

verdicts_elsewhere <- function(jobs) {
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  text <- jsonlite::toJSON(lapply(jobs, for_the_other), auto_unbox = TRUE, na = "null", null = "null", digits = NA)
  writeLines(text, file)
  system2("node", c(file.path(Sys.getenv("APB_R_HOME"), "tests", "independent", "verdicts.mjs"), file), stdout = TRUE)
}

test_that("a program written from docs/method.md gives the same verdicts and open cells", {
  n <- repetitions(300, 40)
  jobs <- lapply(seq_len(n), random_job)
  ours <- vapply(jobs, verdict_in_r, "")
  theirs <- verdicts_elsewhere(jobs)
  expect_equal(sprintf("job %d: %s", seq_len(n), theirs), sprintf("job %d: %s", seq_len(n), ours))
  # Every verdict occurs, and none of them makes up most of the jobs.
  shares <- table(factor(sub(" .*", "", ours), c("pass", "regressed", "inconclusive", "invalid", "not-gated"))) / n
  expect_true(all(shares > 0))
  expect_true(all(shares < 0.6))
  # A pass may leave cells open because of their CPU time.
  expect_true(any(grepl("^pass .", ours)))
})

test_that("the verdict of the other program depends on the data", {
  job <- random_job(1)
  job$rows <- samples_from(expand.grid(
    block = 1:10, cell = "a/x", rev = c("base", "head"), mode = modes, stringsAsFactors = FALSE, x = 1
  ))
  job$rows$goodput_rps <- 1000 * exp(rnorm(40, 0, 0.01))
  job$settings <- gate_settings()
  job$redefined <- character()
  expect_equal(verdicts_elsewhere(list(job)), "pass")
  slow <- job$rows$revision == "head" & job$rows$mode == "swoole"
  job$rows$goodput_rps[slow] <- 0.8 * job$rows$goodput_rps[slow]
  expect_equal(verdicts_elsewhere(list(job)), "regressed")
})
