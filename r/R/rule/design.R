# Builds the experiment from the rows of samples.csv: complete quads, blocks that count, and the replicate.

#' Keeps the rows of each quad's last attempt.
last_attempts <- function(samples) {
  if (all(samples$attempt == 1)) return(samples)
  quad <- paste(samples$job, samples$block, samples$cell, sep = "\r")
  samples[samples$attempt == ave(samples$attempt, quad, FUN = max), , drop = FALSE]
}

#' Builds the experiment from the rows.
#'
#' @param samples rows of read_samples()
#' @param modes at least two modes; the first is the synchronous reference, the second is under test
#' @param redefined workloads that base and head define differently: reported, not gated
#' @return list:
#'   - `cells`: the gated cells, as "workload/load"; the redefined ones if every workload is redefined
#'   - `comparable`: FALSE if every workload is redefined
#'   - `new_cells`: cells that only head has
#'   - `has_base`: whether base has any run
#'   - `revisions`, `modes`, `gate_modes`: revisions with runs, all modes, and the first two modes
#'   - `replicates`: data frame of job and block, one row per block that counts in at least one cell
#'   - `complete`: matrix [replicate, cell], whether the quad is complete
#'   - `blocks`: the number of complete quads in the cell with the fewest
#'   - `jobs`: the number of jobs
#'   - `unit`: the replicate, "block" or, from six jobs on, "job"
#'   - `excluded`: the quads that were left out, with the reason
#'   - `lost`, `lost_in`: the share of lost quads, overall and per cell
#'   - `samples`: the rows of the last attempts, with `replicate`, a row number of `replicates`; NA if its quad is
#'     incomplete
experiment <- function(samples, modes, redefined = character()) {
  samples <- last_attempts(samples)
  gate_modes <- modes[seq_len(min(2, length(modes)))]
  all_cells <- unique(samples$cell[order(samples$workload, samples$concurrency, samples$load)])
  base_cells <- unique(samples$cell[samples$revision == "base"])
  has_base <- length(base_cells) > 0
  common <- if (has_base) intersect(all_cells, base_cells) else all_cells
  alike <- common[!sub("/[^/]*$", "", common) %in% redefined]
  comparable <- length(alike) > 0 || !length(common)
  cells <- if (comparable) alike else common
  revisions <- if (has_base) c("base", "head") else "head"
  # Cells that are not gated decide nothing: neither their errors nor their lost quads count.
  decides <- samples$cell %in% c(cells, setdiff(all_cells, common))
  if (comparable && !all(decides)) samples <- samples[decides, , drop = FALSE]

  blocks <- unique(samples[c("job", "block")])
  blocks <- blocks[order(blocks$job, blocks$block), , drop = FALSE]
  samples$replicate <- match(paste(samples$job, samples$block), paste(blocks$job, blocks$block))
  arms <- expand.grid(mode = gate_modes, revision = revisions, stringsAsFactors = FALSE)
  of_arms <- function(column) values(samples, column, nrow(blocks), cells, arms)
  quads <- quads_of(of_arms("goodput_rps"), of_arms("cpu_us_per_request"), arms, blocks$block <= FIRST_BLOCKS)
  # An incomplete quad removes the block from its own cell only.
  counts <- rowSums(quads$complete) > 0
  replicates <- blocks[counts, , drop = FALSE]
  complete <- quads$complete[counts, , drop = FALSE]
  of_cell <- match(samples$cell, cells)
  # Cells outside the gate, for example new ones, decide nothing. So their incomplete quads are kept.
  out <- !is.na(of_cell) & !quads$complete[cbind(samples$replicate, of_cell)]
  samples$replicate <- ifelse(out, NA, match(samples$replicate, which(counts)))
  jobs <- length(unique(replicates$job))
  list(
    cells = cells, comparable = comparable, new_cells = setdiff(all_cells, common),
    has_base = has_base, revisions = revisions, modes = modes, gate_modes = gate_modes,
    replicates = replicates, complete = complete,
    blocks = if (length(cells)) min(colSums(complete)) else 0L, jobs = jobs,
    unit = if (jobs >= 6) "job" else "block", excluded = exclusions(quads, blocks, cells, arms),
    lost = if (any(quads$planned)) sum(quads$lost) / sum(quads$planned) else 0,
    lost_in = stats::setNames(colSums(quads$lost) / pmax(1, colSums(quads$planned)), cells),
    samples = samples
  )
}

#' The least CPU time per request that counts as measured, in microseconds: no request takes less than a nanosecond.
LEAST_CPU_US <- 0.001

#' The number of first blocks, in which every cell has a quad. Later blocks have quads of open cells only.
FIRST_BLOCKS <- 6

