# Memory of the arms and its growth, head against base. A rise is warned of where it is proven.

#' Rises up to these sizes are not warned of: KiB per 1,000 requests, and a share of base's peak.
GROWTH_ALLOWED <- 64
PEAK_ALLOWED <- 0.10
#' Over all arms and cells, for each of the two quantities.
MEMORY_LEVEL <- 0.01

#' Medians of peak and growth of each mode in each cell, and whether head's are proven to have risen.
#'
#' One-sided paired tests of the blocks (Yuen, 20 % trimmed, Holm over modes and cells). They ask whether head's growth
#' minus base's exceeds GROWTH_ALLOWED, and head's peak / base's exceeds 1 + PEAK_ALLOWED. Fewer than 6 pairs prove
#' nothing.
#'
#' @return data frame, a row per cell and mode: cell, mode, peak_base, peak_head (MiB), growth_base, growth_head (KiB
#'   per 1,000 requests), peak_p, growth_p (Holm), peak_rose, growth_rose; NULL where no memory was measured
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

#' A column of one mode as matrices [replicate, cell] of base and head; base is NA where there is none.
memory_of <- function(design, column, mode) {
  head <- arm_values(design, column, "head", mode)
  list(base = if (design$has_base) arm_values(design, column, "base", mode) else head * NA, head = head)
}

#' What of the memory can fail the job.
memory_gated <- function(settings) {
  if (is.null(settings$max_memory_growth)) "It gates nothing." else "`max-memory-growth` gates the peak."
}

medians <- function(x) unname(apply(x, 2, median, na.rm = TRUE))

#' p of each cell that head - base is above what the test allows; 1 of fewer than 6 pairs.
paired_p <- function(x, p_of) {
  d <- x$head - x$base
  vapply(seq_len(ncol(d)), function(j) {
    pairs <- d[is.finite(d[, j]), j]
    if (length(pairs) < MIN_BLOCKS) 1 else p_of(yuen(pairs))
  }, numeric(1))
}

#' A sentence for each mode whose memory rose: its largest rise, growth before peak.
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
