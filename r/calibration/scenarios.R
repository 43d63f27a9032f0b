# The promises about error rates: each scenario is a row of the table in docs/error-rates.md.

#' Describes a scenario: how its jobs are simulated, which verdict is counted, and the promised share.
#'
#' @param name the row's name in the table
#' @param effect factor of head's asynchronous goodput, one per cell. CPU time or instructions change by its inverse
#' @param counted the verdict that is counted
#' @param promise "at most" or "at least"; NA if the share is only published
#' @param bound the promised share
#' @param adapts whether the job is adaptive, with up to 20 blocks per cell on average; otherwise it has 10
#' @param cv coefficient of variation of a run, a share
#' @param hidden list of `share`, the share of head's asynchronous runs that are slower, and `factor` of their goodput
#' @param changes list of `sd` and `rho` for simulate_changes(), which then replaces the noise of the machine in
#'   adaptive jobs
#' @param noise a name of NOISES, which then replaces `cv`
#' @param counts list of `sd` and `tolerance` for verdict_on_counts(), which then replaces the runs
#' @param verdict_of function that turns the samples of 10 blocks into a verdict
scenario <- function(
    name, effect, counted, promise = NA, bound = NA, adapts = FALSE, cv = 0.02, hidden = NULL,
    changes = NULL, noise = NULL, counts = NULL, verdict_of = gate_verdict) {
  list(
    name = name, effect = effect, counted = counted, promise = promise, bound = bound, adapts = adapts, cv = cv,
    hidden = hidden, changes = changes, noise = noise, counts = counts, verdict_of = verdict_of
  )
}

ALL <- function(factor) rep(factor, 4)
ONE <- function(factor) c(factor, 1, 1, 1)

#' Scenarios in which d has its own spread and autocorrelation, in goodput and in CPU time.
#'
#' @param name name of the noise
#' @param changes list of `sd` and `rho` for simulate_changes()
#' @param false_alarm,at_tolerance,wrong_pass promised shares; wrong_pass is about a loss in the first cell
dependent <- function(name, changes, false_alarm, at_tolerance, wrong_pass) {
  row <- function(what, effect, counted, bound) {
    scenario(paste0(name, ": ", what), effect, counted, "at most", bound, adapts = TRUE, changes = changes)
  }
  list(
    row("nothing changed", ALL(1), "regressed", false_alarm),
    row("every cell loses 5 %", ALL(0.95), "regressed", at_tolerance),
    row("one cell loses 10 %", ONE(0.9), "pass", wrong_pass)
  )
}

#' Scenarios in which goodput and CPU time have one of NOISES, with the promises that every noise must keep.
noisy <- function(name) {
  row <- function(what, effect, counted, promise, bound) {
    scenario(paste0(name, ": ", what), effect, counted, promise, bound, adapts = TRUE, noise = name)
  }
  list(
    row("nothing changed", ALL(1), "regressed", "at most", 11 / 2000),
    row("every cell loses 5 %", ALL(0.95), "regressed", "at most", 0.065),
    row("one cell loses 10 %", ONE(0.9), "pass", "at most", 0.05),
    row("every cell loses 10 %", ALL(0.9), "regressed", "at least", 0.9),
    row("nothing changed", ALL(1), "pass", "at least", 0.95)
  )
}

#' A scenario in which only instructions were counted. The counts of an arm have a CV of 0.4 %, so d of a repetition
#' has an SD of 0.8 %.
on_counts <- function(what, effect, tolerance, promise = NA, bound = NA) {
  name <- sprintf("counts of CV 0.4 %%, tolerance %.0f %%: %s", 100 * tolerance, what)
  scenario(name, effect, "regressed", promise, bound, counts = list(sd = 0.004, tolerance = tolerance))
}

UNEQUAL <- list(sd = c(0.09, 0.03, 0.03, 0.03), rho = 0)

