# Judges `profile: work`, in which only instructions were counted. Every text says what was not measured.

WORK_LIMITS <- paste(
  "Only instructions were counted (`profile: work`): no time and no waiting was measured.",
  "A gain that is lost in waiting is not seen."
)

#' Settings that need measured time or memory, with their keys.
UNTIMED_SETTINGS <- c(
  min_gain = "min-gain", max_slowdown = "max-slowdown", max_p95_growth = "max-p95-growth",
  max_memory_growth = "max-memory-growth"
)

#' Whether only instructions were counted.
is_work <- function(result) identical(result$json$metric, "instructions")

#' Runs the analysis if samples.csv has no runs.
#'
#' @param counts from read_counts()
#' @return like analyse(), but its json also has `metric`
analyse_work <- function(counts, modes, settings, run) {
  settings[c("looks", "look")] <- 1
  design <- work_design(counts, modes, run)
  decision <- decide_work(design, settings, run)
  tested <- !is.null(decision$tests$instructions)
  cells <- if (tested) cell_rows(design, decision, "instructions", settings) else list()
  pooled <- pooled_row(decision, "instructions")
  json <- list(
    schema = 1L, rule = RULE, metric = "instructions", verdict = decision$verdict,
    reasons = as.list(decision$reasons), warnings = list(), cells = cells, pooled = pooled,
    metrics = by_metric(decision, function(metric) list(cells = cells, pooled = pooled)),
    pairs = list(), anova = list(), t_test = list(), errors = list(rates = list()),
    checks = list(missing_metrics = as.list(names(METRICS))),
    blocks = 0L, jobs = design$jobs, looks = 1, look = 1, open = list(), excluded = list(), modes = as.list(modes),
    settings = settings[!vapply(settings, is.null, logical(1))],
    versions = list(r = paste(R.version$major, R.version$minor, sep = "."))
  )
  list(json = json, design = design, decision = decision, settings = settings, run = run)
}

#' Makes a design like experiment(), from the counts. Planned cells without counts belong to it, too.
work_design <- function(counts, modes, run) {
  planned <- run$plan$cells
  planned <- if (is.data.frame(planned)) paste(planned$workload, planned$load, sep = "/")
  all_cells <- union(planned, unique(counts$cell))
  redefined <- sub("/[^/]*$", "", all_cells) %in% redefined_workloads(run)
  list(
    cells = all_cells[!redefined], comparable = !length(all_cells) || !all(redefined), new_cells = character(),
    has_base = !is.null(run$commits$base) || any(counts$revision == "base"), revisions = c("base", "head"),
    modes = modes, gate_modes = modes[seq_len(min(2, length(modes)))], jobs = length(unique(counts$job)),
    unit = "block", counts = counts
  )
}

#' Decides on counts alone, as docs/method.md specifies.
decide_work <- function(design, settings, run) {
  out <- list(tests = list())
  limits <- c(WORK_LIMITS, untested_sentence(settings))
  ended <- function(verdict, reasons) c(list(verdict = verdict, reasons = c(reasons, limits)), out)

  idle <- c(
    if (length(design$modes) < 2) "There is only one mode, so there is no gain.",
    if (!design$has_base) run$commits$without_base %||% "There is no base to compare with.",
    if (!design$comparable) "Base and head define every workload differently, so there is nothing to compare.",
    if (!length(design$cells) && design$comparable) "There is no cell that base and head both have."
  )
  if (length(idle)) return(ended("not-gated", idle[1]))

  lacking <- Filter(function(cell) !is_counted(design, cell, "base"), design$cells)
  if (length(lacking)) {
    return(ended("invalid", sprintf("The instructions of base could not be counted in %s.", listed(code(lacking)))))
  }
  test <- test_instructions(design, settings, list())
  out$tests$instructions <- test
  if (!is.null(test) && has_regressed(test)) {
    fell <- regression_sentences(design, "instructions", test)
    return(ended("regressed", c(fell, spared_sentences(design, out$tests))))
  }
  open <- c(
    uncounted_sentences(design),
    if (!is.null(test)) unclear_sentences(design, out$tests, settings),
    if (!is.null(test)) unproven_sentence(test, settings)
  )
  if (length(open)) return(ended("inconclusive", c(open, spared_sentences(design, out$tests))))
  ended("pass", c(spared_sentences(design, out$tests), work_pass_sentence(design, test, settings)))
}

#' One sentence about settings of the gate that were not tested; NULL if there are none.
untested_sentence <- function(settings) {
  given <- UNTIMED_SETTINGS[!vapply(settings[names(UNTIMED_SETTINGS)], is.null, NA)]
  if (length(given)) sprintf("Not tested, since nothing but instructions was counted: %s.", listed(code(given)))
}

unproven_sentence <- function(test, settings) {
  cells <- test$cells
  open <- cells$cell[cells$p_pass >= pass_level(settings) & !cells$spared & !cells$unclear]
  if (!length(open)) return(NULL)
  where <- if (length(open) > 1 && length(open) == nrow(cells)) "any cell" else listed(code(open))
  sprintf("A loss of %s of the gain in instructions is not excluded in %s.", percent(settings$resolution), where)
}

work_pass_sentence <- function(design, test, settings) {
  if (all(test$cells$spared)) return(NULL)
  loss <- percent(settings$resolution)
  if (any(test$cells$spared)) return(sprintf("In every other cell a loss of %s of it is excluded.", loss))
  one <- nrow(test$cells) == 1
  where <- if (one) paste("in", code(test$cells$cell)) else "over all cells"
  pooled <- test$pooled
  moved <- sprintf(
    "%s: %s %s (95 %% CI %s to %s)", if (has_risen(pooled)) "rose" else "held", signed(pooled$change), where,
    signed(pooled$change_low), signed(pooled$change_high)
  )
  sprintf(
    "The %s in instructions per request %s. A loss of %s is excluded%s.", gain_of(design),
    # The gain also rises if the synchronous mode does more work, so both modes are named.
    if (has_risen(pooled)) paste0(moved, ": ", modes_moved(design, "instructions", pooled)) else moved, loss,
    if (one) "" else " in every cell"
  )
}

#' Returns the lines of summary.md.
work_summary_lines <- function(result) {
  tolerance <- percent(result$settings$max_regression, 0)
  warnings <- result$run$warnings
  c(
    paste("##", title_of(result)), "",
    paste0(as_markdown(unlist(result$json$reasons)), collapse = "\n\n"), "",
    gain_table(result), gain_chart(result),
    if (result$json$verdict %in% c("pass", "inconclusive")) pass_meaning(result$settings),
    if (length(result$json$cells)) sprintf("A proven loss of more than %s fails.", tolerance),
    if (length(warnings)) c("", paste0("- ", as_markdown(unlist(warnings)))), "",
    production_lines(result), instruction_lines(result), work_context(result)
  )
}

work_context <- function(result) {
  seed <- if (is.null(result$run$seed)) "" else sprintf(", seed %s", result$run$seed)
  sprintf("<sub>%s%s.</sub>", count_of(NROW(result$design$counts), "count"), seed)
}

#' Explains the columns of the table of gains.
work_table_meaning <- function(modes) {
  sprintf(
    paste(
      "Gain: instructions per request of %s / those of %s. Change: gain of head / gain of base.",
      "%s and %s: head / base of each mode by itself, above 0 where head needs fewer instructions.",
      "MDE90: the smallest loss that would be found nine times in ten."
    ),
    modes[1], modes[2], modes[2], modes[1]
  )
}
