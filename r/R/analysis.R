# Puts everything that the analysis finds into one list, which becomes analysis.json.

#' Version of the rule that docs/method.md specifies.
RULE <- 2L

#' Runs the whole analysis.
#'
#' @param samples from read_samples()
#' @param modes names in order. If NULL, those of run.json or else of the data
#' @param run content of run.json, or NULL
#' @param counts from read_counts(), or NULL. Without samples, the counts alone are judged
#' @return list: `json` (the content of analysis.json). Report and summary also use `design`, `decision`, `settings`,
#'   `run`, `memory` (memory_rows()) and `both_slower` (a sentence or NULL)
analyse <- function(samples, modes = NULL, settings = gate_settings(), run = NULL, counts = NULL) {
  modes <- modes %||% unlist(run$modes) %||% unique(c(samples$mode, counts$mode))
  if (!nrow(samples)) return(analyse_work(counts, modes, settings, run))
  if (length(unique(samples$job)) > 1) settings[c("looks", "look")] <- 1
  # A study has no gate. Gate settings in its configuration are for the other verbs.
  if (is_study(run)) settings$min_gain <- NULL
  samples <- samples[samples$mode %in% modes, , drop = FALSE]
  redefined <- redefined_workloads(run)
  design <- experiment(samples, modes, redefined)
  design$counts <- counts
  decision <- decide(design, settings, run)
  if (is_study(run) && decision$verdict == "not-gated") decision$reasons <- study_findings(design)
  has_anova <- design$blocks >= 2
  memory <- memory_rows(design)
  both_slower <- both_slower_sentence(design, decision, settings)
  json <- list(
    schema = 1L,
    rule = RULE,
    verdict = decision$verdict,
    reasons = as.list(decision$reasons),
    # These do not decide, but whoever reads a pass must also read them.
    warnings = as.list(c(
      twin_sentences(samples), held_sentences(design, decision$tests$instructions), both_slower,
      if (!is.null(memory)) memory_sentences(memory)
    )),
    cells = c(
      cell_rows(design, decision, "goodput", settings),
      if (design$comparable) reported_rows(samples, modes, redefined, settings)
    ),
    pooled = pooled_row(decision, "goodput"),
    metrics = by_metric(decision, function(metric) {
      list(cells = cell_rows(design, decision, metric, settings), pooled = pooled_row(decision, metric))
    }),
    pairs = rows_of(pair_gains(design)),
    anova = if (has_anova) reported(anova_tables(design)) else list(),
    t_test = if (has_anova) reported(t_tests(design)) else list(),
    errors = list(
      rates = rows_of(decision$errors$rates), only_head = decision$errors$only_head,
      only_base = decision$errors$only_base, p = decision$errors$p
    ),
    checks = list(
      steady_state = rows_of(decision$steady), little = rows_of(decision$little),
      # The largest of the cells. Only metrics of runs have blocks. Counts of instructions have none.
      dependence = as.list(vapply(
        decision$tests[names(decision$tests) %in% names(METRICS)], function(test) max(test$chain$rho), numeric(1)
      )),
      sign_flips = sign_flip_rows(design, decision, settings),
      between_jobs = if (!is.null(decision$tests$goodput)) {
        reported(between_jobs(design, decision$tests$goodput$d))
      } else {
        list()
      },
      memory = rows_of(memory),
      assumptions = if (has_anova) reported(assumptions(design)) else list(),
      min_gain = rows_of(decision$min_gain[names(decision$min_gain) != "se"]),
      slowdown = rows_of(decision$slowdown), growth = rows_of(decision$growth),
      missing_metrics = as.list(setdiff(names(METRICS), measured_metrics(design)))
    ),
    blocks = design$blocks,
    jobs = design$jobs,
    looks = settings$looks,
    look = settings$look,
    levels = list(fail = fail_level(settings), pass = pass_level(settings)),
    open = rows_of(split_cell(open_cells(design, decision, settings))),
    excluded = design$excluded,
    modes = as.list(modes),
    settings = settings[!vapply(settings, is.null, logical(1))],
    versions = list(r = paste(R.version$major, R.version$minor, sep = "."))
  )
  list(
    json = json, design = design, decision = decision, settings = settings, run = run, memory = memory,
    both_slower = both_slower
  )
}