ACCEPTANCE <- list(
  scenario("nothing changed", ALL(1), "regressed", "at most", 11 / 2000),
  scenario("nothing changed", ALL(1), "regressed", "at most", 11 / 2000, adapts = TRUE),
  scenario("every cell loses 5 %, the tolerance itself", ALL(0.95), "regressed", "at most", 0.065),
  scenario("every cell loses 5 %, the tolerance itself", ALL(0.95), "regressed", "at most", 0.065, adapts = TRUE),
  scenario("every cell loses 10 %", ALL(0.9), "regressed", "at least", 0.9),
  scenario("every cell loses 10 %", ALL(0.9), "regressed", "at least", 0.9, adapts = TRUE),
  scenario("one cell loses 15 %", ONE(0.85), "regressed", "at least", 0.9, adapts = TRUE),
  # 5 % plus its Monte Carlo error: a true rate of 5 % keeps this bound in 95 of 100 runs of the calibration.
  scenario("one cell loses 10 %", ONE(0.9), "pass", "at most", 0.05, adapts = FALSE),
  scenario("one cell loses 10 %", ONE(0.9), "pass", "at most", 0.05, adapts = TRUE),
  scenario("nothing changed", ALL(1), "pass", "at least", 0.75),
  scenario("nothing changed", ALL(1), "pass", "at least", 0.95, adapts = TRUE),
  # Each of these loses 10 % on average.
  scenario(
    "a tenth of the runs lose 95 %", ALL(1), "pass", "at most", 0.1,
    adapts = TRUE, hidden = list(share = 0.1, factor = 0.05)
  ),
  scenario(
    "a fifth of the runs lose 50 %", ALL(1), "pass", "at most", 0.1,
    adapts = TRUE, hidden = list(share = 0.2, factor = 0.5)
  ),
  scenario(
    "a quarter of the runs lose 40 %", ALL(1), "pass", "at most", 0.1,
    adapts = TRUE, hidden = list(share = 0.25, factor = 0.6)
  )
)
ACCEPTANCE <- c(
  ACCEPTANCE,
  dependent("d as AR(1) 0.5, SD 2 %", list(sd = 0.02, rho = 0.5), 0.01, 0.08, 0.06),
  dependent("d as AR(1) 0.8, SD 4 %", list(sd = 0.04, rho = 0.8), 0.01, 0.08, 0.06),
  dependent("SDs of d 9, 3, 3 and 3 %", UNEQUAL, 11 / 2000, 0.065, 0.05),
  list(scenario(
    "SDs of d 9, 3, 3 and 3 %: every cell loses 10 %", ALL(0.9), "regressed", "at least", 0.85,
    adapts = TRUE, changes = UNEQUAL
  )),
  unlist(lapply(names(NOISES), noisy), recursive = FALSE),
  list(
    on_counts("nothing changed", ALL(1), 0.02, "at most", 0.005),
    on_counts("every cell executes 4 % more", ALL(1 / 1.04), 0.02, "at least", 0.95),
    on_counts("nothing changed", ALL(1), 0.05, "at most", 0.005),
    on_counts("every cell executes 8 % more", ALL(1 / 1.08), 0.05, "at least", 0.99)
  )
)

PUBLISHED <- list(
  scenario("one cell loses 10 %", ONE(0.9), "regressed", adapts = TRUE),
  scenario("nothing changed, runs of CV 4 %", ALL(1), "pass", cv = 0.04),
  scenario("nothing changed, runs of CV 4 %", ALL(1), "pass", cv = 0.04, adapts = TRUE),
  scenario("nothing changed, runs of CV 6 %", ALL(1), "pass", cv = 0.06),
  scenario("nothing changed, runs of CV 6 %", ALL(1), "pass", cv = 0.06, adapts = TRUE),
  scenario("nothing changed, runs of CV 6 %", ALL(1), "regressed", cv = 0.06, adapts = TRUE),
  on_counts("every cell loses 2 %", ALL(0.98), 0.02),
  on_counts("one cell executes 4 % more", ONE(1 / 1.04), 0.02),
  on_counts("every cell loses 5 %", ALL(0.95), 0.05),
  on_counts("one cell executes 8 % more", ONE(1 / 1.08), 0.05)
)
