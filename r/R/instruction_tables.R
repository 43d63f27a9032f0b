# Makes the tables of instructions per request, for the summary (folded away) and for the report.

#' Means of the arms and the change of the gain, one row per cell and mode; NULL if nothing was counted.
instruction_table <- function(result, text = identity) {
  test <- result$decision$tests$instructions
  if (is.null(test)) return(NULL)
  counts <- counts_of_gate(result$design)
  modes <- result$design$gate_modes
  rows <- expand.grid(mode = modes, cell = test$cells$cell, stringsAsFactors = FALSE)
  of <- function(revision, statistic) {
    vapply(seq_len(nrow(rows)), function(i) {
      is_of_row <- counts$cell == rows$cell[i] & counts$mode == rows$mode[i] & counts$revision == revision
      statistic(counts$instructions_per_request[is_of_row])
    }, numeric(1))
  }
  spread <- function(x) stats::sd(x) / mean(x)
  cells <- test$cells[match(rows$cell, test$cells$cell), ]
  # All rows of a cell have the same change, so only the first row shows it.
  of_cell <- function(value) ifelse(rows$mode == modes[1], value, "")
  data.frame(
    "workload/load" = text(rows$cell), mode = text(rows$mode), base = whole_text(of("base", mean)),
    head = whole_text(of("head", mean)),
    "head / base" = signed(of("head", mean) / of("base", mean)),
    "CV of counts" = percent(pmax(of("base", spread), of("head", spread)), 2),
    "change of the gain (95 % CI)" = of_cell(with_ci(signed, cells$change, cells$change_low, cells$change_high)),
    check.names = FALSE
  )
}

#' One row per count.
count_table <- function(result) {
  if (is.null(result$decision$tests$instructions)) return(NULL)
  rows <- counts_of_gate(result$design)
  rows <- rows[order(rows$job, match(rows$cell, result$design$cells), rows$repetition, rows$position), ]
  data.frame(
    cell = rows$cell, arm = paste(rows$revision, rows$mode), job = rows$job,
    repetition = as.character(rows$repetition), connections = as.character(rows$concurrency),
    requests = whole_text(rows$requests), "instructions per request" = whole_text(rows$instructions_per_request),
    "counted by" = rows$tool, check.names = FALSE
  )
}

instruction_lines <- function(result) {
  table <- instruction_table(result, code)
  if (is.null(table)) return(NULL)
  counts <- counts_of_gate(result$design)
  tools <- c(perf = "perf", valgrind = "Valgrind")[unique(counts$tool)]
  table[-(1:2)] <- lapply(table[-(1:2)], tight)
  c(
    sprintf(
      "<details><summary>Instructions per request, counted by %s, %d times each</summary>", listed(tools),
      max(base::table(paste(counts$job, counts$cell, counts$mode, counts$revision)))
    ),
    "", markdown_table(table, "llrrrrr"), "</details>", ""
  )
}
