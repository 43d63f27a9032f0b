# The metrics of the gate, transformed so that larger is better.

#' The metrics by name: the column of samples.csv, the transformation that makes larger better, and words for changes.
#'
#' Goodput decides. The other metrics can only cause a regression.
METRICS <- list(
  goodput = list(
    column = "goodput_rps", transform = identity, label = "goodput", improved = "became faster",
    moved = function(ratio) moved_text(ratio, "slower", "faster", "as fast")
  ),
  cpu = list(
    column = "cpu_us_per_request", transform = function(x) 1 / x, label = "CPU time per request",
    improved = "needs less CPU time",
    moved = function(ratio) moved_text(1 / ratio, "less CPU time", "more CPU time", "the CPU time")
  )
)

#' The names of the metrics that were measured in every run that counts.
measured_metrics <- function(design) {
  rows <- design$samples
  counts <- !is.na(rows$replicate) & rows$cell %in% design$cells & rows$mode %in% design$gate_modes
  Filter(function(name) {
    x <- rows[[METRICS[[name]]$column]][counts]
    length(x) > 0 && all(if (name == "cpu") is_measured(x) else is.finite(x) & x > 0)
  }, names(METRICS))
}

#' log x of the gate's arms, where x is the transformed metric.
#'
#' @return list of matrices [replicate, cell]: head_async, head_sync, and with a base also base_async, base_sync
arm_logs <- function(design, metric) {
  of <- METRICS[[metric]]
  arm <- function(revision, mode) log_metric(design, of$column, revision, mode, of$transform)
  sync <- design$gate_modes[1]
  async <- design$gate_modes[2]
  out <- list(head_async = arm("head", async), head_sync = arm("head", sync))
  if (design$has_base) out <- c(out, list(base_async = arm("base", async), base_sync = arm("base", sync)))
  out
}
