# Trimmed means with winsorised standard errors (Yuen 1974), of one cell and pooled over cells.

TRIM <- 0.2

#' Clamps a sample to its (g+1)-th and (k-g)-th order statistics, g = floor(0.2 k).
winsorise <- function(d) {
  k <- length(d)
  g <- floor(TRIM * k)
  sorted <- sort(d)
  pmin(pmax(d, sorted[g + 1]), sorted[k - g])
}

#' Centre and standard error of one sample.
#'
#' se = sqrt((k-1) var(w) / (h (h-1))), h = k - 2g, df = h - 1 (Yuen 1974).
#'
#' @param d at least 2 numbers, on the log scale
#' @return list: m, se, df
yuen <- function(d) {
  k <- length(d)
  h <- k - 2 * floor(TRIM * k)
  list(m = mean(d, trim = TRIM), se = sqrt((k - 1) * var(winsorise(d)) / (h * (h - 1))), df = h - 1)
}

#' The same for each column of a matrix: vectors in place of numbers.
#'
#' @param d matrix [replicate, cell]
yuen_cells <- function(d) {
  each <- lapply(seq_len(ncol(d)), function(j) yuen(d[, j]))
  lapply(stats::setNames(nm = c("m", "se", "df")), function(name) vapply(each, `[[`, 1, name))
}

#' The same over cells: mean of the trimmed means; the error from the mean over cells of the winsorised values.
#'
#' Cells of a block share its noise, so a Satterthwaite error from the cells' own would reject 11 % instead of 5 %.
#'
#' @param d matrix [replicate, cell]
yuen_pooled <- function(d) {
  k <- nrow(d)
  h <- k - 2 * floor(TRIM * k)
  v <- rowMeans(apply(d, 2, winsorise))
  list(m = mean(apply(d, 2, mean, trim = TRIM)), se = sqrt((k - 1) * var(v) / (h * (h - 1))), df = h - 1)
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
