# Divides alpha among the looks at the data. An adaptive job has four looks, and measures only open cells after each.

#' The average number of quads per cell at each look. plan.ts has the same numbers.
LOOKS_AT <- c(6, 10, 15, 20)
LOOKS <- length(LOOKS_AT)
#' Shares of alpha to prove a loss. Early looks get little: with few quads they only find large losses anyway.
FAIL_SHARES <- diff(c(0, (LOOKS_AT / max(LOOKS_AT))^3))
#' Shares of alpha to prove a pass. They never decrease, so a cell that has passed also passes at the next look.
PASS_SHARES <- c(0.15, 0.25, 0.25, 0.35)

#' The level to prove a loss at this look. The levels of all looks add up to alpha.
fail_level <- function(settings) settings$alpha * share_of_look(settings, FAIL_SHARES)

#' The level to exclude a loss at this look. The levels of all looks add up to alpha.
pass_level <- function(settings) settings$alpha * share_of_look(settings, PASS_SHARES)

#' The share of alpha at this look. A single look has all of it; two looks at whole blocks have half each.
share_of_look <- function(settings, shares) {
  if (settings$looks == LOOKS) shares[settings$look] else 1 / settings$looks
}
