# summary.md: the short form, for the comment, the job summary and the terminal.

VERDICT_TITLES <- c(
  pass = "\u2705 Pass: the asynchronous gain held",
  regressed = "\u274c Regressed: the asynchronous gain fell",
  inconclusive = "\u2754 Inconclusive: neither a pass nor a regression is proven",
  "not-gated" = "\u2139\ufe0f Not gated",
  invalid = "\u26d4 Invalid: this measurement cannot be trusted"
)

title_of <- function(result) {
  if (is_study(result$run) && result$json$verdict == "not-gated") "\U1F4CA Study" else VERDICT_TITLES[[result$json$verdict]]
}

#' @param result from analyse()
#' @return character vector of lines
summary_lines <- function(result) {
  json <- result$json
  c(
    paste("##", title_of(result)), "",
    paste0(vapply(json$reasons, escape_markdown, character(1)), collapse = "\n\n"), "",
    if (is_study(result$run)) study_table(result) else gain_table(result),
    gain_chart(result),
    limits_lines(result),
    step_lines(result),
    anova_lines(json),
    context_lines(result)
  )
}

#' The characters with a meaning in Markdown tables and HTML, and mentions.
escape_markdown <- function(text) {
  text <- gsub("&", "&amp;", text, fixed = TRUE)
  text <- gsub("<", "&lt;", text, fixed = TRUE)
  text <- gsub(">", "&gt;", text, fixed = TRUE)
  text <- gsub("([\\\\`*_\\[\\]|@])", "\\\\\\1", text, perl = TRUE)
  gsub("[\r\n]+", " ", text)
}

gain_table <- function(result) {
  json <- result$json
  if (!length(json$cells)) return(NULL)
  async <- escape_markdown(result$design$gate_modes[length(result$design$gate_modes)])
  sync <- escape_markdown(result$design$gate_modes[1])
  get <- function(cell, name) cell[[name]] %||% NA_real_
  rows <- vapply(json$cells, function(cell) {
    sprintf(
      "| %s | %s | %s | %s | %s | %s | %s | %s |",
      escape_markdown(paste(cell$workload, cell$load, sep = " / ")), tight(cell$verdict),
      ratio_text(get(cell, "gain_base")), ratio_text(get(cell, "gain_head")),
      if (is.na(get(cell, "change"))) "n/a" else tight(sprintf("**%s** (%s to %s)", signed(cell$change), signed(cell$change_low), signed(cell$change_high))),
      tight(signed(get(cell, "async_change"))), tight(signed(get(cell, "sync_change"))),
      if (is.na(get(cell, "mde90"))) "n/a" else tight(percent(cell$mde90))
    )
  }, character(1))
  pooled <- json$pooled
  c(
    sprintf("| workload / load | verdict | gain base | gain head | change (95 %% CI) | %s | %s | MDE90 |", async, sync),
    "|---|---|---:|---:|---:|---:|---:|---:|",
    rows,
    if (!is.na(pooled$change)) {
      sprintf(
        "| *all cells* | | | | %s | %s | %s | %s |",
        tight(sprintf("**%s** (%s to %s)", signed(pooled$change), signed(pooled$change_low), signed(pooled$change_high))),
        tight(signed(pooled$async_change)), tight(signed(pooled$sync_change)), tight(percent(pooled$mde90))
      )
    },
    "",
    sprintf(
      "Gain: goodput of %s / goodput of %s. Change: gain of head / gain of base. %s and %s: head / base of each mode by itself. MDE90: the smallest loss that would be found nine times in ten.",
      async, sync, async, sync
    )
  )
}

study_table <- function(result) {
  rows <- mode_medians(result$design)
  if (is.null(rows)) return(NULL)
  c(
    "| workload / load | mode | goodput (req/s) | CV between runs | p95 (ms) | CPU (\u00b5s/req) | peak memory (MiB) |", "|---|---|---:|---:|---:|---:|---:|",
    sprintf(
      "| %s | %s | %s | %s | %s | %s | %s |", escape_markdown(paste(rows$workload, rows$load, sep = " / ")), escape_markdown(rows$mode),
      rate_text(rows$goodput_rps), percent(rows$cv), rate_text(rows$p95_ms), rate_text(rows$cpu_us_per_request), rate_text(rows$peak_memory_mib)
    )
  )
}

