#!/usr/bin/env Rscript
# Tells how much the memory grows in a soak, as JSON, from a series of readings per route.
# Rscript r/soak.R soak.json. entrypoint/checks/growth.ts writes the file and reads the answer.
options(warn = 2, OutDec = ".")
home <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])))
source(file.path(home, "R", "soak.R"), encoding = "UTF-8")
series <- jsonlite::fromJSON(commandArgs(TRUE), simplifyDataFrame = FALSE)
growth <- lapply(series, function(one) {
  lapply(stats::setNames(nm = names(SOAK_LEAST)), function(of) {
    soak_growth(as.numeric(one[[of]]), as.numeric(one$requests), SOAK_LEAST[[of]])
  })
})
cat(jsonlite::toJSON(growth, auto_unbox = TRUE, null = "null", digits = NA))
