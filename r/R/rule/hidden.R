# Losses that a trimmed mean does not see, since they sit in a few runs.

#' Most runs that a sentence names.
MOST_NAMED <- 3

#' Whether the plain mean of the change contradicts a pass.
#'
#' Trimming drops a fifth of the blocks at each end. So a loss in few runs would pass, such as one run in ten at a
#' tenth of its rate. Therefore the plain mean must pass as well: above a loss of `resolution` in each cell. Over
#' all cells the limit is half of it, since a mean of that many runs is steady.
#'
#' @param d matrix [replicate, cell], on the log scale
#' @return list: cells (a logical for each), pooled (logical)
hides_loss <- function(d, settings) {
  list(
    cells = unname(colMeans(d, na.rm = TRUE) < log(1 - settings$resolution)),
    pooled = plain_mean(d) < log(1 - settings$resolution / 2)
  )
}

#' Mean over cells of their plain means.
plain_mean <- function(d) mean(colMeans(d, na.rm = TRUE))

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
  lowest <- order(d)[seq_len(min(MOST_NAMED, sum(!is.na(d))))]
  at <- arrayInd(lowest, dim(d))
  name <- if (design$unit == "job") {
    paste("job", code(unique(design$replicates$job)[at[, 1]]))
  } else {
    replicates <- design$replicates[at[, 1], ]
    paste0(if (design$jobs > 1) sprintf("job %s, ", code(replicates$job)), "block ", replicates$block)
  }
  if (ncol(d) > 1) name <- paste(code(colnames(d)[at[, 2]]), name)
  sprintf(
    "A loss sits in few runs: the trimmed mean of the change %s passes, the plain mean is %s. The lowest: %s.",
    where, signed(exp(plain_mean(d))), listed(sprintf("%s (%s)", name, signed(exp(d[lowest]))))
  )
}
