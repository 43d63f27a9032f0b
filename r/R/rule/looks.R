# How often the data are looked at, and what of alpha each look may spend. A job that goes on where cells are open is
# looked at four times.

#' Quads of a cell, on average, that are spent at each look. plan.ts has the same numbers.
LOOKS_AT <- c(6, 10, 15, 20)
LOOKS <- length(LOOKS_AT)
#' Shares of alpha that prove a loss. Early looks have few quads, and a loss that they see is large: they need little.
FAIL_SHARES <- diff(c(0, (LOOKS_AT / max(LOOKS_AT))^3))
#' Shares of alpha that prove a pass. They do not fall, so that a cell that has passed passes at the next look, too.
PASS_SHARES <- c(0.15, 0.25, 0.25, 0.35)

#' Level at which a loss is proven at this look. Over all looks it adds up to alpha.
fail_level <- function(settings) settings$alpha * share_of_look(settings, FAIL_SHARES)

#' Level at which a loss is excluded at this look. Over all looks it adds up to alpha.
pass_level <- function(settings) settings$alpha * share_of_look(settings, PASS_SHARES)

#' One look has everything, and two looks at whole blocks have half each.
share_of_look <- function(settings, shares) {
  if (settings$looks == LOOKS) shares[settings$look] else 1 / settings$looks
}
