#!/usr/bin/env Rscript
# Times the analysis, and fails if it takes too long: Rscript r/benchmark.R
home <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])))
sources <- list.files(file.path(home, "R"), "\\.R$", full.names = TRUE, recursive = TRUE)
for (file in sources) source(file, encoding = "UTF-8")
source(file.path(home, "calibration", "simulate.R"), encoding = "UTF-8")

#' Writes a request.json with the default settings.
write_request <- function(file, samples, out, report) {
  settings <- list(
    "max-regression" = 5, resolution = 10, "min-gain" = NULL, "max-slowdown" = NULL, "max-p95-growth" = NULL,
    "max-memory-growth" = NULL, "max-error-rate" = 0.1, alpha = 0.05, "on-sync-improvement" = "warn"
  )
  request <- list(
    samples = samples, out = out, summary = file.path(dirname(file), "summary.md"), run = NULL, modes = NULL,
    settings = settings, looks = 1, look = 1, report = report, differences = NULL
  )
  writeLines(jsonlite::toJSON(request, auto_unbox = TRUE, null = "null"), file)
}

#' Runs analyse.R as a separate command on this many blocks, and returns its seconds.
seconds_for <- function(blocks, report = TRUE) {
  set.seed(1)
  samples <- as_samples(simulate_runs(blocks))
  # Each simulated run has the same number of responses, so its goodput decides how long it took.
  samples$duration_s <- samples$succeeded / samples$goodput_rps
  samples$concurrency <- ifelse(samples$load == "high", 32, 8)
  samples[c("cpu_us_per_request", "half_ratio")] <- list(1e6 / samples$goodput_rps, exp(rnorm(nrow(samples), 0, 0.01)))
  directory <- tempfile()
  dir.create(directory)
  on.exit(unlink(directory, recursive = TRUE))
  file <- file.path(directory, "samples.csv")
  utils::write.csv(samples[names(SAMPLE_COLUMNS)], file, row.names = FALSE, quote = FALSE, na = "")
  request <- file.path(directory, "request.json")
  write_request(request, samples = list(file), out = file.path(directory, "out"), report = report)
  command <- c("--vanilla", file.path(home, "analyse.R"), request)
  elapsed <- system.time(status <- system2("Rscript", command))[["elapsed"]]
  if (status != 0) stop("analyse.R ended with ", status)
  c(runs = nrow(samples), seconds = elapsed)
}

#' Returns the seconds that this machine takes to start R and draw a plot, which is most of a report's time.
yardstick <- function() {
  draw <- shQuote('grDevices::pdf(NULL); print(ggpubr::ggscatter(mtcars, "wt", "mpg"))')
  run <- function() system.time(system2("Rscript", c("--vanilla", "-e", draw), stdout = FALSE, stderr = FALSE))
  min(run()[["elapsed"]], run()[["elapsed"]])
}
#' The limits belong to a machine with this yardstick. A slower machine gets more time, a faster one no less.
REFERENCE_S <- 1
slower <- max(1, yardstick() / REFERENCE_S)

show <- function(what, reference_limit, result) {
  limit <- reference_limit * slower
  seconds <- result[["seconds"]]
  late <- if (seconds > limit) " TOO SLOW" else ""
  cat(sprintf("%6.0f runs, %-14s %5.1f s (at most %.0f)%s\n", result[["runs"]], what, seconds, limit, late))
  seconds <= limit
}
# The first report also reads R's packages and pandoc from disk. That can double its time, so it is not measured.
invisible(seconds_for(4))
ok <- c(
  show("no report", 2, seconds_for(100, report = FALSE)),
  show("with report", 10, seconds_for(100)),
  show("no report", 30, seconds_for(6250, report = FALSE))
)
if (!all(ok)) quit(status = 1)
