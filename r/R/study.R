# Compares the modes of one revision in a study, which has findings instead of a verdict.

#' The table of the paper that `study` repeats: aov(y ~ mode * load) of an invoice system, with 2 modes, 2 loads and 6
#' repetitions.
PAPER_TABLE <- data.frame(
  term = c("mode", "load", "mode:load", "Residuals"), df = c(1, 1, 1, 20), sum_sq = c(1135, 0.3, 0.1, 2.3),
  f = c(9765.464, 2.363, 0.555, NA), p = c("< 2e-16", "0.140", "0.465", NA)
)

is_study <- function(run) isTRUE(run$study)

#' One sentence per workload: how much more a mode serves, and whether that depends on the load.
study_findings <- function(design) {
  if (length(design$modes) < 2 || design$blocks < 2) return("There are too few modes or repetitions to compare.")
  pairs <- pair_gains(design)
  whole <- pairs[pairs$from == design$modes[1] & pairs$to == design$modes[2], ]
  anova <- anova_tables(design)
  unlist(lapply(split(whole, sub("/[^/]*$", "", whole$cell)), function(rows) {
    workload <- sub("/[^/]*$", "", rows$cell[1])
    sure <- rows$low > 1 | rows$high < 1
    gains <- sprintf(
      "%.2f times at %s (95 %% CI %.2f to %.2f%s)", rows$gain, code(sub("^.*/", "", rows$cell)), rows$low, rows$high,
      ifelse(sure, "", ": no difference is proven")
    )
    interaction <- anova$p[anova$workload == workload & anova$term == "mode:load" & startsWith(anova$model, "goodput")]
    c(
      sprintf(
        "%s: the goodput of %s against that of %s is %s.", code(workload), code(design$modes[2]), code(design$modes[1]),
        paste(gains, collapse = ", ")
      ),
      if (length(interaction) && is.finite(interaction)) {
        sprintf(
          "%s: %s (interaction mode x load, %s).", code(workload),
          if (interaction < 0.05) "the gain depends on the load" else "no proof that the gain depends on the load",
          p_equals(interaction)
        )
      }
    )
  }), use.names = FALSE)
}

#' Our ANOVA of the invoice workload beside the paper's; NULL if the study has another design than two modes and loads.
paper_comparison <- function(result) {
  ours <- do.call(rbind, lapply(result$json$anova, as.data.frame))
  if (is.null(ours) || length(result$design$modes) != 2) return(NULL)
  ours <- ours[ours$workload == "invoice" & ours$model == "goodput ~ mode * load (head)", ]
  if (!identical(ours$term, PAPER_TABLE$term) || ours$df[2] != 1) return(NULL)
  text <- function(x, digits) ifelse(is.na(x), "", formatC(x, digits = digits, format = "g"))
  data.frame(
    term = ours$term, "df" = as.character(ours$df), "sum of squares" = text(ours$sum_sq, 4), F = text(ours$f, 5),
    p = ifelse(is.na(ours$p), "", p_text(ours$p)), "paper: df" = as.character(PAPER_TABLE$df),
    "paper: sum of squares" = text(PAPER_TABLE$sum_sq, 4), "paper: F" = text(PAPER_TABLE$f, 7),
    "paper: p" = ifelse(is.na(PAPER_TABLE$p), "", PAPER_TABLE$p), check.names = FALSE
  )
}

#' Medians of every mode in every cell of one revision: goodput, latency, CPU, memory.
mode_medians <- function(design, revision = "head") {
  rows <- counted(design)
  rows <- rows[rows$revision == revision, ]
  columns <- c(
    "goodput_rps", "p50_ms", "p95_ms", "p99_ms", "cpu_us_per_request", "peak_memory_mib", "memory_growth_kib_per_1k"
  )
  groups <- split(rows, list(rows$mode, rows$load, rows$workload), drop = TRUE)
  do.call(rbind, lapply(unname(groups), function(runs) {
    data.frame(
      workload = runs$workload[1], load = as.character(runs$load[1]), mode = as.character(runs$mode[1]),
      runs = nrow(runs), lapply(runs[columns], median, na.rm = TRUE), cv = sd(runs$goodput_rps) / mean(runs$goodput_rps)
    )
  }))
}
