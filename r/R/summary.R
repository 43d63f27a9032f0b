# Writes summary.md, the short form for the comment, the job summary and the terminal.

#' Returns the lines of summary.md.
#'
#' @param result from analyse()
#' @return character vector of lines
summary_lines <- function(result) {
  if (is_work(result)) return(work_summary_lines(result))
  c(
    paste("##", title_of(result)), "",
    paste0(as_markdown(unlist(result$json$reasons)), collapse = "\n\n"), "",
    warning_lines(result),
    if (is_study(result$run)) study_table(result) else gain_table(result),
    gain_chart(result),
    limits_lines(result),
    production_lines(result),
    instruction_lines(result),
    memory_lines(result),
    step_lines(result),
    anova_lines(result$json),
    context_lines(result)
  )
}

#' Writes in bold what does not decide but must not be missed. Memory has its own section.
warning_lines <- function(result) {
  sentences <- c(held_sentences(result$design, result$decision$tests$instructions), result$both_slower)
  unlist(lapply(as_markdown(sentences), function(sentence) c(paste0("**\u26a0\ufe0f ", sentence, "**"), "")))
}

#' Draws the gain of every cell as a folded Mermaid chart: base as bars, head as a line.
#'
#' With one cell the line would be an invisible point, so there is no chart.
gain_chart <- function(result) {
  cells <- Filter(function(cell) !is.null(cell$gain_head) && is.finite(cell$gain_head), result$json$cells)
  modes <- result$design$gate_modes
  if (length(cells) < 2 || length(modes) < 2) return("")
  head <- vapply(cells, `[[`, 1, "gain_head")
  base <- vapply(cells, function(cell) cell$gain_base %||% NA_real_, 1)
  # Names are quoted in Mermaid, so characters that could end the quotes are removed.
  name <- function(text) gsub("[^A-Za-z0-9 ._/-]", "", text)
  series <- function(kind, values) sprintf("    %s [%s]", kind, paste(sprintf("%.3f", values), collapse = ", "))
  has_base <- all(is.finite(base))
  title <- paste0("Gain of ", name(modes[2]), " over ", name(modes[1]), if (is_work(result)) " in instructions")
  labels <- name(vapply(cells, function(cell) paste(cell$workload, cell$load), ""))
  c(
    "", "<details><summary>Chart of the gains</summary>", "", "```mermaid", "xychart-beta",
    sprintf("    title \"%s%s\"", title, if (has_base) ": base (bars) and head (line)" else ""),
    sprintf("    x-axis [%s]", paste0("\"", labels, "\"", collapse = ", ")),
    sprintf("    y-axis \"gain\" 0 --> %.1f", 1.1 * max(head, base, 1, na.rm = TRUE)),
    series("bar", if (has_base) base else head), if (has_base) series("line", head), "```", "",
    "</details>", ""
  )
}

#' Explains what a pass promises, and why an interval beside it may reach further.
#'
#' The test has its whole level on one side, but a 95 % CI has 2.5 % on each side.
pass_meaning <- function(settings) {
  level <- pass_level(settings)
  loss <- percent(settings$resolution, 0)
  paste0(
    sprintf("A pass excludes a loss of %s in every cell, not one of %s", loss, percent(settings$max_regression, 0)),
    if (level > 0.025) ". The test is one-sided, so a 95 % CI may reach further.",
    if (level <= 0.025) "."
  )
}

limits_lines <- function(result) {
  settings <- result$settings
  cpu <- result$json$metrics$cpu$pooled
  run <- result$run
  c(
    if (length(result$json$metrics)) {
      tolerance <- percent(settings$max_regression, 0)
      c(
        # A regression is proven already, so nobody asks what a pass would have meant.
        if (result$json$verdict %in% c("pass", "inconclusive")) pass_meaning(settings),
        sprintf("A proven loss of more than %s fails.", tolerance)
      )
    },
    # If CPU time regressed, the reasons name the change already.
    if (!is.null(cpu) && !has_regressed(result$decision$tests$cpu)) {
      sprintf("The gain in requests per CPU second changed by %s.", pooled_text(cpu, result$decision$tests$cpu))
    },
    growth_promises(result$decision$growth),
    if (!is.null(result$decision$tests$instructions)) {
      sprintf(
        "The gain in instructions per request changed by %s. They do not see waiting.",
        pooled_text(result$json$metrics$instructions$pooled, result$decision$tests$instructions)
      )
    },
    if (!is.null(run$connections)) {
      sprintf(
        "Every mode had %s: the pool size decides the size and the sign of a gain.",
        count_of(run$connections, "connection")
      )
    },
    if (!is.null(run$facts$database$latency_ms)) {
      sprintf(
        "The database was %s ms away: %s delayed each of its answers, in every mode.", run$facts$database$latency_ms,
        if (identical(run$facts$database$latency_by, "netem")) "the kernel" else "a relay"
      )
    },
    if (length(run$warnings)) c("", paste0("- ", as_markdown(unlist(run$warnings)))),
    ""
  )
}

#' Says "-1.2 % over all cells (95 % CI -2.0 % to -0.4 %)"; with one cell without "over all cells".
pooled_text <- function(pooled, test) {
  where <- if (nrow(test$cells) > 1) " over all cells" else ""
  sprintf(
    "%s%s (95 %% CI %s to %s)", signed(pooled$change), where, signed(pooled$change_low), signed(pooled$change_high)
  )
}

#' Says "10 blocks", or "6 to 34 blocks" if cells have different numbers.
blocks_text <- function(design) {
  range <- range(colSums(design$complete), design$blocks)
  if (range[1] == range[2]) count_of(range[1], "block") else sprintf("%d to %d blocks", range[1], range[2])
}

context_lines <- function(result) {
  json <- result$json
  run <- result$run
  looks <- if (!is_study(run) && json$looks > 1) sprintf(", judged up to %d times", json$looks) else ""
  sprintf(
    "<sub>%s%s%s%s.</sub>", blocks_text(result$design), looks,
    if (!is.null(run$seed)) sprintf(", seed %s", run$seed) else "",
    if (length(json$excluded)) {
      sprintf(", %s left out (listed in the report)", count_of(length(json$excluded), "quad"))
    } else {
      ""
    }
  )
}