#' A chart that GitHub draws from text: the gain of every cell, base as bars and head as a line.
gain_chart <- function(result) {
  cells <- Filter(function(cell) !is.null(cell$gain_head) && is.finite(cell$gain_head), result$json$cells)
  modes <- result$design$gate_modes
  if (!length(cells) || length(modes) < 2) return(NULL)
  head <- vapply(cells, `[[`, 1, "gain_head")
  base <- vapply(cells, function(cell) cell$gain_base %||% NA_real_, 1)
  # Names stand in quotes there: what could end them is left out.
  name <- function(text) gsub("[^A-Za-z0-9 ._/-]", "", text)
  series <- function(kind, values) sprintf("    %s [%s]", kind, paste(sprintf("%.3f", values), collapse = ", "))
  has_base <- all(is.finite(base))
  c(
    "", "```mermaid", "xychart-beta",
    sprintf("    title \"Gain of %s over %s%s\"", name(modes[2]), name(modes[1]), if (has_base) ": base (bars) and head (line)" else ""),
    sprintf("    x-axis [%s]", paste0("\"", name(vapply(cells, function(cell) paste(cell$workload, cell$load), "")), "\"", collapse = ", ")),
    sprintf("    y-axis \"gain\" 0 --> %.1f", 1.1 * max(head, base, 1, na.rm = TRUE)),
    series("bar", if (has_base) base else head), if (has_base) series("line", head), "```", ""
  )
}

#' Three modes or more: the parts of the gain.
step_lines <- function(result) {
  rows <- do.call(rbind, lapply(result$json$pairs, as.data.frame))
  if (is.null(rows) || length(result$design$modes) < 3) return(NULL)
  rows <- rows[rows$step, ]
  c(
    "| where the gain comes from | part | gain on head (95 % CI) | change (95 % CI) |", "|---|---|---:|---:|",
    sprintf(
      "| %s | %s | %s | %s |", escape_markdown(sub("/", " / ", rows$cell)), escape_markdown(step_name(rows$from, rows$to)),
      tight(sprintf("%s (%s to %s)", ratio_text(rows$gain), ratio_text(rows$low), ratio_text(rows$high))),
      if (is.null(rows$change)) "" else tight(sprintf("%s (%s to %s)", signed(rows$change), signed(rows$change_low), signed(rows$change_high)))
    ),
    "", "The parts of a cell multiply to its gain.", ""
  )
}

#' What a pass promises, and why an interval beside it may seem to say otherwise: a test has its level on one side, a 95 % CI has 2.5 % on each.
pass_meaning <- function(settings) {
  level <- settings$alpha / settings$looks
  paste0(
    sprintf("A pass excludes a loss of %s in every cell, not one of %s", percent(settings$resolution, 0), percent(settings$max_regression, 0)),
    if (level > 0.025) sprintf("; the test of it is one-sided at %s, so that a 95 %% CI, which has 2.5 %% a side, may reach further", percent(level)), "."
  )
}

limits_lines <- function(result) {
  settings <- result$settings
  cpu <- result$json$metrics$cpu$pooled
  run <- result$run
  c(
    if (length(result$json$metrics)) {
      sprintf("%s A loss of more than %s that is proven fails.", pass_meaning(settings), percent(settings$max_regression, 0))
    },
    if (!is.null(cpu)) sprintf("The gain in requests per CPU second changed by %s over all cells (95 %% CI %s to %s).", signed(cpu$change), signed(cpu$change_low), signed(cpu$change_high)),
    if (!is.null(run$connections)) sprintf("Every mode had %s connections: pool size decides the size, and the sign, of a gain.", run$connections),
    if (length(run$warnings)) c("", paste0("- ", vapply(unlist(run$warnings), escape_markdown, character(1)))),
    ""
  )
}

anova_lines <- function(json) {
  if (!length(json$anova)) return(NULL)
  rows <- vapply(json$anova, function(row) {
    sprintf("| %s | %s | %s | %s | %s |", escape_markdown(row$workload), escape_markdown(paste(row$model, row$term, sep = ": ")), row$df, if (is.na(row$f)) "" else formatC(row$f, format = "g", digits = 5), if (is.na(row$p)) "" else p_text(row$p))
  }, character(1))
  tests <- vapply(json$t_test, function(row) sprintf("| %s | Welch t-test on mode | %.1f | t = %.2f | %s |", escape_markdown(row$workload), row$df, row$t, p_text(row$p)), character(1))
  c("<details><summary>ANOVA and t-test</summary>", "", "| workload | term | df | F | p |", "|---|---|---:|---:|---:|", rows, tests, "", "</details>", "")
}

context_lines <- function(result) {
  json <- result$json
  run <- result$run
  c(
    sprintf("<sub>%d blocks%s%s%s.</sub>", json$blocks,
      if (is_study(run)) "" else sprintf(", %d %s", json$looks, if (json$looks == 1) "look" else "looks"),
      if (!is.null(run$seed)) sprintf(", seed %s", run$seed) else "",
      if (length(json$excluded)) sprintf(", %d quads left out (listed in the report)", length(json$excluded)) else ""
    )
  )
}
