# Warns if both modes of head became slower, which the gain cannot show.

#' Warns if both modes are proven slower by more than the tolerance, in some cells or over all; NULL otherwise.
#'
#' Uses Yuen's test of head / base in each mode. Both modes must be proven, so the larger p counts.
#' Half of the level is for the pool and half for the cells (Holm).
both_slower_sentence <- function(design, decision, settings) {
  goodput <- decision$tests$goodput
  # If max-slowdown failed the job, its reason already names the modes.
  if (is.null(goodput) || any(decision$slowdown$regressed)) return(NULL)
  x <- arm_logs(design, "goodput")
  moved <- list(x$head_async - x$base_async, x$head_sync - x$base_sync)
  bound <- 1 - settings$max_regression
  level <- fail_level(settings) / 2
  proven <- function(centre) do.call(pmax, lapply(moved, function(d) p_below(centre(d, chain_in(design, d)), bound)))
  cells <- goodput$cells[p.adjust(proven(yuen_cells), "holm") < level, ]
  by <- function(row) {
    paste0(code(design$gate_modes), " by ", percent(1 - c(row$sync_change, row$async_change)), collapse = ", ")
  }
  n <- nrow(goodput$cells)
  where <- if (nrow(cells) && (n == 1 || nrow(cells) < n)) {
    each <- vapply(seq_len(nrow(cells)), function(i) by(cells[i, ]), "")
    paste0(" in ", paste0(code(cells$cell), " (", each, ")", collapse = ", "))
  } else if (nrow(cells) || proven(yuen_pooled) < level) {
    paste0(" over all cells: ", by(goodput$pooled))
  } else {
    return(NULL)
  }
  allowed <- settings$max_slowdown
  paste0(
    "Both modes are slower", where, ". The gain is blind to a loss that both share; ",
    if (is.null(allowed)) "`max-slowdown` gates it." else sprintf("`max-slowdown` allows %s.", percent(allowed))
  )
}
