# Blocks that follow each other may resemble each other: the machine, or what the servers do, changes slowly. A mean
# of such blocks is less certain than their spread says.

#' Correlations above this are estimated no better.
MOST_CORRELATED <- 0.95
#' Standard errors of a correlation of 0: what is below is taken for chance (one-sided, 2.3 %).
CHANCE <- 2
#' A correlation of fewer blocks says nothing.
LEAST_CHAIN <- 6

#' Blocks that do not depend on each other.
NO_CHAIN <- list(rho = 0, jobs = 1)

#' Correlation of neighbouring blocks, one for all cells.
#'
#' r is the mean of the cells' own correlations, each with the number of its values as weight. That of a cell is the
#' sum of c(b) c(b') over neighbours b, b' of one job, divided by the sum of c^2. c are its winsorised values less
#' their mean. So a cell with a large spread, such as one that drifts, does not speak for the others.
#' There are n values, k in a cell on average. A mean of the same values pulls r down by (1 + 4 rho) / k (Kendall 1954).
#' So rho = (r + 1/k) / (1 - 4/k). It is 0 unless r + 1/k is above CHANCE / sqrt(n). Cells without spread are left out.
#'
#' @param d matrix [replicate, cell], rows in the order of the blocks
#' @param job of each row; blocks of different jobs are no neighbours
#' @return list: rho, jobs (their number)
chain_of <- function(d, job = rep(1, nrow(d))) {
  own <- vapply(seq_len(ncol(d)), function(j) correlation_in(d[!is.na(d[, j]), j], job[!is.na(d[, j])]), numeric(1))
  values <- colSums(!is.na(d))[!is.na(own)]
  k <- mean(values)
  raised <- if (length(values) && k >= LEAST_CHAIN) sum(values * own[!is.na(own)]) / sum(values) + 1 / k else 0
  rho <- if (raised > CHANCE / sqrt(sum(values))) min(raised / (1 - 4 / k), MOST_CORRELATED) else 0
  list(rho = rho, jobs = length(unique(job)))
}

#' The correlation of neighbours in one cell, biased as it is; NA without spread.
correlation_in <- function(x, job) {
  centred <- winsorise(x) - mean(winsorise(x))
  if (sum(centred^2) == 0) return(NA_real_)
  last <- length(x)
  follows <- job[-1] == job[-last]
  sum((centred[-1] * centred[-last])[follows]) / sum(centred^2)
}

#' A centre whose error takes the correlation into account.
#'
#' There are L = k / jobs blocks in a row. V = 1 + 2 sum over j < L of (1 - j/L) rho^j: the variance of their mean,
#' against that of independent blocks. The spread that they show is too small by (k - V) / (k - 1). So se^2 is
#' multiplied by V (k - 1) / (k - V), and df is divided by V, down to 1.
#'
#' @param y list: m, se, df
#' @param k blocks
widened <- function(y, k, chain) {
  if (chain$rho <= 0 || k < 2) return(y)
  in_a_row <- k / chain$jobs
  lags <- seq_len(max(0, ceiling(in_a_row) - 1))
  v <- 1 + 2 * sum((1 - lags / in_a_row) * chain$rho^lags)
  list(m = y$m, se = y$se * sqrt(v * (k - 1) / (k - v)), df = max(1, y$df / v))
}

#' What is said of it beside other noise; NULL where neighbours do not resemble each other.
chain_clause <- function(chain) {
  if (chain$rho <= 0) return(NULL)
  sprintf("neighbouring blocks resemble each other (correlation %.2f), which widens every limit", chain$rho)
}
