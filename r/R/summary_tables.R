# Makes the tables of summary.md. Cells and modes are in code spans, and numbers keep their unit on one line.

#' Puts "workload/load" into a code span.
cell_code <- function(cells) {
  code(vapply(cells, function(cell) paste(cell$workload, cell$load, sep = "/"), character(1)))
}

#' Returns the cells for the tables.
#'
#' Errors of head and an invalid measurement end the decision before any cell is tested. Such cells get the verdict
#' "regressed", "not tested" or "invalid" here, because "not-gated" would contradict the title.
shown_cells <- function(result) {
  decision <- result$decision
  cells <- result$json$cells
  if (length(decision$tests) || !decision$verdict %in% c("regressed", "invalid")) return(cells)
  failing <- decision$errors$head_only_above$cell
  lapply(cells, function(cell) {
    name <- paste(cell$workload, cell$load, sep = "/")
    # Cells with two definitions do not belong to the design and are never gated.
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
  by_others <- regressed_by_others(cells, result)
  names <- paste0(cell_code(cells), ifelse(by_others, ", goodput", ""))
  rows <- cell_columns(by_goodput(cells, by_others, result), names)
  pooled <- result$json$pooled
  # With one cell, the pool would repeat it.
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

#' Whether only other metrics than goodput prove that a cell regressed. Such a cell has a row for each of those metrics.
regressed_by_others <- function(cells, result) {
  names_of <- function(cells) vapply(cells, function(cell) paste(cell$workload, cell$load, sep = "/"), "")
  others <- unlist(lapply(deciding_cells(result), names_of))
  own <- result$decision$tests$goodput$cells
  names_of(cells) %in% setdiff(others, own$cell[own$regressed])
}

#' Returns the cells with the verdict of goodput where other metrics have rows of their own.
#'
#' @param by_others from regressed_by_others()
by_goodput <- function(cells, by_others, result) {
  own <- result$decision$tests$goodput$cells
  verdicts <- if (!is.null(own)) stats::setNames(cell_verdicts(own, result$settings), own$cell)
  Map(function(cell, by_others) {
    if (by_others) cell$verdict <- verdicts[[paste(cell$workload, cell$load, sep = "/")]]
    cell
  }, cells, by_others)
}

#' Returns the test that decides: of goodput, or of instructions if nothing else was measured.
first_test <- function(result) result$decision$tests$goodput %||% result$decision$tests$instructions

#' One row per cell: name, verdict, gains and changes.
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

#' Rows of the cells in which another metric than goodput proves a regression; NULL if there are none.
deciding_rows <- function(result) {
  decided <- deciding_cells(result)
  do.call(rbind, lapply(names(decided), function(metric) {
    cell_columns(decided[[metric]], paste0(cell_code(decided[[metric]]), ", ", metric_words(metric)$label))
  }))
}

#' Cells in which another metric than goodput proves a regression, by metric. Their figures explain the verdict; those
#' of goodput do not.
deciding_cells <- function(result) {
  if (result$json$verdict != "regressed") return(list())
  regressed <- lapply(result$json$metrics[-1], function(metric) {
    Filter(function(cell) cell$verdict == "regressed", metric$cells)
  })
  Filter(length, regressed)
}

moved_columns <- function(change, low, high, async, sync, mde90) {
  # The interval may go to a second line, so that the table fits into a comment.
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

#' Writes the section on memory in base and head. A proven rise opens it and is its title; otherwise it is folded away.
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

#' Writes the parts of the gain, if there are three modes or more.
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
