#!/usr/bin/env Rscript
# samples.csv -> analysis.json, summary.md, plots/*.png, report.html. Exit code: 0, or 2 for wrong input.
options(warn = 2, OutDec = ".", stringsAsFactors = FALSE)
invisible(Sys.setlocale("LC_COLLATE", "C"))
# Most functions run once or twice: to compile them would take longer than all of the analysis.
invisible(compiler::enableJIT(0))

home <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])))
for (file in list.files(file.path(home, "R"), "\\.R$", full.names = TRUE)) source(file, encoding = "UTF-8")

main <- function(arguments) {
  options <- read_options(arguments)
  run <- if (!is.null(options$run)) jsonlite::fromJSON(options$run) else NULL
  samples <- read_samples(options$samples, options$modes, unlist(run$modes))
  result <- analyse(samples, options$modes, options$settings, run)
  dir.create(options$out, showWarnings = FALSE, recursive = TRUE)
  write_analysis(result$json, file.path(options$out, "analysis.json"))
  writeLines(enc2utf8(summary_lines(result)), file.path(options$out, "summary.md"), useBytes = TRUE)
  if (options$report) write_report(result, options$out, home)
}

tryCatch(main(commandArgs(TRUE)), input_error = function(error) {
  message(conditionMessage(error))
  quit(status = 2)
})
