# Tests errors by run, not by request: a test on requests would raise an alarm at every burst of errors.

#' Computes the error rate of each arm and cell, and compares head with base by a sign test on pairs of runs.
#'
#' The rate is the larger of failed / requests and the share of runs that failed completely.
#' A run without responses makes few requests, which would be lost among the thousands of the other runs.
#'
#' @return list:
#'   - rates: data frame, one row per arm and cell
#'   - only_head, only_base: the number of pairs of runs with errors in one revision only
#'   - p: one-sided p-value of the sign test (binomial with probability 1/2)
#'   - base_above: rows of rates in which base is above max-error-rate
#'   - head_only_above: rows of rates in which head is above it and base is not
error_test <- function(design, settings) {
  columns <- c("job", "block", "cell", "revision", "mode", "requests", "failed", "goodput_rps")
  rows <- lapply(design$samples[columns], `[`, design$samples$mode %in% design$modes)
  arm <- paste(rows$mode, rows$revision, rows$cell, sep = "\r")
  counts <- cbind(runs = 1, requests = rows$requests, failed = rows$failed, failed_runs = rows$goodput_rps == 0)
  sums <- rowsum(counts, arm)
  first <- match(rownames(sums), arm)
  rates <- data.frame(lapply(rows[c("cell", "revision", "mode")], `[`, first), sums, row.names = NULL)
  rates$rate <- pmax(rates$failed / pmax(1, rates$requests), rates$failed_runs / rates$runs)
  rates$above <- rates$rate > settings$max_error_rate

  erring <- if (any(rows$failed > 0)) erring_pairs(rows) else list(only_head = 0L, only_base = 0L)
  n <- erring$only_head + erring$only_base
  p <- if (n == 0) 1 else binom.test(erring$only_head, n, alternative = "greater")$p.value

  key <- paste(rates$cell, rates$mode)
  is_base <- rates$revision == "base"
  list(
    rates = rates, only_head = erring$only_head, only_base = erring$only_base, p = p,
    base_above = rates[is_base & rates$above, , drop = FALSE],
    head_only_above = rates[!is_base & rates$above & !key %in% key[is_base & rates$above], , drop = FALSE]
  )
}

#' The number of pairs of runs with errors in one revision only.
#'
#' @param rows runs: job, block, mode, cell, revision, failed
#' @return list: only_head, only_base
erring_pairs <- function(rows) {
  run <- paste(rows$job, rows$block, rows$mode, rows$cell, sep = "\r")
  is_head <- rows$revision == "head"
  partner <- match(run[is_head], run[!is_head])
  failed_head <- rows$failed[is_head][!is.na(partner)]
  failed_base <- rows$failed[!is_head][partner][!is.na(partner)]
  list(only_head = sum(failed_head > 0 & failed_base == 0), only_base = sum(failed_head == 0 & failed_base > 0))
}
