# Trimmed means with winsorised standard errors (Yuen 1974), of one cell and pooled over cells.
# A block that a cell lacks is NA there, and each cell uses its own blocks.

#' The share that is trimmed at each end.
TRIM <- 0.2

#' Clamps a sample of k values to its (g+1)-th and (k-g)-th order statistics, g = floor(0.2 k). NA stays NA.
winsorise <- function(d) {
  there <- d[!is.na(d)]
  k <- length(there)
  if (!k) return(d)
  g <- floor(TRIM * k)
  # A partial sort puts these two in place, which is all that is needed.
  sorted <- sort.int(there, partial = unique(c(g + 1, k - g)))
  d[which(d < sorted[g + 1])] <- sorted[g + 1]
  d[which(d > sorted[k - g])] <- sorted[k - g]
  d
}

#' winsorise() of each column of a matrix.
winsorise_cells <- function(d) {
  for (j in seq_len(ncol(d))) d[, j] <- winsorise(d[, j])
  d
}

#' The trimmed mean of one sample and its standard error.
#'
#' se = sqrt((k-1) var(w) / (h (h-1))), h = k - 2g, df = h - 1, where w is the winsorised sample (Yuen 1974).
#'
#' @param d numbers on the log scale; at least two are not NA
#' @param chain from chain_in_cell(): the correlation of neighbouring blocks
#' @param w winsorise(d), if it is known
#' @return list: m, se, df
yuen <- function(d, chain = NO_CHAIN, w = winsorise(d)) {
  there <- !is.na(d)
  k <- sum(there)
  h <- k - 2 * floor(TRIM * k)
  y <- list(m = mean(d[there], trim = TRIM), se = sqrt((k - 1) * var(w[there]) / (h * (h - 1))), df = h - 1)
  widened(y, k, chain)
}

#' The indices of the replicates that the trimmed mean of a sample keeps.
kept <- function(d) {
  k <- sum(!is.na(d))
  g <- floor(TRIM * k)
  order(d)[seq(g + 1, k - g)]
}

#' The mean of each column of x over the replicates that the trimmed mean of d keeps.
#'
#' The figures beside a change use the same replicates, so they multiply exactly to the change.
#' For d = y - z, the mean of y minus the mean of z is the trimmed mean of d.
#'
#' @param x,d matrices [replicate, cell]
#' @param keep kept_in_cells(d), if it is known
#' @return one number per cell
kept_means <- function(x, d, keep = kept_in_cells(d)) {
  vapply(seq_len(ncol(d)), function(j) mean(x[keep[[j]], j]), numeric(1))
}

#' kept() of each column of a matrix, as a list.
kept_in_cells <- function(d) lapply(seq_len(ncol(d)), function(j) kept(d[, j]))

#' The mean of y over the replicates that the trimmed mean of d keeps, and its standard error.
#'
#' The standard error is Yuen's, with other values for the trimmed replicates.
#' Their d is clamped to the nearest kept value. The regression line of y on d then gives their y.
#' For y = d, the result is that of yuen(d).
#'
#' @param y,d numbers of the same replicates; replicates whose y is not finite are left out
#' @return list: m, se, df; NULL if fewer than two kept replicates remain
yuen_along <- function(y, d) {
  keep <- kept(d)
  keep <- keep[is.finite(y[keep])]
  h <- length(keep)
  if (h < 2) return(NULL)
  m <- mean(y[keep])
  spread <- var(d[keep])
  slope <- if (spread > 0) cov(y[keep], d[keep]) / spread else 0
  w <- m + slope * (winsorise(d) - mean(d[keep]))
  w[keep] <- y[keep]
  w <- w[is.finite(y) & !is.na(d)]
  list(m = m, se = sqrt((length(w) - 1) * var(w) / (h * (h - 1))), df = h - 1)
}

#' yuen() of each column of a matrix.
#'
#' @param d matrix [replicate, cell]
#' @param chain from chain_of()
#' @param w winsorise_cells(d), if it is known
#' @return list: m, se, df, each a vector with one element per cell
yuen_cells <- function(d, chain = NO_CHAIN, w = winsorise_cells(d)) {
  each <- lapply(seq_len(ncol(d)), function(j) yuen(d[, j], chain_in_cell(chain, j), w[, j]))
  lapply(stats::setNames(nm = c("m", "se", "df")), function(name) vapply(each, `[[`, 1, name))
}

#' The mean over cells of their trimmed means, and its standard error from the contributions of the blocks.
#'
#' To block b, a cell contributes (w - mean of w) / sqrt(h (h-1)), where w are its winsorised values.
#' It contributes 0 if it lacks the block. u(b) is the mean over the cells, and se = sqrt(sum of u^2).
#' The cells of a block share its noise, so Satterthwaite's error from the cells' own would reject 11 % instead of 5 %.
#' df = h - 1 of the cell with the fewest blocks. Of the cells' correlations the largest counts.
#'
#' @param d matrix [replicate, cell]
#' @param chain from chain_of()
#' @param w winsorise_cells(d), if it is known
#' @param m the cells' trimmed means, if they are known
#' @return list: m, se, df
yuen_pooled <- function(
    d, chain = NO_CHAIN, w = winsorise_cells(d), m = apply(d, 2, mean, trim = TRIM, na.rm = TRUE)) {
  k <- colSums(!is.na(d))
  h <- k - 2 * floor(TRIM * k)
  added <- vapply(seq_len(ncol(d)), function(j) {
    w <- w[, j]
    (w - mean(w, na.rm = TRUE)) / sqrt(h[j] * (h[j] - 1))
  }, numeric(nrow(d)))
  added[is.na(added)] <- 0
  pooled <- list(
    m = mean(m),
    se = sqrt(sum(rowMeans(matrix(added, nrow(d)))^2)), df = min(h) - 1
  )
  widened(pooled, min(k), list(rho = max(chain$rho), jobs = chain$jobs))
}

#' P(T <= t) under H0: centre >= log(bound). A small value proves that the ratio is below the bound.
p_below <- function(y, bound) p_value((y$m - log(bound)) / y$se, y$df, TRUE)

#' P(T >= t) under H0: centre <= log(bound). A small value proves that the ratio is above the bound.
p_above <- function(y, bound) p_value((y$m - log(bound)) / y$se, y$df, FALSE)

#' One-sided p-value of t. Data without spread give 0.5 if the difference is 0, and otherwise 0 or 1.
p_value <- function(t, df, lower) ifelse(is.nan(t), 0.5, pt(t, df, lower.tail = lower))

#' A ratio with its confidence limits, from a centre on the log scale: list of estimate, low, high.
ratio_ci <- function(y, level = 0.95) {
  half <- qt(1 - (1 - level) / 2, y$df) * y$se
  list(estimate = exp(y$m), low = exp(y$m - half), high = exp(y$m + half))
}

#' The smallest loss, as a share, that a test at `level` finds with probability 0.9.
#'
#' It adds two t quantiles: a known approximation of the noncentral t distribution, optimistic by about a tenth.
mde90 <- function(y, max_regression, level) {
  1 - exp(log(1 - max_regression) - (qt(1 - level, y$df) + qt(0.9, y$df)) * y$se)
}
