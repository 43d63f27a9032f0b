# Makes the tables of the report.

#' Prints a data frame as an HTML table. Text is aligned to the left, and figures to the right.
#'
#' @param ends_in_prose whether the last column has sentences, which wrap and are text even if they begin with a number
html_table <- function(frame, caption, ends_in_prose = FALSE) {
  if (is.null(frame) || !NROW(frame)) return(invisible())
  frame[] <- lapply(frame, function(x) if (is.logical(x)) yes_no(x) else if (is.numeric(x)) number_text(x) else x)
  align <- ifelse(vapply(frame, has_figures, logical(1)), "r", "l")
  if (ends_in_prose) align[length(align)] <- "l"
  table <- knitr::kable(frame, format = "html", row.names = FALSE, caption = caption, escape = TRUE, align = align)
  cat(if (ends_in_prose) c("<div class=\"prose\">", table, "</div>") else table, sep = "\n")
  cat("\n\n")
}

#' Whether a column shows figures, such as "-1.0 %", "< 0.0001" or "1.57x (1.48x to 1.66x)".
has_figures <- function(column) all(grepl("^([<>] )?[-+]?[0-9]|^n/a$|^$", column))

yes_no <- function(x) ifelse(is.na(x), "", ifelse(x, "yes", "no"))

#' Formats whole numbers as they are, and others with four significant digits.
number_text <- function(x) {
  whole <- format(x, trim = TRUE, scientific = FALSE, big.mark = ",")
  ifelse(is.na(x), "", ifelse(x == round(x), whole, formatC(x, digits = 4, format = "g")))
}

#' The change of the gain per cell in goodput, and in each other metric that proves a regression there.
cell_table <- function(result) {
  cells <- shown_cells(result)
  if (!length(cells)) return(NULL)
  decided <- deciding_cells(result)
  of_goodput <- by_goodput(cells, regressed_by_others(cells, result), result)
  rows <- lapply(names(decided), function(metric) rows_of_metric(decided[[metric]], metric_words(metric)$label))
  table <- do.call(rbind, c(list(rows_of_metric(of_goodput, metric_words("goodput")$label)), rows))
  if (!length(decided)) table$metric <- NULL
  modes <- result$design$gate_modes
  names(table)[match(c("async", "sync"), names(table))] <- rev(modes[c(1, length(modes))])
  table
}

rows_of_metric <- function(cells, metric) {
  get <- function(name) vapply(cells, function(cell) as.character(cell[[name]] %||% NA), character(1))
  number <- function(name) as.numeric(get(name))
  interval <- paste(signed(number("change_low")), "to", signed(number("change_high")))
  data.frame(
    workload = get("workload"), load = get("load"), metric = metric, verdict = get("verdict"),
    "gain base" = ratio_text(number("gain_base")), "gain head" = ratio_text(number("gain_head")),
    change = signed(number("change")),
    "95 % CI" = ifelse(is.na(number("change")), "", interval),
    async = signed(number("async_change")), sync = signed(number("sync_change")),
    "smallest loss seen" = ifelse(is.na(number("mde90")), "n/a", percent(number("mde90"))), check.names = FALSE
  )
}

metrics_table <- function(result) {
  pooled <- lapply(result$json$metrics, function(metric) as.data.frame(metric$pooled))
  rows <- do.call(rbind, pooled)
  data.frame(
    metric = vapply(names(pooled), function(name) metric_words(name)$label, ""),
    "change of the gain (95 % CI)" = with_ci(signed, rows$change, rows$change_low, rows$change_high),
    "p, loss beyond the tolerance" = p_text(rows$p_fail), "smallest loss seen" = percent(rows$mde90),
    check.names = FALSE
  )
}

#' Medians of every arm, base before head.
arm_medians <- function(result) {
  rows <- do.call(rbind, lapply(result$design$revisions, function(revision) {
    rows <- mode_medians(result$design, revision)
    if (!is.null(rows)) cbind(rows, revision = revision)
  }))
  if (is.null(rows)) return(NULL)
  cell <- paste(rows$workload, rows$load, sep = "/")
  rows[order(match(cell, result$design$cells), match(rows$mode, result$design$modes)), ]
}