cell_rows <- function(design, decision, metric, settings) {
  cells <- decision$tests[[metric]]$cells
  tested <- if (is.null(cells)) {
    rows_of(data.frame(untested_cells(design, metric)))
  } else {
    cells$verdict <- cell_verdicts(cells, settings)
    # People read the cells of the first metric, so these must show a regression or an unclear result of the others.
    others <- if (metric == names(decision$tests)[1]) decision$tests[-1] else list()
    for (test in others) {
      other <- test$cells[match(cells$cell, test$cells$cell), ]
      cells$verdict[other$unclear & cells$verdict != "regressed"] <- "inconclusive"
      cells$verdict[other$regressed] <- "regressed"
    }
    # A job that is not gated still shows its cells, but without a judgement.
    if (identical(decision$verdict, "not-gated")) cells$verdict <- "not-gated"
    keep <- c(
      "gain_base", "gain_head", "change", "change_low", "change_high", "p_fail", "p_fail_holm", "p_pass", "mde90",
      "async_change", "sync_change", "verdict"
    )
    rows_of(cbind(split_cell(cells$cell), cells[keep]))
  }
  new <- if (length(design$new_cells)) rows_of(cbind(split_cell(design$new_cells), verdict = "new")) else list()
  c(tested, new)
}

#' Returns the workloads that base and head define differently, according to run.json.
redefined_workloads <- function(run) {
  ungated <- run$ungated
  if (!is.data.frame(ungated) || !nrow(ungated)) return(character())
  ungated$workload[ungated$why == "redefined"]
}

#' Computes the cells whose workload base and head define differently. They are for people; the gate never uses them.
reported_rows <- function(samples, modes, redefined, settings) {
  samples <- samples[samples$workload %in% redefined, , drop = FALSE]
  if (!nrow(samples) || length(modes) < 2 || !all(c("base", "head") %in% samples$revision)) return(list())
  design <- experiment(samples, modes)
  if (design$blocks < 2) return(list())
  rows <- cell_rows(design, list(tests = run_tests(design, settings)), "goodput", settings)
  lapply(rows, function(row) {
    row$verdict <- "not-gated"
    row
  })
}

#' Computes the gains alone, if there is nothing to compare them with.
untested_cells <- function(design, metric) {
  gain <- function(revision) {
    if (length(design$modes) < 2 || design$blocks < 1) return(rep(NA_real_, length(design$cells)))
    column <- METRICS[[metric]]
    logs <- function(mode) log_metric(design, column$column, revision, mode, column$transform)
    unname(exp(apply(logs(design$gate_modes[2]) - logs(design$gate_modes[1]), 2, mean, trim = TRIM, na.rm = TRUE)))
  }
  gain_base <- if (design$has_base) gain("base") else NA_real_
  verdict <- rep("not-gated", length(design$cells))
  data.frame(split_cell(design$cells), gain_base = gain_base, gain_head = gain("head"), verdict = verdict)
}

cell_verdicts <- function(cells, settings) {
  a <- pass_level(settings)
  passes <- cells$p_pass < a & !cells$unclear & !cells$hidden
  proven <- ifelse(cells$spared, "sync-improved", ifelse(passes, "pass", "inconclusive"))
  ifelse(cells$regressed, "regressed", proven)
}

#' Maps the tested metrics to values. Without any, it is an empty object in JSON, not an empty array.
by_metric <- function(decision, value_of) {
  lapply(stats::setNames(nm = names(decision$tests) %||% character()), value_of)
}

pooled_row <- function(decision, metric) {
  pooled <- decision$tests[[metric]]$pooled
  keep <- c("change", "change_low", "change_high", "p_fail", "mde90", "async_change", "sync_change")
  if (is.null(pooled)) stats::setNames(as.list(rep(NA_real_, length(keep))), keep) else pooled[keep]
}

sign_flip_rows <- function(design, decision, settings) {
  test <- decision$tests$goodput
  if (is.null(test)) return(list())
  rows_of(data.frame(split_cell(colnames(test$d)), p = sign_flips(test$d, 1 - settings$max_regression)))
}

split_cell <- function(cell) data.frame(workload = sub("/[^/]*$", "", cell), load = sub("^.*/", "", cell))

#' Turns a table that decides nothing into rows. If it cannot be computed, it is left out, and the verdict stands.
reported <- function(table) rows_of(tryCatch(table, error = function(e) NULL))

#' Turns a data frame into a list of rows.
rows_of <- function(frame) {
  if (is.null(frame) || !nrow(frame)) return(list())
  frame[] <- lapply(frame, function(column) if (is.factor(column)) as.character(column) else column)
  lapply(seq_len(nrow(frame)), function(i) as.list(frame[i, , drop = FALSE]))
}

#' Writes analysis.json with ten significant digits. The last bits of a sum differ between machines.
write_analysis <- function(json, file) {
  round_all <- function(x) if (is.list(x)) lapply(x, round_all) else if (is.double(x)) signif(x, 10) else x
  text <- jsonlite::toJSON(round_all(json), auto_unbox = TRUE, na = "null", null = "null", digits = NA, pretty = 2)
  writeLines(enc2utf8(text), file, useBytes = TRUE)
}
