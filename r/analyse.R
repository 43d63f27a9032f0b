#!/usr/bin/env Rscript
# Runs the analysis: samples.csv -> analysis.json, the analysis' part of the summary, plots/*.png, report.html.
# Rscript r/analyse.R request.json. Exit code: 0, or 2 for wrong input.
options(warn = 2, OutDec = ".", stringsAsFactors = FALSE)
invisible(Sys.setlocale("LC_COLLATE", "C"))
# Most functions run once or twice, so compiling them would take longer than the whole analysis.
invisible(compiler::enableJIT(0))

home <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])))
sources <- list.files(file.path(home, "R"), "\\.R$", full.names = TRUE, recursive = TRUE)
for (file in sources) source(file, encoding = "UTF-8")

main <- function(arguments) {
  if (length(arguments) != 1) input_error("analyse.R: found ", length(arguments), " arguments, allowed: request.json")
  request <- read_request(arguments)
  run <- if (!is.null(request$run)) jsonlite::fromJSON(request$run) else NULL
  samples <- read_samples(request$samples, request$modes, unlist(run$modes))
  counts <- read_counts(samples, request$samples)
  result <- analyse(samples, request$modes, request$settings, run, counts)
  result <- with_production(result, read_production(request$samples))
  dir.create(request$out, showWarnings = FALSE, recursive = TRUE)
  write_analysis(result$json, file.path(request$out, "analysis.json"))
  writeLines(enc2utf8(summary_lines(result)), request$summary, useBytes = TRUE)
  if (request$report) write_report(result, request$out, home, request$differences)
}

tryCatch(main(commandArgs(TRUE)), input_error = function(error) {
  message(conditionMessage(error))
  quit(status = 2)
})
