# Draws the plots with ggpubr, in the colours of Okabe and Ito (2008), which colour-blind readers can distinguish.
# Studies of more than six modes need the last ones, of Paul Tol's "muted" scheme.

SYNC_COLOUR <- "#E69F00"
ASYNC_COLOUR <- "#0072B2"
OTHER_COLOURS <- c(
  "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000", "#F0E442",
  "#332288", "#999933", "#882255", "#44AA99", "#999999"
)

mode_colours <- function(modes) {
  stats::setNames(c(SYNC_COLOUR, ASYNC_COLOUR, OTHER_COLOURS)[seq_along(modes)], modes)
}

bench_theme <- function() {
  ggpubr::theme_pubr(base_size = 12, legend = "bottom") +
    ggplot2::theme(strip.background = ggplot2::element_blank(), strip.text = ggplot2::element_text(face = "bold"))
}

#' Makes an axis for rates, which begins at 0.
#'
#' @param above the room above the highest value, as a share of the axis
rate_axis <- function(above = 0.05) {
  thousands <- function(x) format(x, big.mark = ",", scientific = FALSE, trim = TRUE)
  ggplot2::scale_y_continuous(limits = c(0, NA), labels = thousands, expand = ggplot2::expansion(mult = c(0.05, above)))
}

#' Returns every plot that the data allow, by file name, with its alternative text.
plots <- function(result) {
  if (is_work(result)) return(work_plots(result))
  rows <- counted(result$design)
  if (!nrow(rows)) return(list())
  rows$load <- factor(rows$load, loads_in_order(rows, result))
  out <- list(throughput_by_load = graph1(result), gain_by_load = graph2(rows, result))
  if (!is.null(result$decision$tests$goodput)) out$changes <- forest(result)
  out$instructions <- instruction_plot(result)
  out$parts <- parts(result)
  out$latency <- metric_plot(rows, "p95_ms", "95th percentile latency (ms), closed loop", result)
  out$cpu <- metric_plot(rows, "cpu_us_per_request", "CPU time per successful request (\u00b5s)", result)
  out$memory <- metric_plot(rows, "peak_memory_mib", "Peak memory of web server and PHP (MiB)", result)
  out$memory_growth <- metric_plot(rows, "memory_growth_kib_per_1k", "Memory growth (KiB per 1,000 requests)", result)
  Filter(Negate(is.null), out)
}

work_plots <- function(result) {
  if (is.null(first_test(result))) return(list())
  list(changes = forest(result), instructions = instruction_plot(result))
}

#' Draws the parts of the gain: for each cell a staircase from 1 to the whole gain, on a log scale.
parts <- function(result) {
  pairs <- pair_gains(result$design)
  if (is.null(pairs) || length(result$design$modes) < 3) return(NULL)
  steps <- pairs[pairs$step, ]
  steps$part <- factor(step_name(steps$from, steps$to), unique(step_name(steps$from, steps$to)))
  steps$start <- ave(log(steps$gain), steps$cell, FUN = function(x) cumsum(x) - x)
  steps$cell <- factor(steps$cell, rev(result$design$cells))
  # Each part gets its own line. On one line, a loss would hide behind the gain that it undoes.
  n <- nlevels(steps$part)
  steps$y <- as.integer(steps$cell) + (n / 2 + 0.5 - as.integer(steps$part)) * 0.6 / n
  steps$from_x <- exp(steps$start)
  steps$to_x <- steps$from_x * steps$gain
  steps$low_x <- steps$from_x * steps$low
  steps$high_x <- steps$from_x * steps$high
  steps$label <- ratio_text(steps$gain)
  plot <- ggplot2::ggplot(steps, ggplot2::aes(colour = part)) +
    ggplot2::geom_vline(xintercept = 1, colour = "grey40") +
    ggplot2::geom_segment(ggplot2::aes(x = from_x, xend = to_x, y = y, yend = y), linewidth = 5) +
    ggplot2::geom_errorbar(
      ggplot2::aes(xmin = low_x, xmax = high_x, y = y), orientation = "y", width = 0.12, colour = "black"
    ) +
    ggplot2::geom_text(
      ggplot2::aes(x = pmax(from_x, to_x, high_x), y = y, label = label), hjust = -0.25, size = 3.6, colour = "black"
    ) +
    ggplot2::scale_x_log10(
      labels = function(x) paste0(format(x, trim = TRUE, drop0trailing = TRUE), "x"),
      expand = ggplot2::expansion(mult = c(0.05, 0.12))
    ) +
    ggplot2::scale_y_continuous(breaks = seq_along(levels(steps$cell)), labels = sub("/", " / ", levels(steps$cell))) +
    ggplot2::scale_colour_manual(values = OTHER_COLOURS[seq_len(n)]) +
    ggplot2::labs(
      x = "goodput on head, as a multiple of the reference (log scale), with 95 % CI of each part", y = NULL,
      colour = NULL
    ) +
    bench_theme()
  list(plot = plot, alt = paste(
    "For each cell the parts of the gain as a staircase on a log scale: each bar begins where the one before it ended,",
    "and the last ends at the whole gain."
  ))
}

