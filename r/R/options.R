# The command line of analyse.R. entrypoint/analyse.ts is the one that people use; this one is strict and terse.

USAGE <- paste(
  "Rscript analyse.R --samples FILE... --out DIR [--run run.json] [--modes a,b] [--max-regression 5] [--resolution 10]",
  "[--min-gain X | --min-gain workload=X,...] [--max-slowdown X] [--max-error-rate 0.1] [--alpha 0.05] [--looks 1|2]",
  "[--on-sync-improvement warn|fail] [--no-report]"
)

#' @param arguments words of the command line; shares are given in percent
#' @return list: samples, out, run, modes, report, settings
read_options <- function(arguments) {
  out <- list(samples = character(), report = TRUE, settings = gate_settings())
  i <- 1
  value <- function() {
    if (i >= length(arguments)) input_error(arguments[i], ": needs a value. ", USAGE)
    arguments[i + 1]
  }
  number <- function(low, high) {
    x <- suppressWarnings(as.numeric(value()))
    if (is.na(x) || x <= low || x > high) input_error(arguments[i], ": found \"", value(), "\", allowed: a number above ", low, " up to ", high)
    x
  }
  while (i <= length(arguments)) {
    step <- 2
    switch(arguments[i],
      "--samples" = {
        rest <- arguments[seq_along(arguments) > i]
        stop_at <- c(which(startsWith(rest, "--")), length(rest) + 1)[1]
        out$samples <- rest[seq_len(stop_at - 1)]
        step <- stop_at
      },
      "--out" = out$out <- value(),
      "--run" = out$run <- value(),
      "--modes" = out$modes <- strsplit(value(), ",", fixed = TRUE)[[1]],
      "--max-regression" = out$settings$max_regression <- number(0, 99) / 100,
      "--resolution" = out$settings$resolution <- number(0, 99) / 100,
      "--min-gain" = out$settings$min_gain <- read_min_gain(value()),
      "--max-slowdown" = out$settings$max_slowdown <- number(0, 99) / 100,
      "--max-error-rate" = out$settings$max_error_rate <- number(-1e-9, 100) / 100,
      "--alpha" = out$settings$alpha <- number(0, 0.5),
      "--looks" = out$settings$looks <- as.integer(number(0, 2)),
      "--on-sync-improvement" = out$settings$on_sync_improvement <- value(),
      "--no-report" = {
        out$report <- FALSE
        step <- 1
      },
      input_error("unknown option ", arguments[i], ". ", USAGE)
    )
    i <- i + step
  }
  if (!length(out$samples) || is.null(out$out)) input_error("--samples and --out are needed. ", USAGE)
  out
}

#' "1.2" for every workload, or "invoice=1.1,fibonacci=1.5".
read_min_gain <- function(text) {
  if (!grepl("=", text, fixed = TRUE)) {
    x <- suppressWarnings(as.numeric(text))
    if (is.na(x) || x <= 0) input_error("--min-gain: found \"", text, "\", allowed: a number above 0")
    return(x)
  }
  parts <- strsplit(strsplit(text, ",", fixed = TRUE)[[1]], "=", fixed = TRUE)
  gains <- suppressWarnings(as.numeric(vapply(parts, `[`, character(1), 2)))
  if (anyNA(gains) || any(gains <= 0)) input_error("--min-gain: found \"", text, "\", allowed: workload=number, ...")
  stats::setNames(as.list(gains), vapply(parts, `[`, character(1), 1))
}
