# Tells which cells need more quads after a look.

#' The cells in which the verdict is open. If there are none, the job ends.
#'
#' A cell is closed if goodput passes and a loss of `resolution` of the gain in CPU time is excluded at alpha.
#' The second condition does not gate. It keeps a cell open as long as a loss in CPU time may still be proven.
#'
#' @param decision from decide()
#' @return a subset of design$cells
open_cells <- function(design, decision, settings) {
  cells <- design$cells
  if (!decision$verdict %in% c("pass", "inconclusive")) {
    return(if (waits_for_quads(design, decision)) cells else character())
  }
  tests <- decision$tests[names(decision$tests) %in% names(METRICS)]
  goodput <- tests$goodput
  is_open <- cells %in% unsettled_cells(decision, settings)
  explained <- rep(FALSE, length(cells))
  if (!is.null(goodput)) {
    explained <- goodput$cells$spared | goodput$cells$unclear
    is_open <- is_open | !explained & (goodput$cells$p_pass >= pass_level(settings) | goodput$cells$hidden)
    for (test in tests) is_open <- is_open | test$cells$unclear
    for (test in tests[-1]) is_open <- is_open | !test$cells$spared & test$cells$p_pass >= settings$alpha
  }
  if (any(is_open)) return(cells[is_open])
  # No single cell is open. The pool may be: its cause is unclear, or a few runs hide a loss.
  is_unclear <- length(cells) > 1 && any(vapply(tests, function(test) test$pooled$unclear, NA))
  is_hidden <- !is.null(goodput) && !any(explained) && goodput$pooled$hidden
  if (is_unclear || is_hidden) cells else character()
}

#' The cells in which the required gain, the steady state or a limit on growth is undecided.
unsettled_cells <- function(decision, settings) {
  gains <- decision$min_gain
  c(
    gains$cell[gains$p_above >= pass_level(settings)],
    decision$steady$cell[decision$steady$broken],
    decision$growth$cell[is.na(decision$growth$p)]
  )
}

#' Whether lost or missing quads are the only obstacle. More quads may then help.
waits_for_quads <- function(design, decision) {
  if (length(decision$reasons) != 1) return(FALSE)
  switch(decision$verdict,
    invalid = length(lost_sentence(design)) == 1,
    "not-gated" = design$blocks < MIN_BLOCKS,
    FALSE
  )
}
