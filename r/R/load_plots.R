# Draws throughput against the load: Graphs 1 and 2 of the paper.

#' Draws Graph 1 of the paper: throughput against load.
#'
#' Runs with errors are triangles. A dashed line marks each mode's best load without errors. If loads have a fixed rate,
#' the plot shows those, against the rate.
#'
#' @param best data frame: workload, mode, concurrency. If NULL, the best loads of these rows
graph1 <- function(result, best = NULL) {
  rows <- result$design$samples
  rows <- rows[rows$mode %in% result$design$modes & rows$revision == "head", ]
  rate <- fixed_rates(result)[rows$cell]
  has_rates <- !all(is.na(rate))
  if (has_rates) {
    rows <- rows[!is.na(rate), ]
    rows$concurrency <- rate[!is.na(rate)]
  }
  rows$errors <- factor(ifelse(rows$failed > 0, "with errors", "no errors"), c("no errors", "with errors"))
  rows$mode <- factor(rows$mode, result$design$modes)
  if (is.null(best) && !has_rates) best <- best_loads(rows)
  plot <- ggplot2::ggplot(rows, ggplot2::aes(concurrency, goodput_rps, colour = mode, shape = errors)) +
    (if (NROW(best)) {
      at <- ggplot2::aes(xintercept = concurrency, colour = mode)
      ggplot2::geom_vline(data = best, at, linetype = "dashed", show.legend = FALSE)
    }) +
    ggplot2::geom_point(
      position = ggplot2::position_jitterdodge(jitter.width = 0.06, dodge.width = 0.1, seed = 1), alpha = 0.8, size = 2
    ) +
    ggplot2::facet_wrap(~workload, scales = "free_y") +
    ggplot2::scale_x_log10(breaks = sort(unique(rows$concurrency))) +
    rate_axis() +
    ggplot2::scale_colour_manual(values = mode_colours(result$design$modes)) +
    ggplot2::scale_shape_manual(values = c("no errors" = 16, "with errors" = 17), drop = FALSE) +
    ggplot2::labs(
      x = if (has_rates) "rate (requests/s)" else "connections", y = "goodput (requests/s)", colour = NULL, shape = NULL
    ) +
    bench_theme()
  best_are_marked <- "; where there are three loads or more, a dashed line marks each mode's best one without errors."
  list(plot = plot, alt = paste0(
    sprintf("Goodput of each run of head against the %s, ", if (has_rates) "rate" else "number of connections"),
    "one panel per workload, one colour per mode; runs with errors are triangles",
    if (has_rates) "." else best_are_marked
  ))
}

#' The fixed rate of each cell in requests per second, by name; NA for a load without one.
fixed_rates <- function(result) {
  cells <- result$run$plan$cells
  if (!is.data.frame(cells) || is.null(cells$rate)) return(numeric())
  stats::setNames(as.numeric(cells$rate), paste(cells$workload, cells$load, sep = "/"))
}

#' Orders loads by their rates and connections, the lightest first.
loads_in_order <- function(rows, result) {
  rate <- fixed_rates(result)[rows$cell]
  unique(rows$load[order(is.na(rate), rate, rows$concurrency)])
}

#' Finds each mode's load with the highest median goodput among those without errors.
#'
#' With two loads or fewer there is no peak to mark.
#'
#' @return data frame: workload, mode, concurrency (slightly shifted, so that the lines of modes stay apart)
best_loads <- function(rows) {
  if (length(unique(rows$concurrency)) < 3) return(NULL)
  groups <- split(rows, list(rows$workload, rows$mode), drop = TRUE)
  best <- do.call(rbind, lapply(unname(groups), function(runs) {
    clean <- tapply(runs$failed, runs$concurrency, sum) == 0
    if (!any(clean)) return(NULL)
    goodput <- tapply(runs$goodput_rps, runs$concurrency, median)[clean]
    concurrency <- as.numeric(names(goodput)[which.max(goodput)])
    data.frame(workload = runs$workload[1], mode = runs$mode[1], concurrency = concurrency)
  }))
  if (!is.null(best)) best$concurrency <- best$concurrency * 1.02^(as.integer(best$mode) - 1)
  best
}

#' Draws Graph 2 of the paper: the mean throughput of the modes at each load.
#'
#' It has 95 % CIs, each run as a point, and the letters of a post-hoc test.
graph2 <- function(rows, result) {
  head <- rows[rows$revision == "head", ]
  means <- mode_means(head)
  dodge <- ggplot2::position_dodge(0.8)
  plot <- ggplot2::ggplot(means, ggplot2::aes(load, mean, fill = mode, group = mode)) +
    ggplot2::geom_col(position = dodge, width = 0.75, alpha = 0.6) +
    ggplot2::geom_errorbar(ggplot2::aes(ymin = pmax(low, 0), ymax = high), position = dodge, width = 0.2) +
    ggplot2::geom_point(
      ggplot2::aes(load, goodput_rps), head, size = 1, alpha = 0.5, show.legend = FALSE,
      position = ggplot2::position_jitterdodge(jitter.width = 0.15, dodge.width = 0.8, seed = 1)
    ) +
    ggplot2::geom_text(ggplot2::aes(y = top, label = letters), position = dodge, vjust = -0.6, size = 3.6) +
    ggplot2::facet_wrap(~workload, scales = "free_y") +
    rate_axis(above = 0.2) +
    ggplot2::scale_fill_manual(values = mode_colours(result$design$modes)) +
    ggplot2::labs(x = "load", y = "goodput (requests/s)", fill = NULL) + bench_theme()
  list(plot = plot, alt = paste(
    "Mean goodput of head by load with 95 % CIs and each run as a point, one panel per workload, one colour per mode.",
    "At a load, modes that share a letter do not provably differ (Games-Howell test, 5 %)."
  ))
}
