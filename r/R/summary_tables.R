# The tables of summary.md. Cells and modes stand in code spans, numbers keep their unit on one line.

#' "workload/load" as a code span.
cell_code <- function(cells) {
  code(vapply(cells, function(cell) paste(cell$workload, cell$load, sep = "/"), character(1)))
}

#' The cells as tables show them.
#'
#' Errors of head, and a measurement that cannot be trusted, end the decision before any cell is tested.
#' "not-gated" would contradict the title there.
shown_cells <- function(result) {
  decision <- result$decision
  cells <- result$json$cells
  if (length(decision$tests) || !decision$verdict %in% c("regressed", "invalid")) return(cells)
  failing <- decision$errors$head_only_above$cell
  lapply(cells, function(cell) {
    name <- paste(cell$workload, cell$load, sep = "/")
    # Cells with two definitions are none of the design, and gated nowhere.
    if (!name %in% result$design$cells) return(cell)
    verdict <- if (name %in% failing) "regressed" else "not tested"
    cell$verdict <- if (decision$verdict == "invalid") "invalid" else verdict
    cell
  })
}

gain_table <- function(result) {
  cells <- shown_cells(result)
  if (!length(cells)) return(NULL)
  modes <- code(result$design$gate_modes)
  rows <- cell_columns(cells, cell_code(cells))
  pooled <- result$json$pooled
  # The pool of one cell is that cell.
  if (!is.na(pooled$change) && length(first_test(result)$cells$cell) > 1) {
    moved <- with(pooled, moved_columns(change, change_low, change_high, async_change, sync_change, mde90))
    rows <- rbind(rows, cbind(data.frame(cell = "*all cells*", verdict = "", base = "", head = ""), moved))
  }
  deciding <- deciding_rows(result)
  table <- stats::setNames(rbind(rows, deciding), c(
    "workload/load", "verdict", "gain base", "gain head", "change (95 % CI)", modes[length(modes)], modes[1], "MDE90"
  ))
  if (is_work(result)) return(c(markdown_table(table, "llrrrrrr"), work_table_meaning(modes)))
  c(
    markdown_table(table, "llrrrrrr"),
    sprintf(
      paste(
        "Gain: goodput of %s / goodput of %s. Change: gain of head / gain of base.",
        "%s and %s: head / base of each mode by itself. MDE90: the smallest loss that would be found nine times in ten."
      ),
      modes[length(modes)], modes[1], modes[length(modes)], modes[1]
    ),
    if (!is.null(deciding)) {
      "In a row of CPU time, every figure is one of requests per second of CPU time. Only a regression has such a row."
    }
  )
}

#' The test that decides: of goodput, or of instructions where nothing else was measured.
first_test <- function(result) result$decision$tests$goodput %||% result$decision$tests$instructions

#' One row per cell: its name, verdict, gains and changes.
cell_columns <- function(cells, name) {
  number <- function(key) vapply(cells, function(cell) as.numeric(cell[[key]] %||% NA_real_), numeric(1))
  cbind(
    data.frame(
      cell = name, verdict = tight(vapply(cells, `[[`, "", "verdict")),
      base = ratio_text(number("gain_base")), head = ratio_text(number("gain_head"))
    ),
    moved_columns(number("change"), number("change_low"), number("change_high"), number("async_change"),
      number("sync_change"), number("mde90"))
  )
}

#' Rows of the cells that another metric than goodput proves to have regressed. NULL if there are none.
deciding_rows <- function(result) {
  decided <- deciding_cells(result)
  do.call(rbind, lapply(names(decided), function(metric) {
    cell_columns(decided[[metric]], paste0(cell_code(decided[[metric]]), ", ", metric_words(metric)$label))
  }))
}

#' Cells that another metric than goodput proves to have regressed, by metric. The figures of goodput beside them do not
#' show why.
deciding_cells <- function(result) {
  if (result$json$verdict != "regressed") return(list())
  regressed <- lapply(result$json$metrics[-1], function(metric) {
    Filter(function(cell) cell$verdict == "regressed", metric$cells)
  })
  Filter(length, regressed)
}

