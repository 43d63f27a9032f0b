# Simulates the promised error rates. Each scenario is a row of the table in docs/error-rates.md.

#' The decision of the gate on a job, without the sentences about more blocks, which are slow.
decision_on <- function(design, settings) decide(design, settings, outlook = function(...) NULL)

#' The verdict of the gate on a job.
gate_verdict <- function(samples) decision_on(experiment(samples, SIMULATED_MODES), gate_settings())$verdict

#' Runs an adaptive job: after each look it measures open cells only, as entrypoint/measure does.
#'
#' @param runs_of function(block, cells, before) that returns the runs of a block: its number, its cells in order, and
#'   the number of quads before it
#' @return list: verdict, look (the last one), quads (number per cell)
adapted_job <- function(runs_of) {
  open <- SIMULATED_CELLS
  block <- 0
  runs <- NULL
  for (look in seq_len(LOOKS)) {
    spent <- length(runs$x) / 4
    n <- length(open)
    rounds <- (LOOKS_AT[look] * length(SIMULATED_CELLS) - spent) %/% n
    added <- lapply(seq_len(rounds), function(i) runs_of(block + i, open[sample.int(n)], spent + (i - 1) * n))
    columns <- stats::setNames(nm = names(added[[1]]))
    runs <- lapply(columns, function(name) c(runs[[name]], unlist(lapply(added, `[[`, name))))
    block <- block + rounds
    settings <- gate_settings(looks = LOOKS, look = look)
    design <- experiment(as_samples(runs), SIMULATED_MODES)
    decision <- decision_on(design, settings)
    open <- open_cells(design, decision, settings)
    if (!length(open)) break
  }
  list(verdict = decision$verdict, look = look, quads = table(runs$cell) / 4)
}

#' The verdict of a threshold on the means, as in many gates: regressed if the mean gain of any cell fell by over 5 %.
#'
#' It is the mutant: the calibration must find that it breaks the promise.
naive_verdict <- function(samples) {
  means <- tapply(samples$goodput_rps, list(samples$cell, samples$revision, samples$mode), mean)
  gain <- means[, , "swoole"] / means[, , "fpm"]
  if (any(gain[, "head"] / gain[, "base"] < 0.95)) "regressed" else "pass"
}

#' Describes a scenario: how its jobs are simulated, which verdict is counted, and the promised share.
#'
#' @param name the row's name in the table
#' @param effect factor of head's asynchronous goodput, one per cell
#' @param counted the verdict that is counted
#' @param promise "at most" or "at least"; NA if the share is only published
#' @param bound the promised share
#' @param adapts whether the job is adaptive, with up to 20 blocks per cell on average; otherwise it has 10
#' @param cv coefficient of variation of a run, a share
#' @param hidden list of `share`, the share of head's asynchronous runs that are slower, and `factor` of their goodput
#' @param changes list of `sd` and `rho` for simulate_changes(), which then replaces the noise of the machine
#' @param verdict_of function that turns the samples of 10 blocks into a verdict
scenario <- function(
    name, effect, counted, promise = NA, bound = NA, adapts = FALSE, cv = 0.02, hidden = NULL,
    changes = NULL, verdict_of = gate_verdict) {
  list(
    name = name, effect = effect, counted = counted, promise = promise, bound = bound, adapts = adapts, cv = cv,
    hidden = hidden, changes = changes, verdict_of = verdict_of
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
  ))
)

PUBLISHED <- list(
  scenario("one cell loses 10 %", ONE(0.9), "regressed", adapts = TRUE),
  scenario("nothing changed, runs of CV 4 %", ALL(1), "pass", cv = 0.04),
  scenario("nothing changed, runs of CV 4 %", ALL(1), "pass", cv = 0.04, adapts = TRUE),
  scenario("nothing changed, runs of CV 6 %", ALL(1), "pass", cv = 0.06),
  scenario("nothing changed, runs of CV 6 %", ALL(1), "pass", cv = 0.06, adapts = TRUE),
  scenario("nothing changed, runs of CV 6 %", ALL(1), "regressed", cv = 0.06, adapts = TRUE)
)

#' The verdict of the i-th job of a scenario. Each job has its own seed, so it can be replayed alone and in any order.
job_verdict <- function(scenario, i) {
  set.seed(i)
  changes <- scenario$changes
  lost <- function(runs) {
    runs <- with_effect(runs, scenario$effect)
    if (is.null(scenario$hidden)) runs else with_hidden(runs, scenario$hidden)
  }
  if (!scenario$adapts) {
    runs <- if (is.null(changes)) simulate_runs(10, scenario$cv) else simulate_changes(10, changes$sd, changes$rho)
    return(scenario$verdict_of(as_samples(lost(runs))))
  }
  noise <- if (is.null(changes)) machine_noise(scenario$cv) else noise_of_changes(changes$sd, changes$rho)
  adapted_job(function(block, cells, before) lost(noise(block, cells, before)))$verdict
}

#' The verdicts of n jobs of a scenario.
verdicts_of <- function(scenario, n, cores = 1) {
  unlist(parallel::mclapply(seq_len(n), function(i) job_verdict(scenario, i), mc.cores = cores))
}

#' Counts a scenario's verdicts and compares the share with the promise.
#'
#' @return list: count, share, low and high (95 % Clopper-Pearson), kept (whether the promise holds; NA without one)
count_verdicts <- function(scenario, verdicts) {
  n <- length(verdicts)
  count <- sum(verdicts == scenario$counted)
  interval <- binom.test(count, n)$conf.int
  kept <- if (is.na(scenario$promise)) {
    NA
  } else if (scenario$promise == "at least") {
    # The promises are about 2,000 jobs. With fewer jobs the share varies more, so it must only not contradict them.
    count >= if (n < 2000) qbinom(0.05, n, scenario$bound) else scenario$bound * n
  } else if (scenario$counted == "pass" || n < 2000) {
    count <= qbinom(0.95, n, scenario$bound)
  } else {
    count <= scenario$bound * n
  }
  list(count = count, share = count / n, low = interval[1], high = interval[2], kept = kept)
}

acceptance_row <- function(scenario, result, n) {
  data.frame(
    "simulated job" = scenario$name, blocks = if (scenario$adapts) "6 to 20, where open" else "10",
    verdict = scenario$counted,
    promised = if (is.na(scenario$promise)) "" else paste(scenario$promise, percent(scenario$bound, 2)),
    found = sprintf("%s (%d of %s)", percent(result$share, 2), result$count, format(n, big.mark = ",")),
    "95 % interval" = paste(percent(result$low, 2), "to", percent(result$high, 2)), check.names = FALSE
  )
}
