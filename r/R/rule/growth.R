# Tests the limits on growth of 95th percentile latency and peak memory, per mode, head against base.

#' The limits by configuration key: the setting, the column of samples.csv, and its name in sentences.
GROWTH_LIMITS <- list(
  "max-p95-growth" = list(setting = "max_p95_growth", column = "p95_ms", label = "95th percentile latency"),
  "max-memory-growth" = list(setting = "max_memory_growth", column = "peak_memory_mib", label = "peak memory")
)
#' The largest share of blocks that may lack the value. Above it nothing is tested: head could hide its worst runs.
MAX_UNMEASURED <- 0.10

#' Tests head / base of each mode and cell, for each limit that is set.
#'
#' Uses Yuen's test of log head / base, paired by block, against the limit.
#' Holm-adjusted over modes and cells, at the level of the look.
#'
#' @return data frame, one row per limit, mode and cell: limit (its key), allowed and change (ratios), cell, mode,
#'   mde90 (share: the smallest growth found with probability 0.9), p, p_holm, regressed. The columns change to p_holm
#'   are NA if too few blocks have the value. NULL without a limit or without base
test_growth <- function(design, settings) {
  if (!design$has_base) return(NULL)
  do.call(rbind, lapply(names(GROWTH_LIMITS), function(key) {
    of <- GROWTH_LIMITS[[key]]
    if (is.null(settings[[of$setting]])) return(NULL)
    allowed <- 1 + settings[[of$setting]]
    level <- fail_level(settings)
    rows <- do.call(rbind, lapply(design$gate_modes, function(mode) {
      grown <- log_metric(design, of$column, "head", mode) - log_metric(design, of$column, "base", mode)
      tests <- lapply(seq_len(ncol(grown)), function(j) {
        # A block that the cell lost does not count as a missing value.
        own <- if (design$unit == "job") TRUE else design$complete[, j]
        growth_row(grown[own, j], allowed)
      })
      data.frame(limit = key, allowed = allowed, cell = design$cells, mode = mode, do.call(rbind, tests))
    }))
    rows$mde90 <- smallest_growth(rows, level / nrow(rows))
    rows$p_holm <- p.adjust(rows$p, "holm", n = nrow(rows))
    rows$regressed <- !is.na(rows$p) & rows$p_holm < level
    rows[c("limit", "allowed", "cell", "mode", "change", "mde90", "p", "p_holm", "regressed")]
  }))
}

#' Tests one mode in one cell.
#'
#' @param grown log head / base, one number per block
#' @param allowed ratio
#' @return data frame of one row: change (ratio), p, se, df; all NA if too few blocks have the value
growth_row <- function(grown, allowed) {
  pairs <- grown[is.finite(grown)]
  if (length(pairs) < MIN_BLOCKS || length(pairs) < (1 - MAX_UNMEASURED) * length(grown)) {
    return(data.frame(change = NA_real_, p = NA_real_, se = NA_real_, df = NA_real_))
  }
  y <- yuen(pairs)
  data.frame(change = exp(y$m), p = p_above(y, allowed), se = y$se, df = y$df)
}

#' The growth, as a share, that a test at `level` finds with probability 0.9. It adds two t quantiles, as mde90() does.
smallest_growth <- function(rows, level) {
  df <- ifelse(is.na(rows$df), 1, rows$df)
  rows$allowed * exp((qt(1 - level, df) + qt(0.9, df)) * rows$se) - 1
}

#' One sentence per limit and mode that exceeds it; NULL if none does.
growth_sentences <- function(growth) {
  grown <- growth[growth$regressed, , drop = FALSE]
  if (is.null(grown) || !nrow(grown)) return(NULL)
  by_limit <- split(grown, factor(paste(grown$limit, grown$mode), unique(paste(grown$limit, grown$mode))))
  vapply(by_limit, function(rows) {
    where <- sprintf("in %s by %s", code(rows$cell), percent(rows$change - 1))
    sprintf(
      "The %s of %s grew %s; %s allows %s.", GROWTH_LIMITS[[rows$limit[1]]]$label, code(rows$mode[1]), listed(where),
      code(rows$limit[1]), percent(rows$allowed[1] - 1)
    )
  }, "", USE.NAMES = FALSE)
}

#' One sentence per limit that could not be tested in some cells because values are missing; NULL if none.
#'
#' These sentences prevent a pass, which would promise something that was not tested.
untested_growth_sentences <- function(growth) {
  untested <- growth[is.na(growth$p), , drop = FALSE]
  if (is.null(untested) || !nrow(untested)) return(NULL)
  vapply(unique(untested$limit), function(key) {
    of_key <- untested[untested$limit == key, ]
    sprintf(
      "%s is not tested in %s: fewer than %d blocks, or less than %s of them, have the %s.", code(key),
      listed(sprintf("%s on %s", code(of_key$cell), code(of_key$mode))), MIN_BLOCKS,
      percent(1 - MAX_UNMEASURED, 0), GROWTH_LIMITS[[key]]$label
    )
  }, "", USE.NAMES = FALSE)
}

#' One sentence per limit without a proven growth: which growth it would have found. Otherwise people may expect more.
growth_promises <- function(growth) {
  tested <- growth[!is.na(growth$p), , drop = FALSE]
  if (is.null(tested) || !nrow(tested) || any(tested$regressed)) return(NULL)
  vapply(unique(tested$limit), function(key) {
    rows <- tested[tested$limit == key, ]
    least <- rows[which.max(rows$mde90), ]
    sprintf(
      "%s allows %s: no larger growth is proven. One of %s would be found nine times in ten, and in other cells less.",
      code(key), percent(least$allowed - 1), percent(least$mde90)
    )
  }, "", USE.NAMES = FALSE)
}

#' Clauses for a title, one per limit, such as "the peak memory of `swoole` grew".
growth_clauses <- function(growth) {
  grown <- growth[growth$regressed, , drop = FALSE]
  vapply(unique(grown$limit), function(key) {
    modes <- unique(grown$mode[grown$limit == key])
    sprintf("the %s of %s grew", GROWTH_LIMITS[[key]]$label, listed(code(modes)))
  }, "", USE.NAMES = FALSE)
}
