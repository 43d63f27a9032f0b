#!/usr/bin/env Rscript
# Simulates the gate's error rates and prints the table of docs/error-rates.md. Rscript r/calibrate.R [--jobs 2000]
# Exit code: 1 if a promise is broken, or if the mutant keeps the first one.
options(warn = 2, OutDec = ".")
home <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])))
sources <- list.files(file.path(home, "R"), "\\.R$", full.names = TRUE, recursive = TRUE)
for (file in sources) source(file, encoding = "UTF-8")
for (name in c("simulate.R", "noises.R", "instructions.R", "jobs.R", "scenarios.R")) {
  source(file.path(home, "calibration", name), encoding = "UTF-8")
}

arguments <- commandArgs(TRUE)
n <- if (length(arguments) == 2 && arguments[1] == "--jobs") as.integer(arguments[2]) else 2000L
if (is.na(n) || n < 1) stop("--jobs: allowed: a whole number above 0")
cores <- parallel::detectCores()

mutant <- scenario(
  "threshold on the means, nothing changed", ALL(1), "regressed", "at most", 11 / 2000,
  verdict_of = naive_verdict
)
scenarios <- c(ACCEPTANCE, PUBLISHED, list(mutant))
jobs <- vapply(scenarios, function(s) {
  simulated <- s[c("effect", "adapts", "cv", "hidden", "changes", "noise", "counts")]
  paste(deparse(simulated), s$name == mutant$name, collapse = "")
}, "")
# Scenarios that count different verdicts of the same jobs simulate them once.
simulated <- lapply(scenarios[!duplicated(jobs)], function(s) {
  message(sprintf("%s simulates %s, %s", format(Sys.time(), "%H:%M:%S"), s$name, length_of_job(s)))
  verdicts_of(s, n, cores)
})
results <- Map(function(s, verdicts) {
  result <- count_verdicts(s, verdicts)
  message(sprintf("%s, %s: %d of %d %s", s$name, length_of_job(s), result$count, n, s$counted))
  result
}, scenarios, simulated[match(jobs, unique(jobs))])
table <- do.call(rbind, Map(acceptance_row, scenarios, results, n))
cat(knitr::kable(table, format = "pipe", row.names = FALSE), sep = "\n")

kept <- vapply(results, `[[`, NA, "kept")
broken <- setdiff(which(!kept), length(scenarios))
if (length(broken) || kept[length(kept)]) {
  message(
    "broken: ", paste(vapply(scenarios[broken], `[[`, "", "name"), collapse = "; "),
    if (kept[length(kept)]) "; the mutant was not caught"
  )
  quit(status = 1)
}
