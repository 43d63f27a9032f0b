# Losses that a trimmed mean does not see, since they sit in a few runs.

#' Most runs that a sentence names.
MOST_NAMED <- 3

#' Whether the plain mean of the change contradicts a pass.
#'
#' Trimming leaves a fifth of the blocks out at each end, so that a loss in few runs would pass: head's asynchronous
#' runs at a tenth of their rate, one time in ten. A pass therefore needs the plain mean as well: above a loss of
#' `resolution` in each cell, and of half of it over all cells, where a mean of that many runs is steady.
#'
#' @param d matrix [replicate, cell], on the log scale
#' @return list: cells (a logical for each), pooled (logical)
hides_loss <- function(d, settings) {
  list(
    cells = unname(colMeans(d) < log(1 - settings$resolution)),
    pooled = mean(d) < log(1 - settings$resolution / 2)
  )
}

#' One sentence per cell whose trimmed mean passes and whose plain mean does not, or one for the pool.
#'
#' @param passing cells that the trimmed mean lets pass
hidden_sentences <- function(design, test, settings, passing) {
  cells <- which(test$cells$hidden & test$cells$cell %in% passing)
  if (!length(cells) && test$pooled$hidden && length(passing) == nrow(test$cells)) {
    return(hidden_sentence(test$d, sprintf("over all cells (%s allowed)", percent(settings$resolution / 2)), design))
  }
  allowed <- percent(settings$resolution)
  vapply(cells, function(j) {
    where <- sprintf("in %s (%s allowed)", code(test$cells$cell[j]), allowed)
    hidden_sentence(test$d[, j, drop = FALSE], where, design)
  }, character(1))
}

hidden_sentence <- function(d, where, design) {
  lowest <- order(d)[seq_len(min(MOST_NAMED, length(d)))]
  at <- arrayInd(lowest, dim(d))
  name <- if (design$unit == "job") {
    paste("job", code(unique(design$replicates$job)[at[, 1]]))
  } else {
    replicates <- design$replicates[at[, 1], ]
    paste0(if (design$jobs > 1) sprintf("job %s, ", code(replicates$job)), "block ", replicates$block)
  }
  if (ncol(d) > 1) name <- paste(code(colnames(d)[at[, 2]]), name)
  sprintf(
    "Few runs hold a loss: the trimmed mean of the change %s passes, the plain mean is %s. The lowest: %s.",
    where, signed(exp(mean(d))), listed(sprintf("%s (%s)", name, signed(exp(d[lowest]))))
  )
}