moved_columns <- function(change, low, high, async, sync, mde90) {
  # A line may end before the interval, so that the table fits into a comment.
  interval <- paste(tight(sprintf("**%s**", signed(change))), tight(sprintf("(%s to %s)", signed(low), signed(high))))
  data.frame(
    change = ifelse(is.na(change), "n/a", interval), async = tight(signed(async)), sync = tight(signed(sync)),
    mde90 = tight(percent(mde90))
  )
}

study_table <- function(result) {
  rows <- mode_medians(result$design)
  if (is.null(rows)) return(NULL)
  markdown_table(data.frame(
    "workload/load" = code(paste(rows$workload, rows$load, sep = "/")), mode = code(rows$mode),
    "goodput (req/s)" = rate_text(rows$goodput_rps), "CV between runs" = tight(percent(rows$cv)),
    "p95 (ms)" = rate_text(rows$p95_ms), "CPU (\u00b5s/req)" = rate_text(rows$cpu_us_per_request),
    "peak memory (MiB)" = rate_text(rows$peak_memory_mib), check.names = FALSE
  ), "llrrrrr")
}

#' Peak memory and its growth in base and head: open and titled by the rise where one is proven, else folded away.
memory_lines <- function(result) {
  rows <- result$memory
  if (is.null(rows) || is_study(result$run)) return(NULL)
  marked <- function(text, rose) paste0(text, ifelse(rose, " \u26a0\ufe0f", ""))
  columns <- data.frame(
    "workload/load" = code(rows$cell), mode = code(rows$mode), "peak base (MiB)" = rate_text(rows$peak_base),
    "peak head (MiB)" = marked(rate_text(rows$peak_head), rows$peak_rose),
    "growth base (KiB/1,000 req)" = whole_text(rows$growth_base),
    "growth head (KiB/1,000 req)" = marked(whole_text(rows$growth_head), rows$growth_rose), check.names = FALSE
  )
  if (!result$design$has_base) columns <- columns[!grepl("base", names(columns))]
  table <- markdown_table(columns, c("l", "l", rep("r", ncol(columns) - 2)))
  risen <- memory_sentences(rows)
  if (length(risen)) {
    title <- paste0("### \u26a0\ufe0f Memory: ", as_markdown(paste(risen, collapse = "; ")))
    gated <- memory_gated(result$settings)
    meaning <- paste("\u26a0\ufe0f: a rise that the spread between runs does not explain.", gated)
    c(title, "", table, meaning, "")
  } else {
    c("<details><summary>Memory and its growth: no rise is proven</summary>", "", table, "</details>", "")
  }
}

#' Three modes or more: the parts of the gain.
step_lines <- function(result) {
  rows <- do.call(rbind, lapply(result$json$pairs, as.data.frame))
  if (is.null(rows) || length(result$design$modes) < 3) return(NULL)
  rows <- rows[rows$step, ]
  table <- data.frame(
    "where the gain comes from" = code(rows$cell), part = step_name(rows$from, rows$to, code),
    "gain on head (95 % CI)" = tight(with_ci(ratio_text, rows$gain, rows$low, rows$high)), check.names = FALSE
  )
  if (!is.null(rows$change)) {
    table[["change (95 % CI)"]] <- tight(with_ci(signed, rows$change, rows$change_low, rows$change_high))
  }
  c(markdown_table(table, c("l", "l", rep("r", ncol(table) - 2))), "The parts of a cell multiply to its gain.", "")
}

anova_lines <- function(json) {
  if (!length(json$anova)) return(NULL)
  rows <- do.call(rbind, lapply(json$anova, as.data.frame))
  terms <- data.frame(
    workload = code(rows$workload), model = code(rows$model), term = code(rows$term), df = as.character(rows$df),
    F = ifelse(is.na(rows$f), "", formatC(rows$f, format = "g", digits = 5)),
    p = ifelse(is.na(rows$p), "", p_text(rows$p))
  )
  tests <- lapply(json$t_test, function(row) {
    data.frame(
      workload = code(row$workload), model = "Welch t-test", term = code("mode"), df = sprintf("%.1f", row$df),
      F = sprintf("t = %.2f", row$t), p = p_text(row$p)
    )
  })
  c(
    "<details><summary>ANOVA and t-test</summary>", "", markdown_table(do.call(rbind, c(list(terms), tests)), "lllrrr"),
    "</details>", ""
  )
}
