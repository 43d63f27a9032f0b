# Reads recorded runs: A/A quads, and the same quads with an asynchronous arm of head that really was slowed down.
# scripts/record/record.ts records them.

#' The runs of one recording, by the injected loss: "0", "5", "10", "20" (percent of the goodput).
#'
#' A quad with a loss takes its other three arms from the A/A quad of the same block.
#'
#' @param directory has aa.csv.gz and loss-*.csv.gz, in the format of samples.csv
#' @return named list of data frames like those of read_samples()
read_recording <- function(directory) {
  aa <- read_packed(file.path(directory, "aa.csv.gz"))
  files <- list.files(directory, "^loss-.*\\.csv\\.gz$", full.names = TRUE)
  losses <- sub("^loss-(.*)\\.csv\\.gz$", "\\1", basename(files))
  slowed <- lapply(files, function(file) {
    head <- read_packed(file)
    others <- aa[aa$block %in% head$block & !(aa$revision == "head" & aa$mode == head$mode[1]), ]
    rbind(others, head)
  })
  c(list("0" = aa), stats::setNames(slowed, losses)[order(as.numeric(losses))])
}

#' Reads compressed samples. read_samples() itself does not decompress: 16 MiB from a stranger could become gigabytes.
read_packed <- function(file) {
  plain <- tempfile(fileext = ".csv")
  on.exit(unlink(plain))
  writeLines(readLines(file), plain)
  read_samples(plain)
}

#' A metric of the four arms, without logs; larger is better.
#'
#' @return list of vectors with one element per block, in order: head_async, head_sync, base_async, base_sync
recorded_arms <- function(samples, modes, metric) {
  design <- experiment(samples, modes)
  lapply(arm_logs(design, metric), function(x) exp(x[, 1]))
}

#' Draws n jobs of k blocks, as a matrix [job, k]. Jobs of one call overlap, so their verdicts are not independent.
resampled_jobs <- function(blocks, n, k = 10) t(replicate(n, sample(blocks, k)))

#' Divides consecutive blocks into jobs of k blocks that do not overlap, as a matrix [job, k].
disjoint_jobs <- function(blocks, k = 10) {
  n <- length(blocks) %/% k
  matrix(sort(blocks)[seq_len(n * k)], n, k, byrow = TRUE)
}

#' The decisions of the gate on jobs of recorded blocks.
#'
#' @param jobs matrix [job, k] of block numbers
#' @return data frame, one row per job: verdict, goodput and cpu (whether this metric regressed), mde90 and mde90_cpu
#'   (shares)
decide_jobs <- function(samples, modes, jobs, cores = 1) {
  by_block <- split(samples, samples$block)
  rows <- parallel::mclapply(seq_len(nrow(jobs)), function(i) {
    job <- do.call(rbind, by_block[as.character(jobs[i, ])])
    decision <- decide(experiment(job, modes), gate_settings())
    regressed <- function(metric) with(decision$tests[[metric]], pooled$regressed || any(cells$regressed))
    data.frame(
      verdict = decision$verdict, goodput = regressed("goodput"), cpu = regressed("cpu"),
      mde90 = decision$tests$goodput$cells$mde90, mde90_cpu = decision$tests$cpu$cells$mde90
    )
  }, mc.cores = cores)
  do.call(rbind, rows)
}
