# Decision rules on jobs of recorded blocks: ours, and those of other tools as they document them.
#
# A rule gives the upper limit of the change for every job. It alarms if the limit is below 1 - tolerance. So rules
# can be compared at one tolerance, or at tolerances with the same share of false alarms.
# `x` is a list of matrices [job, block] of a metric, larger is better: head_async, head_sync, base_async, base_sync.

row_vars <- function(x) rowSums((x - rowMeans(x))^2) / (ncol(x) - 1)

#' The asynchronous arm of head against base, without the synchronous arms: what the other tools see.
plain <- function(x) list(head = x$head_async, base = x$base_async)

gain_differences <- function(x) log(x$head_async / x$head_sync) - log(x$base_async / x$base_sync)

#' Upper limit of Yuen's one-sided interval on paired differences, one row per job.
#'
#' @param level one-sided
yuen_limit <- function(d, level, trim = TRIM) {
  k <- ncol(d)
  g <- floor(trim * k)
  h <- k - 2 * g
  sorted <- t(apply(d, 1, sort))
  kept <- sorted[, seq(g + 1, k - g), drop = FALSE]
  winsorised <- cbind(kept[, rep(1, g + 1)], kept[, -c(1, ncol(kept))], kept[, rep(ncol(kept), g + 1)])
  exp(rowMeans(kept) + qt(1 - level, h - 1) * sqrt((k - 1) * row_vars(winsorised) / (h * (h - 1))))
}

#' Upper limit of Hodges and Lehmann's interval from the Wilcoxon signed-rank test.
signed_rank_limit <- function(d, level) {
  k <- ncol(d)
  pairs <- which(upper.tri(diag(k), diag = TRUE), arr.ind = TRUE)
  walsh <- t(apply((d[, pairs[, 1]] + d[, pairs[, 2]]) / 2, 1, sort))
  exp(walsh[, ncol(walsh) - qsignrank(level, k) + 1])
}

# The level of one metric of two, one cell: alpha 5 %, half a side of the pooled test and half for the cells.
OUR_LEVEL <- 0.05 / 2 / 2

RULES <- list(
  "this gate" = function(x) yuen_limit(gain_differences(x), OUR_LEVEL),
  "this gate, max-slowdown" = function(x) yuen_limit(log(x$head_async / x$base_async), 0.05 / 2),
  # Alert when previous / current of the means is above the threshold; the previous one comes from an earlier job.
  # https://github.com/benchmark-action/github-action-benchmark#alert-threshold-optional
  "github-action-benchmark" = function(x) {
    base <- rowMeans(x$base_async)
    rowMeans(x$head_async) / base[c(length(base), seq_len(length(base) - 1))]
  },
  # Mann-Whitney U at 5 %, two-sided; its interval is Hodges and Lehmann's.
  # https://pkg.go.dev/golang.org/x/perf/cmd/benchstat
  benchstat = function(x) {
    k <- ncol(x$head_async)
    pairs <- expand.grid(head = seq_len(k), base = seq_len(k))
    differences <- log(x$head_async[, pairs$head]) - log(x$base_async[, pairs$base])
    exp(t(apply(differences, 1, sort))[, k^2 - qwilcox(0.025, k, k) + 1])
  },
  # 95 % t interval of the relative difference of the means. https://github.com/google/tachometer/blob/main/src/stats.ts
  tachometer = function(x) {
    x <- plain(x)
    k <- ncol(x$head)
    head <- rowMeans(x$head)
    base <- rowMeans(x$base)
    variance <- row_vars(x$head) / k / base^2 + row_vars(x$base) / k * head^2 / base^4
    head / base + qt(0.975, 2 * k - 2) * sqrt(variance)
  },
  # aov(time ~ branch), the block not in the model, 95 % interval.
  # https://lorenzwalthert.github.io/touchstone/articles/inference.html
  touchstone = function(x) {
    time <- lapply(plain(x), function(rate) 1 / rate)
    k <- ncol(time$head)
    pooled <- sqrt((row_vars(time$head) + row_vars(time$base)) / 2)
    slower <- rowMeans(time$head) - rowMeans(time$base) - qt(0.975, 2 * k - 2) * pooled * sqrt(2 / k)
    1 / (1 + slower / rowMeans(time$base))
  }
)

#' Changes of our rule that might gain power. The level stays.
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

#' Picks blocks: vectors a block -> matrices [job, block].
take <- function(arms, jobs) lapply(arms, function(x) matrix(x[jobs], nrow(jobs)))

#' Slows arms of head by a share.
slowed <- function(x, loss, both_modes = FALSE) {
  x$head_async <- x$head_async * (1 - loss)
  if (both_modes) x$head_sync <- x$head_sync * (1 - loss)
  x
}

#' Share of jobs in which a rule alarms.
alarms <- function(rule, x, tolerance) mean(rule(x) < 1 - tolerance)

#' The tolerance with which a rule alarms in a share `rate` of the jobs in which nothing changed. May be negative.
matched_tolerance <- function(rule, x, rate = 0.01) 1 - quantile(rule(x), rate, names = FALSE, type = 1)

#' Smallest loss that a rule finds in 90 % of the jobs, to a tenth of a percent. NA if it does not even find a loss
#' of 90 %.
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
