# The metrics of the gate. Each is better when larger.

#' Metrics by name: the column, what makes larger better, and how changes of it read. Goodput decides; the others may
#' only regress.
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

#' Names of the metrics that every run that counts has measured.
measured_metrics <- function(design) {
  rows <- design$samples
  counts <- !is.na(rows$replicate) & rows$cell %in% design$cells & rows$mode %in% design$gate_modes
  Filter(function(name) {
    x <- rows[[METRICS[[name]]$column]][counts]
    length(x) > 0 && all(if (name == "cpu") is_measured(x) else is.finite(x) & x > 0)
  }, names(METRICS))
}

#' log x of the four arms of the gate as matrices [replicate, cell].
#'
#' @return list: head_async, head_sync, and where there is a base base_async, base_sync
arm_logs <- function(design, metric) {
  of <- METRICS[[metric]]
  arm <- function(revision, mode) log_metric(design, of$column, revision, mode, of$transform)
  sync <- design$gate_modes[1]
  async <- design$gate_modes[2]
  out <- list(head_async = arm("head", async), head_sync = arm("head", sync))
  if (design$has_base) out <- c(out, list(base_async = arm("base", async), base_sync = arm("base", sync)))
  out
}
