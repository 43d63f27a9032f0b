# Finds losses in a few runs, which the trimmed mean ignores.

#' The largest number of runs that a sentence names.
MOST_NAMED <- 3

#' Tests whether the plain mean of the change contradicts a pass.
#'
#' Trimming drops a fifth of the blocks at each end.
#' So a loss in few runs would pass, for example if one run in ten had a tenth of its rate.
#' Therefore the plain mean must pass, too: in each cell, its loss must be below `resolution`.
#' Over all cells the limit is half of that, because a mean of so many runs varies less.
#'
#' @param d matrix [replicate, cell], on the log scale
#' @return list: cells (one logical per cell), pooled (logical)
hides_loss <- function(d, settings) {
  list(
    cells = unname(colMeans(d, na.rm = TRUE) < log(1 - settings$resolution)),
    pooled = plain_mean(d) < log(1 - settings$resolution / 2)
  )
}

#' The mean over cells of the cells' plain means.
plain_mean <- function(d) mean(colMeans(d, na.rm = TRUE))

#' One sentence per cell that passes by its trimmed mean, but not by its plain mean. If there is none, one for the pool.
#'
#' @param passing cells that pass by the trimmed mean
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
