# Computes where the gain comes from: the gain of each pair of modes, and the steps from the reference to the other.

#' Orders the modes by steps: the reference, the modes between, the mode under test.
#'
#' With fpm, swoole and swoole-sync, the steps are the stateful part (swoole-sync / fpm) and the coroutine part (swoole
#' / swoole-sync).
step_order <- function(modes) if (length(modes) < 3) modes else c(modes[1], modes[-(1:2)], modes[2])

#' Names a step: in words if they are known, and by its modes.
#'
#' @param mark how the modes' names are written
step_name <- function(from, to, mark = identity) {
  name <- paste(to, from, sep = " / ")
  known <- c("swoole-sync / fpm" = "stateful part", "swoole / swoole-sync" = "coroutine part")
  ifelse(name %in% names(known), sprintf("%s (%s)", known[name], mark(name)), mark(name))
}

#' Computes the gain of every pair of modes on head, per cell, and its change against base, with 95 % CIs.
#'
#' Uses the blocks that the trimmed mean of the gate's pair keeps in that cell. So the product of the parts is exactly
#' the gain in the gate's table.
#'
#' @return data frame: from, to, step (whether the pair is one of the steps), cell, gain, low, high, and with a base
#'   change, change_low, change_high
pair_gains <- function(design) {
  if (length(design$modes) < 2 || design$blocks < 2) return(NULL)
  path <- step_order(design$modes)
  logs <- function(revision) {
    lapply(stats::setNames(nm = path), function(mode) log_metric(design, "goodput_rps", revision, mode))
  }
  head <- logs("head")
  base <- if (design$has_base) logs("base")
  gain_in <- function(arms, from, to) arms[[to]] - arms[[from]]
  gate <- function(arms) gain_in(arms, design$gate_modes[1], design$gate_modes[2])
  d <- if (is.null(base)) gate(head) else gate(head) - gate(base)
  rows_of_pair <- function(pair) {
    from <- path[pair[1]]
    to <- path[pair[2]]
    gain <- gain_in(head, from, to)
    change <- if (!is.null(base)) gain - gain_in(base, from, to)
    do.call(rbind, lapply(seq_along(design$cells), function(j) {
      of_head <- ratio_along(gain[, j], d[, j])
      if (is.null(of_head)) return(NULL)
      row <- data.frame(
        from = from, to = to, step = diff(pair) == 1, cell = design$cells[j],
        gain = of_head[1], low = of_head[2], high = of_head[3]
      )
      if (is.null(change)) return(row)
      row[c("change", "change_low", "change_high")] <- as.list(ratio_along(change[, j], d[, j]) %||% rep(NA_real_, 3))
      row
    }))
  }
  out <- do.call(rbind, lapply(utils::combn(length(path), 2, simplify = FALSE), rows_of_pair))
  if (is.null(out)) return(NULL)
  # In each cell the steps come first, then the gains that they multiply to.
  out <- out[order(match(out$cell, design$cells), !out$step), ]
  rownames(out) <- NULL
  out
}

#' Returns exp of the centre of y and of its 95 % limits, over the blocks that d keeps; NULL if there are too few.
ratio_along <- function(y, d) {
  centre <- yuen_along(y, d)
  if (!is.null(centre)) unlist(ratio_ci(centre), use.names = FALSE)
}
