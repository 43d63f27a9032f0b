# Decision rules for jobs of recorded blocks: ours, and those of other tools according to their documentation.
#
# A rule returns the upper limit of the change, one per job. It raises an alarm if the limit is below 1 - tolerance.
# So rules can be compared at one tolerance, or at tolerances that give the same share of false alarms.
# `x` is a list of matrices [job, block] of a metric, larger is better: head_async, head_sync, base_async, base_sync.

row_vars <- function(x) rowSums((x - rowMeans(x))^2) / (ncol(x) - 1)

#' The asynchronous arms of head and base. The other tools do not know the synchronous arms.
plain <- function(x) list(head = x$head_async, base = x$base_async)

gain_differences <- function(x) log(x$head_async / x$head_sync) - log(x$base_async / x$base_sync)

#' The upper limit of Yuen's one-sided interval for paired differences, as ratios.
#'
#' @param d matrix [job, block] of differences of logs
#' @param level of one side
#' @return one number per job
yuen_limit <- function(d, level, trim = TRIM) {
  k <- ncol(d)
  g <- floor(trim * k)
  h <- k - 2 * g
  sorted <- t(apply(d, 1, sort))
  kept <- sorted[, seq(g + 1, k - g), drop = FALSE]
  winsorised <- cbind(kept[, rep(1, g + 1)], kept[, -c(1, ncol(kept))], kept[, rep(ncol(kept), g + 1)])
  exp(rowMeans(kept) + qt(1 - level, h - 1) * sqrt((k - 1) * row_vars(winsorised) / (h * (h - 1))))
}

#' The upper limit of Hodges and Lehmann's interval from the Wilcoxon signed-rank test, as ratios, one number per job.
signed_rank_limit <- function(d, level) {
  k <- ncol(d)
  pairs <- which(upper.tri(diag(k), diag = TRUE), arr.ind = TRUE)
  walsh <- t(apply((d[, pairs[, 1]] + d[, pairs[, 2]]) / 2, 1, sort))
  exp(walsh[, ncol(walsh) - qsignrank(level, k) + 1])
}

# The level of one cell and one of two metrics: alpha 5 %, divided among the metrics, then between the pool and cells.
OUR_LEVEL <- 0.05 / 2 / 2

#' From this number of jobs on, a job is one replicate (docs/method.md, step 1).
JOBS_AS_REPLICATES <- 6

#' The upper limit of our rule for several jobs that are judged together, as ratios.
#'
#' @param x list of matrices [merged jobs, block], with the blocks of the first job before those of the second
#' @param jobs number of jobs that are judged together
#' @return one number per row
merged_limit <- function(x, jobs) {
  d <- gain_differences(x)
  if (jobs < JOBS_AS_REPLICATES) return(yuen_limit(d, OUR_LEVEL))
  job <- rep(seq_len(jobs), each = ncol(d) / jobs)
  yuen_limit(t(rowsum(t(d), job)) * jobs / ncol(d), OUR_LEVEL)
}

RULES <- list(
  "this gate" = function(x) yuen_limit(gain_differences(x), OUR_LEVEL),
  "this gate, max-slowdown" = function(x) yuen_limit(log(x$head_async / x$base_async), 0.05 / 2),
  # Alerts if previous mean / current mean is above the threshold. The previous mean comes from an earlier job.
  # https://github.com/benchmark-action/github-action-benchmark#alert-threshold-optional
  "github-action-benchmark" = function(x) {
    base <- rowMeans(x$base_async)
    rowMeans(x$head_async) / base[c(length(base), seq_len(length(base) - 1))]
  },
  # Two-sided Mann-Whitney U test at 5 %. Its interval is Hodges and Lehmann's.
  # https://pkg.go.dev/golang.org/x/perf/cmd/benchstat
  benchstat = function(x) {
    k <- ncol(x$head_async)
    pairs <- expand.grid(head = seq_len(k), base = seq_len(k))
    differences <- log(x$head_async[, pairs$head]) - log(x$base_async[, pairs$base])
    exp(t(apply(differences, 1, sort))[, k^2 - qwilcox(0.025, k, k) + 1])
  },
  # The 95 % t interval of the relative difference of means.
  # https://github.com/google/tachometer/blob/main/src/stats.ts
  tachometer = function(x) {
    x <- plain(x)
    k <- ncol(x$head)
    head <- rowMeans(x$head)
    base <- rowMeans(x$base)
    variance <- row_vars(x$head) / k / base^2 + row_vars(x$base) / k * head^2 / base^4
    head / base + qt(0.975, 2 * k - 2) * sqrt(variance)
  },
  # The 95 % interval of aov(time ~ branch), without the block in the model.
  # https://lorenzwalthert.github.io/touchstone/articles/inference.html
  touchstone = function(x) {
    time <- lapply(plain(x), function(rate) 1 / rate)
    k <- ncol(time$head)
    pooled <- sqrt((row_vars(time$head) + row_vars(time$base)) / 2)
    slower <- rowMeans(time$head) - rowMeans(time$base) - qt(0.975, 2 * k - 2) * pooled * sqrt(2 / k)
    1 / (1 + slower / rowMeans(time$base))
  }
)

#' Variants of our rule that might have more power, at the same level.
VARIANTS <- list(
  "this gate: 20 % trimmed, paired" = RULES[["this gate"]],
  "no trimming" = function(x) yuen_limit(gain_differences(x), OUR_LEVEL, 0),
  "10 % trimmed" = function(x) yuen_limit(gain_differences(x), OUR_LEVEL, 0.1),
  "30 % trimmed" = function(x) yuen_limit(gain_differences(x), OUR_LEVEL, 0.3),
  "signed ranks" = function(x) signed_rank_limit(gain_differences(x), OUR_LEVEL),
  "block not in the model" = function(x) {
    k <- ncol(x$head_async)
    logs <- lapply(x, log)
    m <- rowMeans(gain_differences(x))
    exp(m + qt(1 - OUR_LEVEL, 4 * (k - 1)) * sqrt(Reduce(`+`, lapply(logs, row_vars)) / k))
  }
)

#' Turns vectors with one element per block into matrices [job, block].
#'
#' @param jobs matrix [job, block] of indices
take <- function(arms, jobs) lapply(arms, function(x) matrix(x[jobs], nrow(jobs)))

#' Reduces the metric of head's asynchronous arm, or of both its arms, by a share.
slowed <- function(x, loss, both_modes = FALSE) {
  x$head_async <- x$head_async * (1 - loss)
  if (both_modes) x$head_sync <- x$head_sync * (1 - loss)
  x
}

#' The share of jobs in which a rule raises an alarm.
alarms <- function(rule, x, tolerance) mean(rule(x) < 1 - tolerance)

#' The tolerance at which a rule raises an alarm in a share `rate` of the jobs without a change. It may be negative.
matched_tolerance <- function(rule, x, rate = 0.01) 1 - quantile(rule(x), rate, names = FALSE, type = 1)

#' The smallest loss, as a share, that a rule finds in 90 % of the jobs, to within 0.05 percentage points.
#'
#' NA if it does not even find a loss of 90 %.
smallest_found <- function(rule, x, tolerance, both_modes = FALSE) {
  found <- function(loss) alarms(rule, slowed(x, loss, both_modes), tolerance) >= 0.9
  if (!found(0.9)) return(NA_real_)
  low <- 0
  high <- 0.9
  while (high - low > 0.0005) {
    middle <- (low + high) / 2
    if (found(middle)) high <- middle else low <- middle
  }
  high
}