goodput_table <- function(result) {
  rows <- arm_medians(result)
  if (is.null(rows)) return(NULL)
  data.frame(
    workload = rows$workload, load = rows$load, mode = rows$mode, revision = rows$revision,
    "goodput (req/s)" = rate_text(rows$goodput_rps), "CV between runs" = percent(rows$cv),
    "p50 (ms)" = rate_text(rows$p50_ms), "p95 (ms)" = rate_text(rows$p95_ms), "p99 (ms)" = rate_text(rows$p99_ms),
    "CPU (\u00b5s/req)" = rate_text(rows$cpu_us_per_request), check.names = FALSE
  )
}

#' Peak memory and its growth per 1,000 requests in base and head, with the tests of a rise.
memory_table <- function(result) {
  rows <- result$memory
  if (is.null(rows)) return(NULL)
  cells <- split_cell(rows$cell)
  arms <- data.frame(workload = cells$workload, load = cells$load, mode = rows$mode)
  if (!result$design$has_base) {
    return(cbind(arms, "peak (MiB)" = rate_text(rows$peak_head), "growth (KiB)" = whole_text(rows$growth_head)))
  }
  cbind(
    arms, "peak base (MiB)" = rate_text(rows$peak_base), "peak head (MiB)" = rate_text(rows$peak_head),
    "p, peak" = p_text(rows$peak_p), "growth base (KiB)" = whole_text(rows$growth_base),
    "growth head (KiB)" = whole_text(rows$growth_head), "p, growth" = p_text(rows$growth_p)
  )
}

#' Formats estimates with their confidence limits.
with_ci <- function(text, estimate, low, high) sprintf("%s (%s to %s)", text(estimate), text(low), text(high))

pairs_table <- function(result) {
  pairs <- pair_gains(result$design)
  if (is.null(pairs)) return(NULL)
  table <- data.frame(
    cell = sub("/", " / ", pairs$cell), of = step_name(pairs$from, pairs$to),
    "gain on head (95 % CI)" = with_ci(ratio_text, pairs$gain, pairs$low, pairs$high), check.names = FALSE
  )
  if (is.null(pairs$change)) return(table)
  table[["change (95 % CI)"]] <- with_ci(signed, pairs$change, pairs$change_low, pairs$change_high)
  table
}

#' Only with three modes or more are there parts, and a whole.
pairs_caption <- function(result) {
  several <- length(unique(pair_gains(result$design)$to)) > 1
  paste0("Gain of each pair of modes, with 95 % CI.", if (several) " The parts multiply to the whole.")
}

anova_table <- function(result) {
  rows <- do.call(rbind, lapply(result$json$anova, as.data.frame))
  if (is.null(rows)) return(NULL)
  data.frame(
    workload = rows$workload, model = rows$model, term = rows$term, df = as.character(rows$df),
    "sum of squares" = formatC(rows$sum_sq, digits = 4, format = "g"),
    F = ifelse(is.na(rows$f), "", formatC(rows$f, digits = 5, format = "g")),
    p = ifelse(is.na(rows$p), "", p_text(rows$p)),
    "partial \u03b7\u00b2" = ifelse(is.na(rows$partial_eta_sq), "", sprintf("%.3f", rows$partial_eta_sq)),
    check.names = FALSE
  )
}

t_table <- function(result) {
  rows <- do.call(rbind, lapply(result$json$t_test, as.data.frame))
  if (is.null(rows)) return(NULL)
  number <- function(x) sprintf("%.2f", x)
  data.frame(
    workload = rows$workload, t = sprintf("%.3f", rows$t), df = sprintf("%.1f", rows$df), p = p_text(rows$p),
    "difference, req/s (95 % CI)" = with_ci(rate_text, rows$estimate, rows$low, rows$high),
    "Cohen's d (95 % CI)" = with_ci(number, rows$cohen_d, rows$cohen_d_low, rows$cohen_d_high), check.names = FALSE
  )
}

assumptions_table <- function(result) {
  rows <- do.call(rbind, lapply(result$json$checks$assumptions, as.data.frame))
  if (is.null(rows)) return(NULL)
  data.frame(
    workload = rows$workload, "Shapiro-Wilk p" = p_text(rows$shapiro_p), "Levene (median) p" = p_text(rows$levene_p),
    "Welch one-way p" = p_text(rows$welch_p), check.names = FALSE
  )
}

