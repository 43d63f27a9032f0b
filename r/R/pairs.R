# Where the gain comes from: the gain of each pair of modes, and the steps that lead from the reference to the mode under test.

#' Modes in the order of the steps: the reference, the modes between, the mode under test.
#'
#' With fpm, swoole and swoole-sync the steps are the stateful part (swoole-sync / fpm) and the coroutine part (swoole / swoole-sync).
step_order <- function(modes) if (length(modes) < 3) modes else c(modes[1], modes[-(1:2)], modes[2])

#' What a step stands for, in words, where it is known.
step_name <- function(from, to) {
  name <- paste(to, from, sep = " / ")
  known <- c("swoole-sync / fpm" = "stateful part", "swoole / swoole-sync" = "coroutine part")
  ifelse(name %in% names(known), sprintf("%s (%s)", known[name], name), name)
}

#' Gain of every pair of modes on head, per cell, and its change against base, with 95 % CIs.
#'
#' Plain means of the logs, not trimmed ones: so the parts add up to the whole exactly.
#'
#' @return data frame: from, to, step (whether the pair is one of the steps), cell, gain, low, high, and with a base change,
#'   change_low, change_high
pair_gains <- function(design) {
  if (length(design$modes) < 2 || design$blocks < 2) return(NULL)
  path <- step_order(design$modes)
  logs <- function(revision) lapply(stats::setNames(nm = path), function(mode) log_metric(design, "goodput_rps", revision, mode))
  head <- logs("head")
  base <- if (design$has_base) logs("base")
  pairs <- utils::combn(length(path), 2, simplify = FALSE)
  out <- do.call(rbind, lapply(pairs, function(pair) {
    from <- path[pair[1]]
    to <- path[pair[2]]
    gain <- head[[to]] - head[[from]]
    rows <- do.call(rbind, lapply(seq_along(design$cells), function(j) {
      of_head <- mean_ratio(gain[, j])
      if (is.null(of_head)) return(NULL)
      row <- data.frame(from = from, to = to, step = diff(pair) == 1, cell = design$cells[j], gain = of_head[1], low = of_head[2], high = of_head[3])
      of_base <- if (!is.null(base)) mean_ratio(gain[, j] - (base[[to]] - base[[from]])[, j])
      if (!is.null(base)) row[c("change", "change_low", "change_high")] <- as.list(of_base %||% rep(NA_real_, 3))
      row
    }))
    rows
  }))
  if (is.null(out)) return(NULL)
  # Cell by cell: first the steps, then what they add up to.
  out <- out[order(match(out$cell, design$cells), !out$step), ]
  rownames(out) <- NULL
  out
}

#' exp of the mean of logs and of its 95 % t interval; NULL of fewer than two.
mean_ratio <- function(d) {
  d <- d[is.finite(d)]
  if (length(d) < 2) return(NULL)
  half <- qt(0.975, length(d) - 1) * sd(d) / sqrt(length(d))
  exp(mean(d) + c(0, -half, half))
}
