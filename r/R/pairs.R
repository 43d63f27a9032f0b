# Where the gain comes from: the gain of each pair of modes.

#' Gain of every pair of modes on head, per cell, with its 95 % CI. On the log scale the parts add up to the whole.
pair_gains <- function(design) {
  if (length(design$modes) < 2 || design$blocks < 2) return(NULL)
  pairs <- utils::combn(design$modes, 2, simplify = FALSE)
  out <- lapply(pairs, function(pair) {
    log_gain <- log_metric(design, "goodput_rps", "head", pair[2]) - log_metric(design, "goodput_rps", "head", pair[1])
    do.call(rbind, lapply(seq_along(design$cells), function(j) {
      d <- log_gain[is.finite(log_gain[, j]), j]
      if (length(d) < 2) return(NULL)
      # The plain mean: trimmed means of the parts would not add up.
      half <- qt(0.975, length(d) - 1) * sd(d) / sqrt(length(d))
      data.frame(
        from = pair[1], to = pair[2], cell = design$cells[j], gain = exp(mean(d)),
        low = exp(mean(d) - half), high = exp(mean(d) + half)
      )
    }))
  })
  do.call(rbind, out)
}
