# Checks of the measurement itself. They are blind to the change of the gain, or only reported.

#' Level of the check of the steady state, over all cells and modes.
STEADY_LEVEL <- 0.05

#' Steady state: per cell and mode, log half_ratio of head minus base, paired by block.
#'
#' Healthy FPM gains 3-5 % from the first to the second half, so base is the yardstick, not 1. A shift of the second
#' half moves the rate of the whole run by half as much. So a shift of half of the resolution is allowed: it cannot
#' hide a loss of that size. A larger shift must be proven by Yuen's test, in either direction. The p of the two
#' one-sided tests is the smaller one, since both cannot reject.
#'
#' @return data frame: cell, mode, shift, allowed (shares), p, p_holm, broken
steady_state <- function(design, settings) {
  if (!design$has_base || design$blocks < 3 || all(is.na(design$samples$half_ratio))) return(NULL)
  allowed <- settings$resolution / 2
  rows <- do.call(rbind, lapply(design$gate_modes, function(mode) {
    log_ratio <- function(revision) log_metric(design, "half_ratio", revision, mode, within_bounds)
    shift <- log_ratio("head") - log_ratio("base")
    do.call(rbind, lapply(seq_along(design$cells), function(j) {
      x <- shift[is.finite(shift[, j]), j]
      if (length(x) < 3) return(data.frame(cell = design$cells[j], mode = mode, shift = NA_real_, p = 1))
      y <- yuen(x)
      p <- min(p_above(y, 1 + allowed), p_below(y, 1 - allowed))
      data.frame(cell = design$cells[j], mode = mode, shift = exp(y$m) - 1, p = p)
    }))
  }))
  rows$p_holm <- p.adjust(rows$p, "holm")
  rows$allowed <- allowed
  rows$broken <- rows$p_holm < STEADY_LEVEL
  rows
}

#' A second half without an answer is a shift as well, and its log must be finite.
within_bounds <- function(ratio) pmin(pmax(ratio, 0.001), 1000)

#' Share of sign flips of the centred differences whose mean is at most the observed one: the check of the test's level.
#'
#' Exact up to 12 replicates, else 10,000 flips with a fixed seed, the same for every cell.
#'
#' @param d matrix [replicate, cell]
#' @return a share for each cell
sign_flips <- function(d, bound) {
  centred <- d - log(bound)
  centred[is.na(centred)] <- 0
  k <- nrow(centred)
  if (k <= 12) {
    sums <- as.matrix(expand.grid(rep(list(c(-1, 1)), k))) %*% centred
  } else {
    set.seed(20000)
    sums <- 0
    # A few replicates at a time: all signs of a big experiment would not fit into memory.
    for (rows in split(seq_len(k), (seq_len(k) - 1) %/% 64)) {
      signs <- matrix(sample(c(-1, 1), 10000 * length(rows), TRUE), ncol = length(rows))
      sums <- sums + signs %*% centred[rows, , drop = FALSE]
    }
  }
  colMeans(sums <= rep(colSums(centred) + 1e-12, each = nrow(sums)))
}

#' Tests whether jobs differ in the change of the gain: one-way ANOVA of d on the job. For two to five jobs; their
#' blocks are the replicates.
#'
#' @param d matrix [replicate, cell]
#' @return data frame: cell, f, p; NULL for other numbers of jobs, or where each job has one block
between_jobs <- function(design, d) {
  job <- factor(design$replicates$job)
  if (!nlevels(job) %in% 2:5 || nrow(d) <= nlevels(job)) return(NULL)
  do.call(rbind, lapply(seq_len(ncol(d)), function(j) {
    if (sd(d[, j], na.rm = TRUE) == 0) return(NULL)
    table <- anova(lm(d[, j] ~ job))
    data.frame(cell = colnames(d)[j], f = table[["F value"]][1], p = table[["Pr(>F)"]][1])
  }))
}

#' Little's law by cell and mode: median of goodput x mean latency / concurrency, from run.json.
#'
#' Far below 1, hey was busy with itself instead of waiting for answers.
little_law <- function(run, design) {
  notes <- run$runs
  if (is.null(notes) || !NROW(notes) || is.null(notes$little)) return(NULL)
  known <- paste(notes$workload, notes$load, sep = "/") %in% c(design$cells, design$new_cells)
  notes <- notes[is.finite(notes$little) & known, , drop = FALSE]
  if (!nrow(notes)) return(NULL)
  out <- aggregate(little ~ workload + load + mode, notes, median)
  out$broken <- abs(out$little - 1) > 0.25
  out
}
