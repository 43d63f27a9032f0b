# Recorded runs: A/A quads, and the same quads with a really slowed asynchronous arm of head.
# scripts/record/record.ts makes them.

#' Runs of one recording by the loss that was injected: "0", "5", "10", "20" (percent of the goodput).
#'
#' A quad with a loss has the other three arms of the A/A quad of its block.
#'
#' @param directory holds aa.csv.gz and loss-*.csv.gz in the format of samples.csv
#' @return list of data frames as read_samples() gives them
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

#' read_samples() itself unpacks nothing: a stranger's 16 MiB would be gigabytes.
read_packed <- function(file) {
  plain <- tempfile(fileext = ".csv")
  on.exit(unlink(plain))
  writeLines(readLines(file), plain)
  read_samples(plain)
}

#' A metric of the four arms as matrices of one column, one row per block; larger is better.
#'
#' @return list: head_async, head_sync, base_async, base_sync (not logs), in the order of the blocks
recorded_arms <- function(samples, modes, metric) {
  design <- experiment(samples, modes)
  lapply(arm_logs(design, metric), function(x) exp(x[, 1]))
}

#' Blocks of n jobs of k blocks, as a matrix [job, k]. Jobs of one call overlap: their verdicts are not independent.
resampled_jobs <- function(blocks, n, k = 10) t(replicate(n, sample(blocks, k)))

#' Consecutive blocks cut into jobs of k, which do not overlap, as a matrix [job, k].
disjoint_jobs <- function(blocks, k = 10) {
  n <- length(blocks) %/% k
  matrix(sort(blocks)[seq_len(n * k)], n, k, byrow = TRUE)
}

#' Decisions of the gate on jobs made of recorded blocks.
#'
#' @param jobs matrix [job, block]
#' @return data frame, one row per job: verdict, and whether goodput and CPU by themselves regressed
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
