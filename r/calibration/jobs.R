# Simulates the jobs of a scenario, counts their verdicts and compares them with the promise.

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

#' The verdict of the i-th job of a scenario. Each job has its own seed, so it can be replayed alone and in any order.
job_verdict <- function(scenario, i) {
  set.seed(i)
  if (!is.null(scenario$counts)) return(verdict_on_counts(scenario$effect, scenario$counts))
  lost <- function(runs) {
    runs <- with_effect(runs, scenario$effect)
    if (is.null(scenario$hidden)) runs else with_hidden(runs, scenario$hidden)
  }
  if (!scenario$adapts) return(scenario$verdict_of(as_samples(lost(runs_of(scenario, 10)))))
  changes <- scenario$changes
  noise <- if (is.null(changes)) {
    in_turn(runs_of(scenario, max(LOOKS_AT)))
  } else {
    noise_of_changes(changes$sd, changes$rho)
  }
  adapted_job(function(block, cells, before) lost(noise(block, cells, before)))$verdict
}

#' The runs of a scenario with the noise of the machine, before any loss.
runs_of <- function(scenario, blocks) {
  if (is.null(scenario$noise)) simulate_runs(blocks, scenario$cv) else noisy_runs(blocks, NOISES[[scenario$noise]])
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
    "simulated job" = scenario$name, blocks = length_of_job(scenario),
    verdict = scenario$counted,
    promised = if (is.na(scenario$promise)) "" else paste(scenario$promise, percent(scenario$bound, 2)),
    found = sprintf("%s (%d of %s)", percent(result$share, 2), result$count, format(n, big.mark = ",")),
    "95 % interval" = paste(percent(result$low, 2), "to", percent(result$high, 2)), check.names = FALSE
  )
}

#' The number of blocks of a scenario's jobs, in words.
length_of_job <- function(scenario) {
  if (!is.null(scenario$counts)) "counts alone" else if (scenario$adapts) "6 to 20, where open" else "10"
}
