# Compares modes in pairs after the analysis of variance, and gives those that do not differ the same letter.

#' Computes p of every pair of groups by Games and Howell (1976).
#'
#' It is Tukey's range test with Welch's standard errors and degrees of freedom, because modes differ in their spread.
#'
#' @param y numbers
#' @param group factor like y, at least three values in each level: ptukey() needs two degrees of freedom
#' @return matrix of p, a row and a column per level
games_howell <- function(y, group) {
  mean <- tapply(y, group, mean)
  error <- tapply(y, group, var) / table(group)
  df <- as.vector(table(group)) - 1
  sum <- outer(error, error, "+")
  # Never below the smaller sample's, but for rounding.
  welch_df <- pmax(sum^2 / outer(error^2 / df, error^2 / df, "+"), outer(df, df, pmin))
  range <- abs(outer(mean, mean, "-")) / sqrt(sum / 2)
  p <- ptukey(range, nlevels(group), welch_df, lower.tail = FALSE)
  # Without any spread, every difference is one.
  p[sum == 0] <- as.numeric(outer(mean, mean, "==")[sum == 0])
  p
}

#' Gives each group letters, so that two groups share one if no difference between them is proven (Piepho 2004).
#'
#' @param p matrix of p values, with names
#' @param order names of the groups; the first one gets "a"
#' @return texts such as "ab", by name
shared_letters <- function(p, order, level = 0.05) {
  p <- p[order, order, drop = FALSE]
  sets <- list(order)
  differ <- which(p < level & upper.tri(p), arr.ind = TRUE)
  for (i in seq_len(nrow(differ))) {
    pair <- order[differ[i, ]]
    has_both <- vapply(sets, function(set) all(pair %in% set), logical(1))
    without <- function(name) lapply(sets[has_both], setdiff, name)
    sets <- without_subsets(c(sets[!has_both], without(pair[1]), without(pair[2])))
  }
  first <- vapply(sets, function(set) min(match(set, order)), numeric(1))
  sets <- sets[order(first)]
  vapply(order, function(name) {
    paste(letters[which(vapply(sets, function(set) name %in% set, logical(1)))], collapse = "")
  }, "")
}

#' Drops sets that another set contains, and repetitions.
without_subsets <- function(sets) {
  sets <- unique(sets)
  is_part <- function(i) any(vapply(sets[-i], function(other) all(sets[[i]] %in% other), logical(1)))
  sets[!vapply(seq_along(sets), is_part, logical(1))]
}

#' The means of the modes in each cell, compared.
#'
#' @param rows runs: workload, load, mode, goodput_rps
#' @return data frame: workload, load, mode; mean, low and high (95 % CI) in requests per second; top, the highest of
#' these and of the runs; letters. A mode with one run has no interval. With fewer than three, its cell has no letters.
mode_means <- function(rows) {
  cells <- split(rows, list(rows$workload, rows$load), drop = TRUE)
  do.call(rbind, lapply(unname(cells), function(runs) {
    goodput <- runs$goodput_rps
    mode <- droplevels(runs$mode)
    n <- table(mode)
    mean <- tapply(goodput, mode, mean)
    half <- ifelse(n > 1, qt(0.975, pmax(n - 1, 1)) * tapply(goodput, mode, sd) / sqrt(n), NA_real_)
    names <- names(sort(-mean))
    letters <- if (length(n) > 1 && min(n) > 2) shared_letters(games_howell(goodput, mode), names)[names(mean)] else ""
    data.frame(
      workload = runs$workload[1], load = runs$load[1], mode = factor(names(mean), levels(rows$mode)),
      mean = as.vector(mean), low = as.vector(mean - half), high = as.vector(mean + half),
      top = as.vector(pmax(mean + half, tapply(goodput, mode, max), na.rm = TRUE)), letters = unname(letters)
    )
  }))
}
