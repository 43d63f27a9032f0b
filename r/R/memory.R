# Compares the memory of head's arms and its growth with base's. A proven rise is a warning.

#' The rises that cause no warning: KiB per 1,000 requests, and a share of base's peak.
GROWTH_ALLOWED <- 64
PEAK_ALLOWED <- 0.10
#' The level for each of the two quantities, over all arms and cells.
MEMORY_LEVEL <- 0.01

#' Computes peak and growth of each mode in each cell as medians, and tests whether those of head have risen.
#'
#' The tests are one-sided and paired by block (Yuen, 20 % trimmed, Holm over modes and cells).
#' Growth must exceed base's by more than GROWTH_ALLOWED, the peak base's by more than PEAK_ALLOWED.
#' Fewer than 6 pairs prove nothing.
#'
#' @return data frame, one row per cell and mode: cell, mode, peak_base, peak_head (MiB), growth_base, growth_head (KiB
#'   per 1,000 requests), peak_p, growth_p (Holm), peak_rose, growth_rose; NULL if no memory was measured
memory_rows <- function(design) {
  if (!design$blocks || all(is.na(design$samples$peak_memory_mib))) return(NULL)
  rows <- do.call(rbind, lapply(design$modes, function(mode) {
    peak <- memory_of(design, "peak_memory_mib", mode)
    growth <- memory_of(design, "memory_growth_kib_per_1k", mode)
    data.frame(
      cell = design$cells, mode = mode, peak_base = medians(peak$base), peak_head = medians(peak$head),
      growth_base = medians(growth$base), growth_head = medians(growth$head),
      peak_p = paired_p(lapply(peak, log), function(y) p_above(y, 1 + PEAK_ALLOWED)),
      growth_p = paired_p(growth, function(y) p_value((y$m - GROWTH_ALLOWED) / y$se, y$df, FALSE))
    )
  }))
  rows$peak_p <- p.adjust(rows$peak_p, "holm")
  rows$growth_p <- p.adjust(rows$growth_p, "holm")
  rows$peak_rose <- rows$peak_p < MEMORY_LEVEL
  rows$growth_rose <- rows$growth_p < MEMORY_LEVEL
  rows[order(match(rows$cell, design$cells)), ]
}

#' Returns a column of one mode as matrices [replicate, cell] of base and head. Without base, its matrix is NA.
memory_of <- function(design, column, mode) {
  head <- arm_values(design, column, "head", mode)
  list(base = if (design$has_base) arm_values(design, column, "base", mode) else head * NA, head = head)
}

#' Says which part of the memory can fail the job.
memory_gated <- function(settings) {
  if (is.null(settings$max_memory_growth)) "It gates nothing." else "`max-memory-growth` gates the peak."
}

medians <- function(x) unname(apply(x, 2, median, na.rm = TRUE))

#' Tests in each cell whether head - base exceeds what is allowed. The p of fewer than 6 pairs is 1.
paired_p <- function(x, p_of) {
  d <- x$head - x$base
  vapply(seq_len(ncol(d)), function(j) {
    pairs <- d[is.finite(d[, j]), j]
    if (length(pairs) < MIN_BLOCKS) 1 else p_of(yuen(pairs))
  }, numeric(1))
}

#' One sentence per mode whose memory rose. It names the largest rise, and prefers growth to peak.
memory_sentences <- function(rows) {
  rows <- rows[rows$growth_rose | rows$peak_rose, ]
  unlist(lapply(unique(rows$mode), function(mode) {
    risen <- rows[rows$mode == mode, ]
    growing <- risen[risen$growth_rose, ]
    where <- function(cells) {
      if (length(cells) == 1) return(paste("in", code(cells)))
      sprintf("in %d cells, most in %s", length(cells), code(cells[1]))
    }
    if (nrow(growing)) {
      growing <- growing[order(growing$growth_base - growing$growth_head), ]
      sprintf(
        "%s grows by %s KiB per 1,000 requests in head, %s in base (%s)", code(mode),
        whole_text(growing$growth_head[1]), whole_text(growing$growth_base[1]), where(growing$cell)
      )
    } else {
      risen <- risen[order(risen$peak_base / risen$peak_head), ]
      sprintf(
        "%s peaks at %s MiB in head, %s MiB in base (%s)", code(mode), rate_text(risen$peak_head[1]),
        rate_text(risen$peak_base[1]), where(risen$cell)
      )
    }
  }))
}