#' Draws the change of the gain with 95 % CIs, against the tolerance and the resolution.
forest <- function(result) {
  cells <- first_test(result)$cells
  pooled <- first_test(result)$pooled
  rows <- rbind(
    data.frame(
      cell = sub("/", " / ", cells$cell), change = cells$change, low = cells$change_low, high = cells$change_high,
      kind = "cell"
    ),
    # With one cell, the pool would repeat it.
    if (nrow(cells) > 1) {
      data.frame(
        cell = "all cells", change = pooled$change, low = pooled$change_low, high = pooled$change_high,
        kind = "all cells"
      )
    }
  )
  rows$cell <- factor(rows$cell, rev(rows$cell))
  to_percent <- function(x) 100 * (x - 1)
  names <- c("no change", "tolerance (max-regression)", "resolution")
  lines <- data.frame(
    x = c(0, -100 * result$settings$max_regression, -100 * result$settings$resolution), line = factor(names, names)
  )
  plot <- ggplot2::ggplot(rows, ggplot2::aes(to_percent(change), cell)) +
    ggplot2::geom_vline(data = lines, ggplot2::aes(xintercept = x, linetype = line), colour = "grey40") +
    ggplot2::geom_errorbar(
      ggplot2::aes(xmin = to_percent(low), xmax = to_percent(high)),
      orientation = "y", width = 0.2, colour = ASYNC_COLOUR
    ) +
    ggplot2::geom_point(ggplot2::aes(size = kind), colour = ASYNC_COLOUR) +
    ggplot2::scale_size_manual(values = c(cell = 2.5, "all cells" = 4), guide = "none") +
    ggplot2::scale_linetype_manual(values = c("solid", "dashed", "dotted")) +
    ggplot2::labs(x = "change of the gain, head against base (%), with 95 % CI", y = NULL, linetype = NULL) +
    bench_theme()
  list(plot = plot, alt = paste(
    "Change of the gain in each cell and over all cells with 95 % confidence intervals, and lines at no change,",
    "the tolerance and the resolution."
  ))
}

metric_plot <- function(rows, column, label, result) {
  rows <- rows[is.finite(rows[[column]]), ]
  if (!nrow(rows)) return(NULL)
  rows$value <- rows[[column]]
  rows$revision <- droplevels(rows$revision)
  # Each load has its own scale, because latencies of a light and a heavy load do not fit one axis.
  plot <- ggpubr::ggstripchart(
    rows, x = "revision", y = "value", color = "mode", palette = unname(mode_colours(result$design$modes)), size = 1.6,
    position = ggplot2::position_jitterdodge(jitter.width = 0.2, dodge.width = 0.7, seed = 1)
  ) +
    ggplot2::stat_summary(
      ggplot2::aes(group = mode), fun = median, fun.min = median, fun.max = median, geom = "crossbar",
      position = ggplot2::position_dodge(0.7), width = 0.5, linewidth = 0.3, colour = "black"
    ) +
    ggplot2::facet_wrap(
      ggplot2::vars(workload, load), scales = "free_y", nrow = 1,
      labeller = function(labels) ggplot2::label_value(labels, multi_line = FALSE)
    ) +
    ggplot2::expand_limits(y = 0) +
    ggplot2::labs(x = NULL, y = label, color = NULL) + bench_theme()
  alt <- paste0(label, " of every run by revision and mode, one panel per cell; the line is the median.")
  list(plot = plot, alt = alt)
}

#' Writes the plots as PNG files.
#'
#' @return data frame: name, alt
save_plots <- function(plots, directory) {
  dir.create(directory, showWarnings = FALSE, recursive = TRUE)
  save <- function(name) {
    # In a child process a warning would be lost, so it becomes an error.
    old <- options(warn = 2)
    on.exit(options(old))
    tryCatch(
      {
        file <- file.path(directory, paste0(name, ".png"))
        ggplot2::ggsave(file, plots[[name]]$plot, width = 9, height = 4.5, dpi = 110, bg = "white")
        TRUE
      },
      error = conditionMessage
    )
  }
  if (!length(plots)) return(data.frame(name = character(), alt = character()))
  # Drawing takes longer than the rest of the analysis, so all processors draw.
  drawn <- parallel::mclapply(names(plots), save, mc.cores = parallel::detectCores(), mc.preschedule = FALSE)
  failed <- which(!vapply(drawn, isTRUE, logical(1)))
  if (length(failed)) stop("the plot ", names(plots)[failed[1]], " could not be drawn: ", drawn[[failed[1]]])
  data.frame(name = names(plots), alt = vapply(plots, `[[`, character(1), "alt"))
}
