# Tests the change of the gain: d = [log x(head,async) - log x(head,sync)] - [log x(base,async) - log x(base,sync)].

MIN_BLOCKS <- 6

#' The settings of the gate with their defaults, as shares, not percent.
#'
#' @param looks number of looks at the data: 1, 2 or LOOKS
#' @param look number of this look, from 1
#' @return list with one element per parameter
gate_settings <- function(max_regression = 0.05, resolution = 0.10, min_gain = NULL, max_slowdown = NULL,
                          max_p95_growth = NULL, max_memory_growth = NULL, max_error_rate = 0.001, alpha = 0.05,
                          looks = 1, look = looks, on_sync_improvement = "warn") {
  list(
    max_regression = max_regression, resolution = resolution, min_gain = min_gain, max_slowdown = max_slowdown,
    max_p95_growth = max_p95_growth, max_memory_growth = max_memory_growth,
    max_error_rate = max_error_rate, alpha = alpha, looks = looks, look = look,
    on_sync_improvement = on_sync_improvement
  )
}

#' Tests one metric in every cell and pooled over cells.
#'
#' @param design from experiment()
#' @param metric a name of METRICS
#' @param n_metrics number of metrics that share the level
#' @return list: cells (data frame, one row per cell), pooled (list), d (matrix [replicate, cell]), chain (chain_of(d))
test_metric <- function(design, metric, settings, n_metrics) {
  x <- arm_logs(design, metric)
  d <- (x$head_async - x$head_sync) - (x$base_async - x$base_sync)
  moved <- list(async = x$head_async - x$base_async, sync = x$head_sync - x$base_sync)
  level <- fail_level(settings) / n_metrics / 2
  bound <- 1 - settings$max_regression
  n <- ncol(d)

  centres <- centres_in(design, d)
  y <- centres$cells
  ci <- ratio_ci(y)
  of_async <- centres_in(design, moved$async)
  async <- of_async$cells
  of_sync <- function() centres_in(design, moved$sync)
  # Shown beside the change: gains, and changes of one mode. They use the same blocks, so they multiply to the change.
  keep <- kept_in_cells(d)
  beside <- function(x) exp(kept_means(x, d, keep))
  cells <- list2DF(list(
    cell = colnames(d), gain_base = beside(x$base_async - x$base_sync), gain_head = beside(x$head_async - x$head_sync),
    change = ci$estimate, change_low = ci$low, change_high = ci$high,
    p_fail = p_below(y, bound), p_pass = p_above(y, 1 - settings$resolution),
    mde90 = mde90(y, settings$max_regression, level / n), async_change = beside(moved$async),
    sync_change = beside(moved$sync), async_m = async$m, async_se = async$se, se = y$se, df = y$df
  ))
  cells$p_fail_holm <- p.adjust(cells$p_fail, "holm")
  cells[c("spared", "unclear", "regressed")] <- put_down(
    cells$p_fail_holm < level, async, of_sync()$cells, settings, level
  )
  hidden <- hides_loss(d, settings)
  cells$hidden <- hidden$cells

  y <- centres$pooled
  async <- of_async$pooled
  ci <- ratio_ci(y)
  p_fail <- p_below(y, bound)
  list(
    cells = cells,
    pooled = c(
      list(
        change = ci[["estimate"]], change_low = ci[["low"]], change_high = ci[["high"]], p_fail = p_fail,
        mde90 = mde90(y, settings$max_regression, level), async_change = geometric_mean(cells$async_change),
        sync_change = geometric_mean(cells$sync_change), async_m = async$m, async_se = async$se, hidden = hidden$pooled
      ),
      put_down(p_fail < level, async, of_sync()$pooled, settings, level)
    ),
    d = d, chain = centres$chain
  )
}

#' The centres of a matrix [replicate, cell].
#'
#' @return list: chain (from chain_in()), cells (yuen_cells()), pooled (yuen_pooled())
centres_in <- function(design, d) {
  w <- winsorise_cells(d)
  chain <- chain_in(design, d, w)
  cells <- yuen_cells(d, chain, w)
  list(chain = chain, cells = cells, pooled = yuen_pooled(d, chain, w, cells$m))
}

