# Decides whether memory keeps growing in a soak: load on one server in slices, with the memory read between them.

#' The share of slices that warm up. Caches, pools and compiled files fill then, which is no leak.
SOAK_WARMUP <- 1 / 3
#' The allowed growth in KiB per 1,000 requests, as for runs (GROWTH_ALLOWED): 66 bytes per request.
SOAK_ALLOWED <- 64
#' The least growth in bytes after the warm-up. PHP reports its memory exactly; a process grows by pages.
SOAK_LEAST <- c(heap = 64 * 1024, whole = 1024 * 1024)

#' Estimates the growth per 1,000 requests after the warm-up: the median of the slices, with a distribution-free
#' interval.
#'
#' A pool that fills or an array that is enlarged moves a few slices, but not their median. A least-squares slope over
#' the readings would follow such a step. Its interval would also treat readings as independent that depend on each
#' other; only the growths of the slices are independent. The limits are the ranks of the binomial distribution that
#' enclose the median in at least 95 %.
#'
#' The memory grows if the whole interval and the median of the last third of the slices are above SOAK_ALLOWED.
#'
#' @param bytes that each slice added
#' @param requests of each slice
#' @param least bytes that all slices after the warm-up must have added
#' @return list: estimate, low, high (KiB per 1,000 requests), grows; NULL if fewer than 6 slices are left
soak_growth <- function(bytes, requests, least) {
  n <- length(bytes)
  after <- seq_len(n) > SOAK_WARMUP * n & requests > 0
  rate <- (bytes / requests * 1000 / 1024)[after]
  if (length(rate) < 6) return(NULL)
  ranks <- stats::qbinom(0.025, length(rate), 0.5)
  ordered <- sort(rate)
  low <- ordered[ranks]
  late <- stats::median(utils::tail(rate, max(3, length(rate) %/% 3)))
  list(
    estimate = stats::median(rate), low = low, high = ordered[length(rate) + 1 - ranks],
    grows = low > SOAK_ALLOWED && late > SOAK_ALLOWED && sum(bytes[after]) >= least
  )
}
