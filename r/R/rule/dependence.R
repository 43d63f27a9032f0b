# Blocks that follow each other may resemble each other: the machine, or what the servers do, changes slowly. A mean
# of such blocks is less certain than their spread says.

#' Correlations above this are estimated no better.
MOST_CORRELATED <- 0.95
#' Standard errors of a correlation of 0: what is below is taken for chance (one-sided, 2.3 %).
CHANCE <- 2
#' A correlation of fewer blocks says nothing.
LEAST_CHAIN <- 6

#' A cell is wide if its mean square is more than so many times the median of the others'.
MOST_SPREAD <- 25

#' Blocks that do not depend on each other.
NO_CHAIN <- list(rho = 0, jobs = 1)

#' Correlation of neighbouring blocks in each cell.
#'
#' Cells share one correlation, because that of a single cell is hardly known. Sums of products weigh each cell by its
#' spread, so a wide cell would speak for all of them. It is left out, and gets its own correlation if that is larger.
#'
#' @param d matrix [replicate, cell], rows in the order of the blocks
#' @param job of each row; blocks of different jobs are no neighbours
#' @param w winsorise_cells(d), if it is known
#' @return list: rho (one per cell), jobs (their number)
chain_of <- function(d, job = rep(1, nrow(d)), w = winsorise_cells(d)) {
  sums <- vapply(seq_len(ncol(d)), function(j) {
    there <- !is.na(d[, j])
    x <- w[there, j]
    x <- x - mean(x)
    n <- length(x)
    follows <- job[there][-1] == job[there][-n]
    c(n, sum((x[-1] * x[-n])[follows]), sum(x^2))
  }, numeric(3))
  is_wide <- wide_cells(sums[3, ] / sums[1, ])
  rho <- rep(correlation_of(sums[, !is_wide, drop = FALSE]), ncol(d))
  for (j in which(is_wide)) rho[j] <- max(rho[j], correlation_of(sums[, j, drop = FALSE]))
  list(rho = rho, jobs = length(unique(job)))
}

#' Whether each cell is wide, from the cells' mean squares. The cell with the least never is.
wide_cells <- function(square) {
  # The median of the others is not below the least.
  if (max(square) <= MOST_SPREAD * min(square)) return(rep(FALSE, length(square)))
  vapply(seq_along(square), function(j) square[j] > MOST_SPREAD * median(square[-j]), NA)
}

#' The correlation of neighbouring blocks that some cells share.
#'
#' r is the sum of c(b) c(b') over neighbours b, b' of one job and cell, divided by the sum of c^2. c are the
#' winsorised values less their mean, cell by cell. There are n values, k in a cell on average. A mean of the same
#' values pulls r down by (1 + 4 rho) / k (Kendall 1954). So rho = (r + 1/k) / (1 - 4/k). It is 0 unless r + 1/k is
#' above CHANCE / sqrt(n).
#'
#' @param sums matrix with a column per cell: number of values, sum of c(b) c(b'), sum of c^2
correlation_of <- function(sums) {
  total <- rowSums(sums)
  n <- total[1]
  k <- n / ncol(sums)
  if (k < LEAST_CHAIN || total[3] <= 0) return(0)
  raised <- total[2] / total[3] + 1 / k
  if (raised > CHANCE / sqrt(n)) min(raised / (1 - 4 / k), MOST_CORRELATED) else 0
}

#' The correlation of one cell.
chain_in_cell <- function(chain, j) list(rho = rep_len(chain$rho, j)[j], jobs = chain$jobs)

#' A centre whose error takes the correlation into account.
#'
#' There are L = k / jobs blocks in a row. V = 1 + 2 sum over j < L of (1 - j/L) rho^j: the variance of their mean,
#' against that of independent blocks. The spread that they show is too small by (k - V) / (k - 1). So se^2 is
#' multiplied by V (k - 1) / (k - V), and df is divided by V, down to 1.
#'
#' @param y list: m, se, df
#' @param k blocks
#' @param chain with the correlation of one cell
widened <- function(y, k, chain) {
  if (chain$rho <= 0 || k < 2) return(y)
  in_a_row <- k / chain$jobs
  lags <- seq_len(max(0, ceiling(in_a_row) - 1))
  v <- 1 + 2 * sum((1 - lags / in_a_row) * chain$rho^lags)
  list(m = y$m, se = y$se * sqrt(v * (k - 1) / (k - v)), df = max(1, y$df / v))
}

#' What is said of it beside other noise, with the largest correlation; NULL where no neighbours resemble each other.
chain_clause <- function(chain) {
  most <- max(chain$rho)
  if (most <= 0) return(NULL)
  of_all <- all(chain$rho == most)
  sprintf(
    "neighbouring blocks resemble each other (correlation %s%.2f), which widens %s", if (of_all) "" else "up to ", most,
    if (of_all) "every limit" else "limits"
  )
}
