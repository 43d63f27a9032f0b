# Errors: responses that failed, and runs that failed wholly. A test on requests would alarm on every burst.

#' Error rates of every arm in every cell, and the paired comparison of head with base.
#'
#' The rate is the larger of failed / requests and the share of runs that failed wholly: a run that answers nothing
#' makes few requests, and would vanish among the others' thousands.
#'
#' @return list: rates (data frame), only_head, only_base, p, in_base, in_head (sentences)
error_test <- function(design, settings) {
  rows <- design$samples[design$samples$mode %in% design$modes, , drop = FALSE]
  groups <- split(rows, list(rows$cell, rows$revision, rows$mode), drop = TRUE)
  rates <- do.call(rbind, lapply(groups, function(runs) {
    data.frame(
      cell = runs$cell[1], revision = runs$revision[1], mode = runs$mode[1], runs = nrow(runs),
      requests = sum(runs$requests), failed = sum(runs$failed), failed_runs = sum(runs$goodput_rps == 0),
      rate = max(sum(runs$failed) / max(1, sum(runs$requests)), mean(runs$goodput_rps == 0))
    )
  }))
  rownames(rates) <- NULL
  rates$above <- rates$rate > settings$max_error_rate

  pairs <- merge(
    rows[rows$revision == "head", c("job", "block", "cell", "mode", "failed")],
    rows[rows$revision == "base", c("job", "block", "cell", "mode", "failed")],
    by = c("job", "block", "cell", "mode"), suffixes = c("_head", "_base")
  )
  only_head <- sum(pairs$failed_head > 0 & pairs$failed_base == 0)
  only_base <- sum(pairs$failed_head == 0 & pairs$failed_base > 0)
  n <- only_head + only_base
  p <- if (n == 0) 1 else binom.test(only_head, n, alternative = "greater")$p.value

  key <- paste(rates$cell, rates$mode)
  base_above <- key[rates$revision == "base" & rates$above]
  head_above <- key[rates$revision == "head" & rates$above]
  list(
    rates = rates, only_head = only_head, only_base = only_base, p = p,
    base_above = rates[rates$revision == "base" & rates$above, , drop = FALSE],
    head_only_above = rates[rates$revision == "head" & rates$above & !key %in% base_above, , drop = FALSE],
    both = intersect(base_above, head_above)
  )
}