#' Tells which quads are complete and which are lost.
#'
#' A quad without any run was not planned, unless it belongs to the first blocks. It is neither complete nor lost.
#'
#' If most runs of base have a CPU time, the gate tests CPU time, and a run without it makes its quad incomplete.
#' Otherwise head could switch off this test by hiding the CPU time of one run.
#'
#' @param goodput,cpu arrays [block, cell, arm], in requests/s and microseconds per request
#' @param arms data frame of mode and revision, one row per arm
#' @param is_first whether the block belongs to the first blocks, one value per block
#' @return list: missing, failed, unmeasured (arrays like goodput), planned, complete, lost (matrices [block, cell])
quads_of <- function(goodput, cpu, arms, is_first) {
  any_arm <- function(x) rowSums(x, dims = 2) > 0
  missing <- is.na(goodput)
  planned <- any_arm(!missing) | is_first
  failed <- !missing & goodput == 0
  no_cpu <- !missing & !failed & !is_measured(cpu)
  answered <- !missing & !failed
  of_base <- answered & rep(arms$revision == "base", each = prod(dim(goodput)[1:2]))
  unmeasured <- no_cpu & (any(of_base) && mean(!no_cpu[of_base]) > 0.5)
  # A quad is not lost if only head failed: that is an error of head, and must not be hidden among lost quads.
  failed_base <- failed[, , arms$revision == "base", drop = FALSE]
  list(
    missing = missing, failed = failed, unmeasured = unmeasured, planned = planned,
    complete = !any_arm(missing | failed | unmeasured),
    lost = planned & (any_arm(missing | unmeasured) | any_arm(failed_base))
  )
}

is_measured <- function(cpu_us) !is.na(cpu_us) & cpu_us >= LEAST_CPU_US

#' Lists the incomplete quads that were planned, with the reason: one list (job, block, cell, reason) per quad.
exclusions <- function(quads, blocks, cells, arms) {
  out <- which(quads$planned & !quads$complete, arr.ind = TRUE)
  names_of <- function(which) paste(arms$revision[which], arms$mode[which], collapse = ", ")
  lapply(seq_len(nrow(out)), function(n) {
    i <- out[n, 1]
    j <- out[n, 2]
    missing <- quads$missing[i, j, ]
    reason <- if (any(missing)) {
      paste("missing:", names_of(missing))
    } else if (any(quads$failed[i, j, ])) {
      paste("failed completely:", names_of(quads$failed[i, j, ]))
    } else {
      paste("without CPU time:", names_of(quads$unmeasured[i, j, ]))
    }
    list(job = blocks$job[i], block = blocks$block[i], cell = cells[j], reason = reason)
  })
}

#' Arranges a column of the samples as an array [replicate, cell, arm]; NA without a run.
#'
#' @param replicates number of replicates
#' @param arms mode and revision, each with one value per arm
values <- function(samples, column, replicates, cells, arms) {
  out <- array(NA_real_, c(replicates, length(cells), length(arms$mode)))
  j <- match(samples$cell, cells)
  k <- match(paste(samples$revision, samples$mode), paste(arms$revision, arms$mode))
  known <- !is.na(samples$replicate) & !is.na(j) & !is.na(k)
  out[cbind(samples$replicate, j, k)[known, , drop = FALSE]] <- samples[[column]][known]
  out
}

#' The log of a metric of one arm, as a matrix [replicate, cell].
#'
#' @param transform applied before the log; CPU time becomes its inverse
log_metric <- function(design, column, revision, mode, transform = identity) {
  arm_values(design, column, revision, mode, function(x) log(transform(x)))
}

#' A column of one arm, as a matrix [replicate, cell]. With six jobs or more, the replicates are the job means.
#'
#' @param transform applied before the job means are computed
arm_values <- function(design, column, revision, mode, transform = identity) {
  n <- nrow(design$replicates)
  x <- values(design$samples, column, n, design$cells, list(mode = mode, revision = revision))
  x <- transform(matrix(x, n, length(design$cells)))
  if (design$unit == "job") {
    job <- factor(design$replicates$job, unique(design$replicates$job))
    x <- vapply(seq_along(design$cells), function(j) {
      counts <- design$complete[, j]
      as.vector(tapply(x[counts, j], job[counts], mean))
    }, numeric(nlevels(job)))
    x <- matrix(x, ncol = length(design$cells))
  }
  colnames(x) <- design$cells
  x
}

#' The correlations of neighbouring rows of d, a matrix [replicate, cell]: chain_of(), but 0 for job means.
#'
#' @param w winsorise_cells(d), if it is known
chain_in <- function(design, d, w = winsorise_cells(d)) {
  if (design$unit == "job") NO_CHAIN else chain_of(d, design$replicates$job, w)
}
