#!/usr/bin/env Rscript
# Draws Graph 1 of the paper from the runs of a search for loads. A dashed line marks each mode's best load.
# Rscript r/search.R request.json, with samples, modes, best (workload, mode, concurrency) and out, a directory.
options(warn = 2, OutDec = ".", stringsAsFactors = FALSE)
invisible(Sys.setlocale("LC_COLLATE", "C"))

home <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])))
sources <- list.files(file.path(home, "R"), "\\.R$", full.names = TRUE, recursive = TRUE)
for (file in sources) source(file, encoding = "UTF-8")

request <- jsonlite::fromJSON(commandArgs(TRUE)[1])
samples <- read_samples(request$samples, request$modes, NULL)
best <- transform(request$best, mode = factor(mode, request$modes))
drawn <- graph1(list(design = list(samples = samples, modes = request$modes)), best)
invisible(save_plots(list(search = drawn), request$out))
