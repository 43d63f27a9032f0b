# Reads instructions.csv: the instructions per request, counted for each arm. The file is optional, beside samples.csv.

#' The columns of instructions.csv in order, with their types (see SAMPLE_COLUMNS).
#'
#' entrypoint/measure/instructions/counts.ts writes them. A test compares the two lists.
COUNT_COLUMNS <- c(
  job = "name", repetition = "count", position = "count", workload = "name", load = "name", concurrency = "count",
  revision = "name", mode = "name", requests = "count", instructions = "count", instructions_per_request = "measure",
  tool = "name"
)

#' How far the quotient may differ from instructions / requests, as a share. The writer rounds it.
QUOTIENT_TOLERANCE <- 1e-6

#' Reads the instructions.csv beside each samples.csv, if there is one.
#'
#' @param samples from read_samples()
#' @param files paths of the samples
#' @return data frame, one row per count, with `cell`; or NULL
#' @section Errors: input_error naming file, line and column
read_counts <- function(samples, files) {
  beside <- file.path(dirname(files[basename(files) == "samples.csv"]), "instructions.csv")
  beside <- unique(beside[file.exists(beside)])
  if (!length(beside)) return(NULL)
  # If nothing else was measured, the folder must have the file, even without any count in it.
  counts <- do.call(rbind, lapply(beside, read_rows, COUNT_COLUMNS, "counts", may_be_empty = !nrow(samples)))
  counts$cell <- paste(counts$workload, counts$load, sep = "/")
  refuse_many_cells(counts)
  check_counts(counts, samples)
  counts
}

check_counts <- function(counts, samples) {
  refuse <- function(wrong, column, allowed) {
    at <- which(wrong)[1]
    if (is.na(at)) return(invisible())
    row <- counts[at, ]
    input_error(row$file, ":", row$line, ": column ", column, ": found \"", row[[column]], "\", allowed: ", allowed)
  }
  refuse(!counts$revision %in% c("base", "head"), "revision", "base or head")
  refuse(!counts$tool %in% c("perf", "valgrind"), "tool", "perf or valgrind")
  for (column in if (nrow(samples)) c("job", "cell", "mode")) {
    allowed <- unique(samples[[column]])
    refuse(!counts[[column]] %in% allowed, column, paste("what samples.csv has:", paste(allowed, collapse = ", ")))
  }
  for (column in c("repetition", "position", "requests", "instructions")) {
    refuse(counts[[column]] < 1, column, "1 or more")
    refuse(counts[[column]] > 1e15, column, "at most 1e15")
  }
  quotient <- counts$instructions / counts$requests
  differs <- abs(counts$instructions_per_request - quotient) > QUOTIENT_TOLERANCE * quotient
  refuse(differs, "instructions_per_request", "instructions / requests")
  arms <- nrow(unique(counts[c("revision", "mode")]))
  refuse(counts$position > arms, "position", paste("1 to", arms, "(the arms of this file)"))
  key <- function(...) do.call(paste, c(unname(counts[c(...)]), sep = "\r"))
  refuse(duplicated(key("job", "repetition", "cell", "revision", "mode")), "repetition", "one count for each arm")
  refuse(duplicated(key("job", "repetition", "cell", "position")), "position", "another one for each arm")
  # Base and head must be counted in the same way. Otherwise the way of counting would make the difference.
  first <- match(key("job", "cell", "mode"), key("job", "cell", "mode"))
  for (column in c("requests", "concurrency", "tool")) {
    value <- counts[[column]]
    refuse(value != value[first], column, "the same in every count of a mode")
  }
}
