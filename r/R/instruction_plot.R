# Draws the instructions per request: every count of every arm, as a percentage of the mean of base.

#' The axis spans at least the tolerance. Otherwise counts that hardly differ would fill the picture.
instruction_plot <- function(result) {
  if (is.null(result$decision$tests$instructions)) return(NULL)
  design <- result$design
  rows <- counts_of_gate(design)
  arm <- paste(rows$job, rows$cell, rows$mode, sep = "\r")
  is_base <- rows$revision == "base"
  of_base <- tapply(rows$instructions_per_request[is_base], arm[is_base], mean)
  rows$moved <- 100 * (rows$instructions_per_request / unname(of_base[arm]) - 1)
  rows <- rows[is.finite(rows$moved), ]
  rows$mode <- factor(rows$mode, design$gate_modes)
  rows$panel <- factor(sub("/", " / ", rows$cell), sub("/", " / ", design$cells))
  tolerance <- 100 * result$settings$max_regression
  plot <- ggplot2::ggplot(rows, ggplot2::aes(revision, moved, colour = mode)) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey40") +
    ggplot2::geom_point(
      position = ggplot2::position_jitterdodge(jitter.width = 0.2, dodge.width = 0.6, seed = 1), size = 2, alpha = 0.8
    ) +
    ggplot2::facet_wrap(~panel) +
    ggplot2::expand_limits(y = c(-tolerance, tolerance)) +
    ggplot2::scale_colour_manual(values = mode_colours(design$modes)) +
    ggplot2::labs(x = NULL, y = "instructions per request,\nagainst the mean of base (%)", colour = NULL) +
    bench_theme()
  list(plot = plot, alt = paste(
    "Instructions per request of every count, as a percentage above or below the mean of base in the same mode, by",
    "revision and mode, one panel per cell."
  ))
}
