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
#' r is the sum of c(b) c(b') over neighbours b, b' of one job and cell, divided by the sum of c^2. c are the
#' winsorised values less their mean, cell by cell. There are n values, k in a cell on average. A mean of the same
#' values pulls r down by (1 + 4 rho) / k (Kendall 1954). So rho = (r + 1/k) / (1 - 4/k). It is 0 unless r + 1/k is
#' above CHANCE / sqrt(n).
#'
#' @param d matrix [replicate, cell], rows in the order of the blocks
#' @param job of each row; blocks of different jobs are no neighbours
#' @return list: rho, jobs (their number)
chain_of <- function(d, job = rep(1, nrow(d))) {
  n <- sum(!is.na(d))
  k <- n / ncol(d)
  jobs <- length(unique(job))
  if (k < LEAST_CHAIN) return(list(rho = 0, jobs = jobs))
  products <- 0
  squares <- 0
  for (j in seq_len(ncol(d))) {
    there <- !is.na(d[, j])
    x <- winsorise(d[there, j])
    x <- x - mean(x)
    last <- length(x)
    follows <- job[there][-1] == job[there][-last]
    products <- products + sum((x[-1] * x[-last])[follows])
    squares <- squares + sum(x^2)
  }
  raised <- if (squares > 0) products / squares + 1 / k else 0
  rho <- if (raised > CHANCE / sqrt(n)) min(raised / (1 - 4 / k), MOST_CORRELATED) else 0
  list(rho = rho, jobs = jobs)
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
