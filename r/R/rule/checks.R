# Checks of the measurement itself. They do not depend on the change of the gain, or are only reported.

#' Level of the steady-state check over all cells and modes.
STEADY_LEVEL <- 0.05

#' Tests for a steady state: per cell and mode, log half_ratio of head minus base, paired by block.
#'
#' Base is the reference, because even healthy FPM becomes 3 to 5 % faster from the first to the second half.
#' A shift of the second half moves the rate of the whole run by half as much.
#' So a shift of half the resolution is allowed: it cannot hide a loss of the whole resolution.
#' Yuen's test must prove a larger shift, in either direction.
#' The p-value is the smaller of the two one-sided ones, because at most one of the two tests can reject.
#'
#' @return data frame, one row per mode and cell: cell, mode, shift (share; NA for fewer than 3 blocks), p, p_holm,
#'   allowed (share), broken; NULL without base, with fewer than 3 blocks, or without any half_ratio
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

#' Limits half_ratio to 0.001 to 1000: a second half without answers is a shift, too, and its log must be finite.
within_bounds <- function(ratio) pmin(pmax(ratio, 0.001), 1000)

#' Checks the level of the test by a sign-flip test.
#'
#' Computes the share of sign flips of the centred differences whose mean is at most the observed one.
#' Up to 12 replicates, all flips are counted. Above that, 10,000 random ones with a fixed seed, the same in every cell.
#'
#' @param d matrix [replicate, cell], logs; NA counts as 0 after centring
#' @param bound ratio whose log is subtracted
#' @return the share of such flips, one per cell
sign_flips <- function(d, bound) {
  centred <- d - log(bound)
  centred[is.na(centred)] <- 0
  k <- nrow(centred)
  if (k <= 12) {
    sums <- as.matrix(expand.grid(rep(list(c(-1, 1)), k))) %*% centred
  } else {
    set.seed(20000)
    sums <- 0
    # All signs of a big experiment would not fit into memory, so 64 replicates are added at a time.
    for (rows in split(seq_len(k), (seq_len(k) - 1) %/% 64)) {
      signs <- matrix(sample(c(-1, 1), 10000 * length(rows), TRUE), ncol = length(rows))
      sums <- sums + signs %*% centred[rows, , drop = FALSE]
    }
  }
  colMeans(sums <= rep(colSums(centred) + 1e-12, each = nrow(sums)))
}

#' Tests whether jobs differ in the change of the gain: one-way ANOVA of d on the job, for two to five jobs.
#'
#' The blocks of the jobs are the replicates. Cells without variation are left out.
#'
#' @param d matrix [replicate, cell]
#' @return data frame, one row per cell: cell, f, p; NULL for other numbers of jobs, or if each job has one block
between_jobs <- function(design, d) {
  job <- factor(design$replicates$job)
  if (!nlevels(job) %in% 2:5 || nrow(d) <= nlevels(job)) return(NULL)
  do.call(rbind, lapply(seq_len(ncol(d)), function(j) {
    if (sd(d[, j], na.rm = TRUE) == 0) return(NULL)
    table <- anova(lm(d[, j] ~ job))
    data.frame(cell = colnames(d)[j], f = table[["F value"]][1], p = table[["Pr(>F)"]][1])
  }))
}

#' Checks Little's law per cell and mode: the median of goodput x mean latency / concurrency, from run.json.
#'
#' It is 1 in a closed loop. A value far below 1 shows that hey was busy itself instead of waiting for answers.
#'
#' @param run the content of run.json
#' @return data frame: workload, load, mode, little, broken (more than 0.25 away from 1); NULL without values
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
