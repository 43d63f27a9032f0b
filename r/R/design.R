# From rows to the experiment: which quads are complete, which blocks count, what the replicate is.

#' Only the last attempt of each quad counts.
last_attempts <- function(samples) {
  quad <- paste(samples$job, samples$block, samples$cell, sep = "\r")
  samples[samples$attempt == ave(samples$attempt, quad, FUN = max), , drop = FALSE]
}

#' The experiment behind the rows.
#'
#' @param samples rows of read_samples()
#' @param modes two modes or more; the first is the synchronous reference, the second is under test
#' @return list: `cells` (gated, as "workload/load"), `new_cells` (without a base), `has_base`, `replicates` (job and block of
#'   the blocks that count), `excluded` (quads left out, with reason), `lost` (share of quads lost), `samples` (rows that
#'   count), `unit` ("block" or "job")
experiment <- function(samples, modes) {
  samples <- last_attempts(samples)
  gate_modes <- modes[seq_len(min(2, length(modes)))]
  all_cells <- sort(unique(samples$cell))
  base_cells <- unique(samples$cell[samples$revision == "base"])
  has_base <- length(base_cells) > 0
  cells <- if (has_base) intersect(all_cells, base_cells) else all_cells
  revisions <- if (has_base) c("base", "head") else "head"

  blocks <- unique(samples[c("job", "block")])
  blocks <- blocks[order(blocks$job, blocks$block), , drop = FALSE]
  arms <- expand.grid(mode = gate_modes, revision = revisions, stringsAsFactors = FALSE)
  goodput <- values(samples, "goodput_rps", blocks, cells, arms)

  excluded <- list()
  is_complete <- matrix(TRUE, nrow(blocks), length(cells))
  is_lost <- is_complete & FALSE
  for (j in seq_along(cells)) {
    for (i in seq_len(nrow(blocks))) {
      runs <- goodput[i, j, ]
      if (all(is.finite(runs) & runs > 0)) next
      is_complete[i, j] <- FALSE
      failed_head <- !is.na(runs) & runs == 0 & arms$revision == "head"
      failed_base <- !is.na(runs) & runs == 0 & arms$revision == "base"
      missing <- is.na(runs)
      why <- if (any(missing)) {
        paste("missing:", paste(arms$revision[missing], arms$mode[missing], collapse = ", "))
      } else {
        paste("failed wholly:", paste(arms$revision[failed_head | failed_base], arms$mode[failed_head | failed_base], collapse = ", "))
      }
      # A run that only head failed is an error of head: it must not hide among lost quads.
      is_lost[i, j] <- any(missing) || any(failed_base)
      excluded[[length(excluded) + 1]] <- list(job = blocks$job[i], block = blocks$block[i], cell = cells[j], reason = why)
    }
  }
  counts <- apply(is_complete, 1, all)
  replicates <- blocks[counts, , drop = FALSE]
  jobs <- length(unique(replicates$job))
  list(
    cells = cells, new_cells = setdiff(all_cells, cells), has_base = has_base, revisions = revisions,
    modes = modes, gate_modes = gate_modes, replicates = replicates, blocks = nrow(replicates),
    jobs = jobs, unit = if (jobs >= 6) "job" else "block", excluded = excluded,
    lost = if (length(is_lost)) mean(is_lost) else 0, samples = samples
  )
}

#' A metric as an array [block, cell, arm]; NA where there is no such run.
values <- function(samples, column, blocks, cells, arms) {
  out <- array(NA_real_, c(nrow(blocks), length(cells), nrow(arms)))
  i <- match(paste(samples$job, samples$block, sep = "\r"), paste(blocks$job, blocks$block, sep = "\r"))
  j <- match(samples$cell, cells)
  k <- match(paste(samples$revision, samples$mode), paste(arms$revision, arms$mode))
  known <- !is.na(i) & !is.na(j) & !is.na(k)
  out[cbind(i[known], j[known], k[known])] <- samples[[column]][known]
  out
}

#' log of a metric for one arm as a matrix [replicate, cell]. From 6 jobs on the job means are the replicates.
#'
#' @param transform applied to the metric before the log (CPU time becomes its inverse)
log_metric <- function(design, column, revision, mode, transform = identity) {
  arms <- data.frame(mode = mode, revision = revision)
  x <- values(design$samples, column, design$replicates, design$cells, arms)[, , 1]
  x <- log(transform(matrix(x, nrow(design$replicates), length(design$cells))))
  colnames(x) <- design$cells
  if (design$unit == "job") {
    x <- apply(x, 2, function(column) tapply(column, design$replicates$job, mean))
    x <- matrix(x, ncol = length(design$cells), dimnames = list(NULL, design$cells))
  }
  x
}
