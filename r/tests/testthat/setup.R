fixture <- function(name) file.path(Sys.getenv("APB_R_HOME"), "tests", "fixtures", name)

#' Rows as read_samples() gives them, from a table of block, cell, rev, mode and x.
samples_from <- function(table, cpu = NA_real_) {
  data.frame(
    job = if (is.null(table$job)) "1" else table$job, block = table$block, position = 1, workload = sub("/.*", "", table$cell),
    load = sub(".*/", "", table$cell), concurrency = 8, revision = table$rev, mode = table$mode, started_at = "2026-01-01T00:00:00Z",
    duration_s = 2, requests = 1000, succeeded = 1000, failed = 0, goodput_rps = table$x, p50_ms = 1, p95_ms = 2, p99_ms = 3, max_ms = 4,
    cpu_us_per_request = cpu, peak_memory_mib = 10, memory_growth_kib_per_1k = 0, half_ratio = NA_real_, attempt = 1,
    cell = table$cell, stringsAsFactors = FALSE
  )
}

#' A simulated job: the recipe of the operating characteristics.
#'
#' Each run lognormal with CV 2 %, a shared AR(1) of SD 5 % with coefficient 0.9 from run to run, 3 % of the runs slowed
#' by 20-50 %; arms in balanced quads.
#' @param effect factor of head's async arm, by cell
simulate <- function(blocks, effect = c(1, 1, 1, 1), jobs = "1") {
  cells <- c("fibonacci/medium", "fibonacci/high", "invoice/medium", "invoice/high")[seq_along(effect)]
  rows <- list()
  noise <- rnorm(1, 0, 0.05)
  for (job in jobs) for (block in seq_len(blocks)) for (cell in sample(cells)) {
    diagonal <- sample(c("head swoole", "base fpm"))
    other <- sample(c("head fpm", "base swoole"))
    order <- if (runif(1) < 0.5) c(diagonal[1], other, diagonal[2]) else c(other[1], diagonal, other[2])
    for (arm in order) {
      noise <- 0.9 * noise + rnorm(1, 0, 0.05 * sqrt(1 - 0.81))
      part <- strsplit(arm, " ")[[1]]
      gain <- if (part[2] == "swoole") 1.3 else 1
      slow <- if (runif(1) < 0.03) 1 - runif(1, 0.2, 0.5) else 1
      x <- 100 * gain * slow * exp(noise + rnorm(1, 0, 0.02)) * if (arm == "head swoole") effect[match(cell, cells)] else 1
      rows[[length(rows) + 1]] <- data.frame(job = job, block = block, cell = cell, rev = part[1], mode = part[2], x = x)
    }
  }
  samples_from(do.call(rbind, rows))
}

modes <- c("fpm", "swoole")