geometric_mean <- function(ratios) exp(mean(log(ratios)))

#' Tells which mode caused a fall of the gain.
#'
#' A gain also falls if the synchronous mode becomes faster.
#' Whether the asynchronous mode held is tested on head / base of one mode, which a noisy machine moves more than d.
#' The cause is unclear if the synchronous mode is proven to be faster, but nothing is proven about the asynchronous
#' one.
#'
#' @param below whether the gain is proven to have fallen, per cell or for the pool
#' @param async,sync lists of m, se and df of log head / base in the two modes; sync is computed only if it is needed
#' @param level at which a loss is proven
#' @return list of logical vectors like `below`: spared (the asynchronous mode held), unclear, regressed
put_down <- function(below, async, sync, settings, level) {
  asked <- below & settings$on_sync_improvement == "warn"
  if (!any(asked)) return(list(spared = asked, unclear = asked, regressed = below))
  bound <- 1 - settings$max_regression
  a <- pass_level(settings)
  spared <- asked & p_above(async, bound) < a
  lost <- p.adjust(p_below(async, bound), "holm") < level
  unclear <- asked & !spared & !lost & p_above(sync, 1) < a
  list(spared = spared, unclear = unclear, regressed = below & !spared & !unclear)
}

#' Tests head's gain in each cell against min-gain, Holm-adjusted over the cells that have one.
#'
#' @return data frame, one row per cell with a min-gain: cell, gain, low, high (95 % CI), se, min_gain, p_below,
#'   p_above, p_below_holm, missed; NULL without a min-gain
test_min_gain <- function(design, settings) {
  if (is.null(settings$min_gain)) return(NULL)
  x <- arm_logs(design, "goodput")
  gain <- x$head_async - x$head_sync
  workload <- sub("/[^/]*$", "", design$cells)
  wanted <- if (is.list(settings$min_gain)) {
    vapply(workload, function(name) as.numeric(settings$min_gain[[name]] %||% NA_real_), numeric(1))
  } else {
    rep(as.numeric(settings$min_gain), length(workload))
  }
  chain <- chain_in(design, gain)
  rows <- lapply(which(!is.na(wanted)), function(j) {
    y <- yuen(gain[, j], chain_in_cell(chain, j))
    ci <- ratio_ci(y)
    data.frame(
      cell = design$cells[j], gain = ci[["estimate"]], low = ci[["low"]], high = ci[["high"]], se = y$se,
      min_gain = wanted[[j]],
      p_below = p_below(y, wanted[[j]]), p_above = p_above(y, wanted[[j]])
    )
  })
  if (!length(rows)) return(NULL)
  out <- do.call(rbind, rows)
  out$p_below_holm <- p.adjust(out$p_below, "holm")
  out$missed <- out$p_below_holm < fail_level(settings)
  out
}

#' Tests head / base of each mode by itself, if max-slowdown is set. Holm over modes and cells.
#'
#' @return data frame, one row per mode and cell: cell, mode, change (ratio), p, p_holm, regressed; NULL if not set,
#'   or without base
test_slowdown <- function(design, settings) {
  if (is.null(settings$max_slowdown) || !design$has_base) return(NULL)
  rows <- lapply(design$gate_modes, function(mode) {
    moved <- log_metric(design, "goodput_rps", "head", mode) - log_metric(design, "goodput_rps", "base", mode)
    chain <- chain_in(design, moved)
    do.call(rbind, lapply(seq_len(ncol(moved)), function(j) {
      y <- yuen(moved[, j], chain_in_cell(chain, j))
      data.frame(cell = design$cells[j], mode = mode, change = exp(y$m), p = p_below(y, 1 - settings$max_slowdown))
    }))
  })
  out <- do.call(rbind, rows)
  out$p_holm <- p.adjust(out$p, "holm")
  out$regressed <- out$p_holm < fail_level(settings)
  out
}

`%||%` <- function(x, y) if (is.null(x)) y else x
