# Simulates counts of instructions, and tests them as `profile: work` does.

#' The repetitions of each arm in the full profile.
COUNTED <- 4

#' The verdict of the test of instructions, without a timed metric that could contradict it.
#'
#' @param effect head's asynchronous mode executes 1 / effect times the instructions, one factor per cell
#' @param counts list: sd (of log counts of one arm), tolerance (max-regression, a share)
#' @return "regressed" or "held"
verdict_on_counts <- function(effect, counts) {
  design <- list(cells = SIMULATED_CELLS, gate_modes = SIMULATED_MODES, counts = simulate_counts(effect, counts$sd))
  test <- test_instructions(design, gate_settings(max_regression = counts$tolerance), list())
  if (any(test$cells$regressed, test$pooled$regressed)) "regressed" else "held"
}

#' Simulates rows like those of read_counts(). Arms are counted by themselves, so every count is independent.
simulate_counts <- function(effect, sd) {
  counts <- expand.grid(
    job = "1", repetition = seq_len(COUNTED), cell = SIMULATED_CELLS, revision = c("base", "head"),
    mode = SIMULATED_MODES, stringsAsFactors = FALSE
  )
  hit <- counts$revision == "head" & counts$mode == "swoole"
  more <- ifelse(hit, 1 / effect[match(counts$cell, SIMULATED_CELLS)], 1)
  counts$instructions_per_request <- 1e6 * more * exp(rnorm(nrow(counts), 0, sd))
  counts
}
