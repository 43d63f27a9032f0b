# Simulated jobs: the recipe on which the gate's error rates are promised.

SIMULATED_CELLS <- c("fibonacci/medium", "fibonacci/high", "invoice/medium", "invoice/high")
SIMULATED_MODES <- c("fpm", "swoole")

#' The runs of one job without any regression, in the order in which they ran.
#'
#' Noise of the machine: a stationary AR(1) process over the runs, SD 5 %, coefficient 0.9. Each run besides: lognormal
#' with CV `cv`, and in 3 % of the runs slower by a uniform 20 to 50 %. Arms run in the gate's balanced quads, cells in
#' random order.
#'
#' @param blocks number of blocks in each job
#' @param cv coefficient of variation of a run, a share
#' @param jobs number of jobs, each on a machine of its own
#' @return data frame: job, block, position, cell, revision, mode, x (goodput, requests/s)
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

#' The order of a quad: {head async, base sync} outside and the others inside, or the other way round.
quad_order <- function() {
  diagonal <- if (runif(1) < 0.5) c(4L, 1L) else c(1L, 4L)
  other <- if (runif(1) < 0.5) c(2L, 3L) else c(3L, 2L)
  if (runif(1) < 0.5) c(diagonal[1], other, diagonal[2]) else c(other[1], diagonal, other[2])
}

#' The runs of one job in which the change of the gain is the only thing that varies, apart from a cell's own spread.
#'
#' Goodput and CPU time per request have d of their own, each a stationary AR(1) process over the blocks of a cell.
#'
#' @param sd spread of d, one for each of SIMULATED_CELLS
#' @param rho coefficient from block to block; 0: independent blocks
#' @return as simulate_runs(), with `cpu` (microseconds per request)
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

#' Runs for a job that adapts, of the noise of the machine: run by run, whatever cell has the turn.
#'
#' @return function of the block, of its cells in order, and of the quads before it, which gives the block's runs
machine_noise <- function(cv) {
  runs <- simulate_runs(max(LOOKS_AT), cv)
  function(block, cells, before) {
    rows <- runs[4 * before + seq_len(4 * length(cells)), ]
    rows$cell <- rep(cells, each = 4)
    rows$block <- block
    rows
  }
}

#' The same where d has a spread of its own: the next block of each cell.
noise_of_changes <- function(sd, rho) {
  cells <- length(SIMULATED_CELLS)
  # All quads but those of the first look may belong to one cell.
  runs <- simulate_changes(LOOKS_AT[1] + cells * diff(range(LOOKS_AT)), sd, rho)
  function(block, cells, before) runs[runs$block == block & runs$cell %in% cells, ]
}

#' The same runs with head's asynchronous arm slower or faster.
#'
#' @param effect factors of the goodput, one for each of SIMULATED_CELLS
with_effect <- function(runs, effect) {
  hit <- runs$revision == "head" & runs$mode == "swoole"
  factor <- effect[match(runs$cell[hit], SIMULATED_CELLS)]
  runs$x[hit] <- runs$x[hit] * factor
  if (!is.null(runs$cpu)) runs$cpu[hit] <- runs$cpu[hit] / factor
  runs
}

#' The same runs where some of head's asynchronous ones, each by chance, are slower.
#'
#' @param hidden list: share of the runs, factor of their goodput
with_hidden <- function(runs, hidden) {
  hit <- runs$revision == "head" & runs$mode == "swoole" & runif(nrow(runs)) < hidden$share
  runs$x[hit] <- runs$x[hit] * hidden$factor
  runs
}

#' Rows as read_samples() gives them, from runs without errors.
#'
#' @param runs data frame: job, block, cell, revision, mode, x, and if there are any concurrency and cpu (microseconds
#'   per request)
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
