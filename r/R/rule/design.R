# From rows to the experiment: which quads are complete, which blocks count, what the replicate is.

#' Only the last attempt of each quad counts.
last_attempts <- function(samples) {
  if (all(samples$attempt == 1)) return(samples)
  quad <- paste(samples$job, samples$block, samples$cell, sep = "\r")
  samples[samples$attempt == ave(samples$attempt, quad, FUN = max), , drop = FALSE]
}

#' The experiment behind the rows.
#'
#' @param samples rows of read_samples()
#' @param modes two modes or more; the first is the synchronous reference, the second is under test
#' @param redefined workloads that base and head define differently: reported, not gated
#' @return list: `cells` (gated, as "workload/load"; where every workload is redefined, those, and `comparable` is
#'   FALSE), `new_cells` (without a base), `has_base`, `replicates` (job and block of the blocks that count in a cell),
#'   `complete` (whether the cell's quad counts, matrix [replicate, cell]), `blocks` (those of the cell with the
#'   fewest), `excluded` (quads left out, with reason), `lost` (share of quads lost), `lost_in` (the same of each
#'   cell), `samples` (the last attempts, with
#'   `replicate`, the row's place among the replicates, NA where its quad does not count), `unit` ("block" or "job")
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
  # What is not gated decides nothing: neither its errors nor its lost quads.
  if (comparable) samples <- samples[samples$cell %in% c(cells, setdiff(all_cells, common)), , drop = FALSE]

  blocks <- unique(samples[c("job", "block")])
  blocks <- blocks[order(blocks$job, blocks$block), , drop = FALSE]
  samples$replicate <- match(paste(samples$job, samples$block), paste(blocks$job, blocks$block))
  arms <- expand.grid(mode = gate_modes, revision = revisions, stringsAsFactors = FALSE)
  of_arms <- function(column) values(samples, column, nrow(blocks), cells, arms)
  quads <- quads_of(of_arms("goodput_rps"), of_arms("cpu_us_per_request"), arms, blocks$block <= FIRST_BLOCKS)
  # An incomplete quad costs its cell the block, and no other cell.
  counts <- rowSums(quads$complete) > 0
  replicates <- blocks[counts, , drop = FALSE]
  complete <- quads$complete[counts, , drop = FALSE]
  of_cell <- match(samples$cell, cells)
  # Other cells, such as new ones, decide nothing: their rows count.
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

#' CPU time per request that counts as measured, in microseconds: no request is answered in less than a nanosecond.
LEAST_CPU_US <- 0.001

#' Every cell has a quad in each of the first blocks. Later ones belong to the cells that were open.
FIRST_BLOCKS <- 6

#' Which quads are whole.
#'
#' A quad without any run was not planned, unless its block is one of the first. It is neither complete nor lost.
#'
#' If most of base's runs have a CPU time, it is a metric of the gate, and a run without one makes its quad
#' incomplete. Otherwise a head that hides the CPU time of one run would switch the metric off.
#'
#' @param goodput,cpu arrays [block, cell, arm]
#' @param is_first whether a block is one of the first
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
  # A run that only head failed is an error of head: it must not hide among lost quads.
  failed_base <- failed[, , arms$revision == "base", drop = FALSE]
  list(
    missing = missing, failed = failed, unmeasured = unmeasured, planned = planned,
    complete = !any_arm(missing | failed | unmeasured),
    lost = planned & (any_arm(missing | unmeasured) | any_arm(failed_base))
  )
}

is_measured <- function(cpu_us) !is.na(cpu_us) & cpu_us >= LEAST_CPU_US

#' What was left out and why, a list an incomplete quad.
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

#' A metric as an array [replicate, cell, arm]; NA where there is no such run.
#'
#' @param arms mode and revision of each arm, side by side
values <- function(samples, column, replicates, cells, arms) {
  out <- array(NA_real_, c(replicates, length(cells), length(arms$mode)))
  j <- match(samples$cell, cells)
  k <- match(paste(samples$revision, samples$mode), paste(arms$revision, arms$mode))
  known <- !is.na(samples$replicate) & !is.na(j) & !is.na(k)
  out[cbind(samples$replicate, j, k)[known, , drop = FALSE]] <- samples[[column]][known]
  out
}

#' log of a metric for one arm as a matrix [replicate, cell].
#'
#' @param transform applied to the metric before the log (CPU time becomes its inverse)
log_metric <- function(design, column, revision, mode, transform = identity) {
  arm_values(design, column, revision, mode, function(x) log(transform(x)))
}

#' A column of one arm as a matrix [replicate, cell]. From 6 jobs on the job means are the replicates.
#'
#' @param transform applied before the means are taken
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

#' How neighbouring rows of a matrix [replicate, cell] depend on each other. Job means are independent.
chain_in <- function(design, d) if (design$unit == "job") NO_CHAIN else chain_of(d, design$replicates$job)
