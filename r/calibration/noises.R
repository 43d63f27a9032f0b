# The noise of a run beyond that of simulate_runs(), in goodput and in CPU time.

#' The standard deviation of a run's own noise on the log scale, for a CV of 2 %.
OWN_SD <- sqrt(log(1 + 0.02^2))

#' The share of runs in bursts, and the mean length of a burst in runs: two quads.
BURST_SHARE <- 0.04
BURST_LENGTH <- 8

#' Slow stretches of the machine, for example another job's.
#'
#' Each is slower by a uniform 20 to 50 % in all of its runs, whatever their arms. Lengths are geometric, so a job may
#' begin anywhere in a stretch, and a quad may be half inside.
#'
#' @return log of the factor of the rate, one per run
bursts <- function(n) {
  begins_slow <- runif(1) < BURST_SHARE
  is_slow <- rep_len(c(begins_slow, !begins_slow), n)
  calm_length <- BURST_LENGTH * (1 - BURST_SHARE) / BURST_SHARE
  lengths <- 1 + rgeom(n, 1 / ifelse(is_slow, BURST_LENGTH, calm_length))
  rep(ifelse(is_slow, log(1 - runif(n, 0.2, 0.5)), 0), lengths)[seq_len(n)]
}

#' What distinguishes each noise. Without an element, the noise is lognormal, the same in every arm, without bursts.
#'
#' - `own`: function(n) that draws the own noise of n runs, with SD 1
#' - `async`: factor of the SD of head's asynchronous runs
#' - `bursts`: function(n) that draws what else slows n runs in a row, on the log scale
NOISES <- list(
  "CPU time too" = list(),
  # Student's t with 3 degrees of freedom has a variance of 3.
  "t3 tails" = list(own = function(n) rt(n, 3) / sqrt(3)),
  # As if only the new asynchronous code were unsteady.
  "head async of CV 6 %" = list(async = 3),
  "bursts" = list(bursts = bursts)
)

#' Simulates the runs of a job without a regression, with one of NOISES on top of the noise of the machine.
#'
#' Goodput and CPU time have noise of their own. What slows the machine also raises CPU time, by a fifth on the log
#' scale: a process that waits for a CPU uses none.
#'
#' @param noise an element of NOISES
#' @return as simulate_runs(), with cpu (microseconds per request)
noisy_runs <- function(blocks, noise) {
  runs <- simulate_runs(blocks, cv = 0)
  n <- nrow(runs)
  is_head_async <- runs$revision == "head" & runs$mode == "swoole"
  own <- function() {
    draw <- noise$own %||% rnorm
    draw(n) * OWN_SD * ifelse(is_head_async, noise$async %||% 1, 1)
  }
  if (!is.null(noise$bursts)) runs$x <- runs$x * exp(noise$bursts(n))
  runs$cpu <- 100 * runs$x^(-1 / 5) * exp(own())
  runs$x <- runs$x * exp(own())
  runs
}
