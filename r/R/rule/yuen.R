# Trimmed means with winsorised standard errors (Yuen 1974), of one cell and pooled over cells. A block that a cell
# lacks is NA there: the cell's own blocks count.

TRIM <- 0.2

#' Clamps a sample to its (g+1)-th and (k-g)-th order statistics, g = floor(0.2 k). What is NA stays so.
winsorise <- function(d) {
  sorted <- sort(d)
  k <- length(sorted)
  g <- floor(TRIM * k)
  pmin(pmax(d, sorted[g + 1]), sorted[k - g])
}

#' Centre and standard error of one sample.
#'
#' se = sqrt((k-1) var(w) / (h (h-1))), h = k - 2g, df = h - 1 (Yuen 1974).
#'
#' @param d at least 2 numbers that are not NA, on the log scale
#' @param chain from chain_of(): how neighbouring blocks depend on each other
#' @return list: m, se, df
yuen <- function(d, chain = NO_CHAIN) {
  d <- d[!is.na(d)]
  k <- length(d)
  h <- k - 2 * floor(TRIM * k)
  widened(list(m = mean(d, trim = TRIM), se = sqrt((k - 1) * var(winsorise(d)) / (h * (h - 1))), df = h - 1), k, chain)
}

#' Places of the replicates that the trimmed mean of a sample keeps.
kept <- function(d) {
  k <- sum(!is.na(d))
  g <- floor(TRIM * k)
  order(d)[seq(g + 1, k - g)]
}

#' Means of x over the replicates that the trimmed mean of d keeps, column by column.
#'
#' Figures beside a change use the same replicates, so that they multiply exactly to the change. For d = y - z, the
#' mean of y minus the mean of z is the trimmed mean of d.
#'
#' @param x,d matrices [replicate, cell]
kept_means <- function(x, d) vapply(seq_len(ncol(d)), function(j) mean(x[kept(d[, j]), j]), numeric(1))

#' Centre and standard error of y over the replicates that the trimmed mean of d keeps.
#'
#' Yuen's standard error with other values for the trimmed replicates. Their d is clamped to the nearest one kept,
#' and y is taken from the line of y on d there. For y = d this is yuen(d).
#'
#' @param y,d numbers of the same replicates; where y is not finite, the replicate is left out
#' @return list: m, se, df; NULL of fewer than two kept replicates
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

#' The same as yuen() for each column of a matrix: vectors in place of numbers.
#'
#' @param d matrix [replicate, cell]
yuen_cells <- function(d, chain = NO_CHAIN) {
  each <- lapply(seq_len(ncol(d)), function(j) yuen(d[, j], chain))
  lapply(stats::setNames(nm = c("m", "se", "df")), function(name) vapply(each, `[[`, 1, name))
}

#' The same over cells: mean of the trimmed means; the error from what each block adds to that mean.
#'
#' A cell adds (w - mean of w) / sqrt(h (h-1)) of its winsorised value to block b, and 0 if it lacks the block. u(b)
#' is the mean of that over the cells, and se = sqrt(sum of u^2). Cells of a block share its noise, so a Satterthwaite
#' error from the cells' own would reject 11 % instead of 5 %. df = h - 1 of the cell with the fewest blocks.
#'
#' @param d matrix [replicate, cell]
yuen_pooled <- function(d, chain = NO_CHAIN) {
  k <- colSums(!is.na(d))
  h <- k - 2 * floor(TRIM * k)
  added <- vapply(seq_len(ncol(d)), function(j) {
    w <- winsorise(d[, j])
    (w - mean(w, na.rm = TRUE)) / sqrt(h[j] * (h[j] - 1))
  }, numeric(nrow(d)))
  added[is.na(added)] <- 0
  pooled <- list(
    m = mean(apply(d, 2, mean, trim = TRIM, na.rm = TRUE)),
    se = sqrt(sum(rowMeans(matrix(added, nrow(d)))^2)), df = min(h) - 1
  )
  widened(pooled, min(k), chain)
}

#' P(T <= t) for H0: centre >= log(bound). Small: proven below the bound.
p_below <- function(y, bound) p_value((y$m - log(bound)) / y$se, y$df, TRUE)

#' P(T >= t) for H0: centre <= log(bound). Small: proven above the bound.
p_above <- function(y, bound) p_value((y$m - log(bound)) / y$se, y$df, FALSE)

#' Without any spread (constant data) a difference of 0 proves nothing and any other everything.
p_value <- function(t, df, lower) ifelse(is.nan(t), 0.5, pt(t, df, lower.tail = lower))

#' exp of the centre and of its confidence limits: list of estimate, low, high.
ratio_ci <- function(y, level = 0.95) {
  half <- qt(1 - (1 - level) / 2, y$df) * y$se
  list(estimate = exp(y$m), low = exp(y$m - half), high = exp(y$m + half))
}

#' Smallest loss that a test at `level` finds with probability 0.9.
#'
#' Two t quantiles added: a known approximation of the noncentral t, optimistic by about a tenth.
mde90 <- function(y, max_regression, level) {
  1 - exp(log(1 - max_regression) - (qt(1 - level, y$df) + qt(0.9, y$df)) * y$se)
}
