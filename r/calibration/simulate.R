# Simulates jobs: the promised error rates of the gate are those of these jobs.

SIMULATED_CELLS <- c("fibonacci/medium", "fibonacci/high", "invoice/medium", "invoice/high")
SIMULATED_MODES <- c("fpm", "swoole")

#' Simulates the runs of jobs without any regression, in the order in which they ran.
#'
#' The noise of the machine is a stationary AR(1) process over the runs, with SD 5 % and coefficient 0.9.
#' In addition, each run has lognormal noise with CV `cv`, and 3 % of the runs are slower by a uniform 20 to 50 %.
#' Arms run in the gate's balanced quads, cells in random order.
#'
#' @param blocks number of blocks in each job
#' @param cv coefficient of variation of a run, a share
#' @param jobs number of jobs, each on its own machine
#' @return data frame, one row per run: job, block, position, cell, revision, mode, x (goodput, requests/s)
simulate_runs <- function(blocks, cv = 0.02, jobs = 1) {
  do.call(rbind, lapply(seq_len(jobs), function(job) {
    quads <- blocks * length(SIMULATED_CELLS)
    cells <- as.vector(replicate(blocks, sample(length(SIMULATED_CELLS))))
    arms <- vapply(seq_len(quads), function(i) quad_order(), integer(4))
    n <- length(arms)
    drift <- stats::filter(rnorm(n, 0, 0.05 * sqrt(1 - 0.9^2)), 0.9, "recursive", init = rnorm(1, 0, 0.05))
    slowed <- ifelse(runif(n) < 0.03, 1 - runif(n, 0.2, 0.5), 1)
    mode <- SIMULATED_MODES[ARM_MODE[arms]]
    x <- 100 * ifelse(mode == "swoole", 1.3, 1) * slowed * exp(as.vector(drift) + rnorm(n, 0, sqrt(log(1 + cv^2))))
    list2DF(list(
      job = rep(as.character(job), n), block = rep(seq_len(blocks), each = n / blocks), position = rep(1:4, quads),
      cell = SIMULATED_CELLS[rep(cells, each = 4)], revision = c("base", "head")[ARM_REVISION[arms]], mode = mode, x = x
    ))
  }))
}

# Arms 1 to 4: base fpm, head fpm, base swoole, head swoole.
ARM_MODE <- c(1L, 1L, 2L, 2L)
ARM_REVISION <- c(1L, 2L, 1L, 2L)

#' Draws the order of a quad: head async and base sync are outside and the others inside, or the other way round.
quad_order <- function() {
  diagonal <- if (runif(1) < 0.5) c(4L, 1L) else c(1L, 4L)
  other <- if (runif(1) < 0.5) c(2L, 3L) else c(3L, 2L)
  if (runif(1) < 0.5) c(diagonal[1], other, diagonal[2]) else c(other[1], diagonal, other[2])
}

#' Simulates the runs of one job in which only d varies.
#'
#' d of goodput and d of CPU time are independent. Each is a stationary AR(1) process over the blocks of a cell.
#'
#' @param blocks number of blocks
#' @param sd standard deviation of d, one for all cells or one for each of SIMULATED_CELLS
#' @param rho coefficient from block to block; 0 for independent blocks
#' @return data frame, one row per run: block, cell, arm, mode, revision, x (goodput, requests/s), cpu (microseconds per
#'   request)
simulate_changes <- function(blocks, sd, rho = 0) {
  cells <- length(SIMULATED_CELLS)
  changes <- function() {
    steps <- matrix(rnorm(blocks * cells), blocks)
    steps[-1, ] <- steps[-1, ] * sqrt(1 - rho^2)
    stats::filter(steps, rho, "recursive") * rep(sd, each = blocks)
  }
  runs <- expand.grid(block = seq_len(blocks), cell = SIMULATED_CELLS, arm = 1:4, stringsAsFactors = FALSE)
  runs$mode <- SIMULATED_MODES[ARM_MODE[runs$arm]]
  runs$revision <- c("base", "head")[ARM_REVISION[runs$arm]]
  # Head's asynchronous arm is the fourth.
  runs$x <- 100 * ifelse(runs$mode == "swoole", 1.3, 1) * exp(as.vector(changes()) * (runs$arm == 4))
  runs$cpu <- 100 / exp(as.vector(changes()) * (runs$arm == 4))
  runs[order(runs$block), ]
}

#' Hands the runs of simulate_runs() to an adaptive job: their noise continues from run to run, whatever the cell.
#'
#' @param runs of max(LOOKS_AT) blocks
#' @return function(block, cells, before) that returns the runs of the block as a list of columns, as adapted_job()
#'   calls it
in_turn <- function(runs) {
  # Otherwise they would be drawn at the first block, after other random numbers.
  force(runs)
  function(block, cells, before) {
    rows <- lapply(runs, `[`, 4 * before + seq_len(4 * length(cells)))
    rows$cell <- rep(cells, each = 4)
    rows$block <- rep(block, 4 * length(cells))
    rows
  }
}

#' Runs for an adaptive job of simulate_changes(): each cell continues with its next block.
noise_of_changes <- function(sd, rho) {
  cells <- length(SIMULATED_CELLS)
  # After the first look, all quads may belong to one cell.
  runs <- simulate_changes(LOOKS_AT[1] + cells * diff(range(LOOKS_AT)), sd, rho)
  function(block, cells, before) lapply(runs, `[`, runs$block == block & runs$cell %in% cells)
}

#' Makes head's asynchronous arm of the runs slower or faster.
#'
#' @param effect factors of the goodput, one for each of SIMULATED_CELLS
with_effect <- function(runs, effect) {
  hit <- runs$revision == "head" & runs$mode == "swoole"
  factor <- effect[match(runs$cell[hit], SIMULATED_CELLS)]
  runs$x[hit] <- runs$x[hit] * factor
  if (!is.null(runs$cpu)) runs$cpu[hit] <- runs$cpu[hit] / factor
  runs
}

#' Makes a random part of head's asynchronous runs slower.
#'
#' @param hidden list: share (probability of each run), factor (of its goodput)
with_hidden <- function(runs, hidden) {
  hit <- runs$revision == "head" & runs$mode == "swoole" & runif(length(runs$x)) < hidden$share
  runs$x[hit] <- runs$x[hit] * hidden$factor
  runs
}

#' Turns runs into rows like those of read_samples(), without errors.
#'
#' @param runs data frame or list: block, cell, revision, mode, x (goodput, requests/s), and optionally job, position
#'   and cpu (microseconds per request)
as_samples <- function(runs) {
  n <- length(runs$x)
  list2DF(lapply(list(
    job = runs$job %||% "1", block = runs$block, position = runs$position %||% 1, workload = sub("/.*", "", runs$cell),
    load = sub(".*/", "", runs$cell), concurrency = 8, revision = runs$revision, mode = runs$mode,
    started_at = "2026-01-01T00:00:00Z", duration_s = 2, requests = 1000, succeeded = 1000, failed = 0,
    goodput_rps = runs$x, p50_ms = 1, p95_ms = 2, p99_ms = 3, max_ms = 4,
    cpu_us_per_request = runs$cpu %||% NA_real_, peak_memory_mib = 10,
    memory_growth_kib_per_1k = 0, half_ratio = NA_real_, attempt = 1, cell = runs$cell
  ), rep_len, n))
}