#' What the load generator requested in each cell, and for how long.
plan_table <- function(result) {
  cells <- result$run$plan$cells
  if (!is.data.frame(cells)) return(NULL)
  columns <- c(
    workload = "workload", load = "load", path = "path", connections = "concurrency",
    "warm-up (s)" = "warmup_s", "window (s)" = "window_s", slices = "slices"
  )
  # A run.json from a fork has no paths: `report` keeps only numbers and names of it.
  columns <- columns[columns %in% names(cells)]
  if (is_work(result)) columns <- columns[!columns %in% c("warmup_s", "window_s", "slices")]
  stats::setNames(cells[columns], names(columns))
}

#' Statements per request that preflight counted, in base and head; NULL if none were counted.
statements_table <- function(result) {
  arms <- result$run$statements
  rows <- do.call(rbind, lapply(names(arms), function(arm) {
    mode <- sub("^[^/]*/", "", arm)
    do.call(rbind, lapply(names(arms[[arm]]), function(workload) {
      verbs <- names(arms[[arm]][[workload]])
      if (length(verbs)) data.frame(workload = workload, mode = mode, verb = verbs)
    }))
  }))
  if (is.null(rows)) return(NULL)
  rows <- unique(rows[order(rows$workload, rows$mode, rows$verb), ])
  made <- function(revision) {
    vapply(seq_len(nrow(rows)), function(i) {
      counts <- arms[[paste0(revision, "/", rows$mode[i])]][[rows$workload[i]]]
      # If an arm was counted, a missing verb means that it made no such statement.
      if (is.null(counts)) "" else as.character(counts[[rows$verb[i]]] %||% 0)
    }, character(1))
  }
  table <- data.frame(workload = rows$workload, mode = rows$mode, statement = toupper(rows$verb))
  if (any(startsWith(names(arms), "base/"))) table$base <- made("base")
  cbind(table, head = made("head"))
}

order_table <- function(result) {
  rows <- result$design$samples
  if (!any(rows$position > 1)) return(NULL)
  rows <- rows[order(rows$job, rows$started_at, rows$position), ]
  quad <- paste(rows$job, rows$block, rows$cell, sep = "\r")
  first <- !duplicated(quad)
  arms <- tapply(paste(rows$revision, rows$mode), factor(quad, unique(quad)), paste, collapse = ", ")
  data.frame(
    cell = rows$cell[first], order = as.vector(arms), job = rows$job[first], block = as.character(rows$block[first]),
    started = rows$started_at[first]
  )
}

excluded_table <- function(result) {
  rows <- do.call(rbind, lapply(result$json$excluded, as.data.frame))
  if (is.null(rows)) return(NULL)
  data.frame(cell = rows$cell, reason = rows$reason, job = as.character(rows$job), block = as.character(rows$block))
}

#' Columns of the tables in `checks` and `errors` of analysis.json, with their names in words.
CHECK_COLUMNS <- list(
  rates = c(
    cell = "cell", revision = "revision", mode = "mode", runs = "runs", requests = "requests",
    failed = "failed requests",
    failed_runs = "failed runs", rate = "error rate", above = "above the limit"
  ),
  steady_state = c(
    cell = "cell", mode = "mode", shift = "shift", allowed = "allowed", p = "p", p_holm = "p (Holm)",
    broken = "too large"
  ),
  little = c(workload = "workload", load = "load", mode = "mode", little = "ratio", broken = "far from 1"),
  sign_flips = c(workload = "workload", load = "load", p = "share"),
  between_jobs = c(cell = "cell", f = "F", p = "p")
)

check_table <- function(name, rows) {
  table <- do.call(rbind, lapply(rows, as.data.frame))
  if (is.null(table)) return(NULL)
  columns <- intersect(names(CHECK_COLUMNS[[name]]), names(table))
  table <- table[columns]
  for (share in intersect(c("shift", "allowed", "rate"), columns)) {
    table[[share]] <- if (share == "shift") signed(1 + table[[share]]) else percent(table[[share]])
  }
  for (p in intersect(c("p", "p_holm"), columns)) table[[p]] <- p_text(table[[p]])
  stats::setNames(table, CHECK_COLUMNS[[name]][columns])
}
