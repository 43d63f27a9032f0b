# Reads samples.csv. It refuses malformed input with file, line and column.

#' The columns of samples.csv in order, with their types.
#'
#' These files also come from strangers, so a name has only characters that need no escaping anywhere.
#' A time has digits and the signs between them. A count is a whole number >= 0, a measure a number >= 0.
#' An optional is a measure or empty, a signed a number or empty.
#' entrypoint/measure/samples.ts writes them. A test compares the two lists.
SAMPLE_COLUMNS <- c(
  job = "name", block = "count", position = "count", workload = "name", load = "name", concurrency = "count",
  revision = "name", mode = "name", started_at = "time", duration_s = "measure", requests = "count",
  succeeded = "count", failed = "count", goodput_rps = "measure", p50_ms = "optional", p95_ms = "optional",
  p99_ms = "optional", max_ms = "optional", cpu_us_per_request = "optional", peak_memory_mib = "optional",
  memory_growth_kib_per_1k = "signed", half_ratio = "optional", attempt = "count"
)

#' Limits of lines and cells. Without them, a stranger's file could cost hours.
#'
#' A job of six hours has less than 10,000 runs, and a configuration has up to 20 workloads.
LINES_LIMIT <- 200000L
CELLS_LIMIT <- 400L

#' Stops with a message for the person who wrote the input. The command line exits with 2.
input_error <- function(...) {
  stop(structure(class = c("input_error", "error", "condition"), list(message = paste0(...), call = NULL)))
}

#' Reads one or more samples.csv.
#'
#' @param files paths
#' @param modes modes that must be there, or NULL for those that are there
#' @param known further modes that may be there; NULL if there are none
#' @return data frame, one row per run, with the columns of SAMPLE_COLUMNS and `cell` (workload/load)
#' @section Errors: input_error naming file, line and column
read_samples <- function(files, modes = NULL, known = NULL) {
  samples <- do.call(rbind, lapply(files, read_one))
  silent <- setdiff(files, samples$file)
  if (length(silent) && nrow(samples)) input_error(silent[1], ": contains no runs, and other files do")
  if (!is.null(modes) && nrow(samples)) {
    allowed <- union(modes, known)
    stray <- which(!samples$mode %in% allowed)
    if (length(stray)) {
      first <- samples[stray[1], ]
      input_error(
        first$file, ":", first$line, ": column mode: found \"", first$mode, "\", allowed: ",
        paste(allowed, collapse = ", ")
      )
    }
    unknown <- setdiff(modes, samples$mode)
    if (length(unknown)) {
      found <- paste(unique(samples$mode), collapse = ", ")
      input_error("modes: no run of ", paste(unknown, collapse = ", "), "; found: ", found)
    }
  }
  identity <- c("job", "block", "workload", "load", "revision", "mode", "attempt")
  key <- do.call(paste, c(unname(samples[identity]), sep = "\r"))
  twice <- which(duplicated(key))
  if (length(twice)) {
    first <- samples[twice[1], ]
    input_error(
      first$file, ":", first$line, ": duplicate run: job ", first$job, ", block ", first$block, ", ",
      first$workload, "/", first$load, ", ", first$revision, " ", first$mode, ", attempt ", first$attempt
    )
  }
  check_together(samples)
  samples$cell <- paste(samples$workload, samples$load, sep = "/")
  refuse_many_cells(samples)
  samples
}

refuse_many_cells <- function(rows) {
  cells <- length(unique(rows$cell))
  if (cells > CELLS_LIMIT) input_error(cells, " cells (workload and load), at most ", CELLS_LIMIT, " are analysed")
}

#' Reads one file. In `profile: work` it has no runs, but there are counts beside it.
read_one <- function(file) {
  has_counts <- basename(file) == "samples.csv" && file.exists(file.path(dirname(file), "instructions.csv"))
  samples <- read_rows(file, SAMPLE_COLUMNS, may_be_empty = has_counts)
  check_meaning(samples, file)
  samples
}

#' Reads a file of comma-separated values without quotes, and checks each column by its type.
#'
#' @param columns types by name, in the order of the file
#' @param what what the rows are, for the message about a file without any
#' @param may_be_empty whether a file may have only the header
#' @return data frame with these columns, and `file` and `line`
read_rows <- function(file, columns, what = "runs", may_be_empty = FALSE) {
  if (!file.exists(file)) input_error(file, ": not found")
  if (any(readBin(file, "raw", file.size(file)) == 0)) input_error(file, ": not UTF-8 text: it contains NUL bytes")
  lines <- tryCatch(
    readLines(file, warn = FALSE, encoding = "UTF-8"),
    error = function(e) input_error(file, ": cannot be read as text")
  )
  if (length(lines) > LINES_LIMIT) input_error(file, ": ", length(lines), " lines, at most ", LINES_LIMIT, " are read")
  bad <- which(!validUTF8(lines))
  if (length(bad)) input_error(file, ":", bad[1], ": not UTF-8 text")
  lines <- sub("\r$", "", lines)
  lines <- sub("^\ufeff", "", lines)
  lines <- lines[nzchar(lines)]
  expected <- paste(names(columns), collapse = ",")
  if (!length(lines) || lines[1] != expected) {
    found <- if (length(lines)) substr(lines[1], 1, 200) else "nothing"
    input_error(file, ":1: wrong header. Expected: ", expected, ". Found: ", found)
  }
  body <- lines[-1]
  if (!length(body) && !may_be_empty) input_error(file, ": contains no ", what)
  # The full stop keeps an empty last column. gregexpr() would take time that grows with the square of a line's length.
  fields <- strsplit(paste0(body, rep(",.", length(body))), ",", fixed = TRUE)
  width <- lengths(fields) - 1L
  bad <- which(width != length(columns))
  if (length(bad)) {
    input_error(file, ":", bad[1] + 1, ": ", width[bad[1]], " columns, expected ", length(columns))
  }
  fields <- matrix(as.character(unlist(fields, use.names = FALSE)), ncol = length(columns) + 1, byrow = TRUE)
  values <- lapply(seq_along(columns), function(i) convert(fields[, i], columns[[i]], names(columns)[i], file))
  names(values) <- names(columns)
  rows <- as.data.frame(values, stringsAsFactors = FALSE)
  rows$file <- rep(file, nrow(rows))
  rows$line <- seq_len(nrow(rows)) + 1L
  rows
}

#' Converts one column of text to its type. Numbers have the C notation in every locale.
convert <- function(text, type, column, file) {
  refuse <- function(wrong, allowed) {
    if (any(wrong)) {
      at <- which(wrong)[1]
      found <- substr(text[at], 1, 60)
      input_error(file, ":", at + 1, ": column ", column, ": found \"", found, "\", allowed: ", allowed)
    }
  }
  if (type == "name") {
    refuse(!grepl("^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$", text), "1 to 80 letters, digits, '.', '_' and '-'")
    return(text)
  }
  if (type == "time") {
    refuse(!grepl("^[0-9][0-9TZ:.+-]{0,39}$", text), "a time such as 2026-01-31T12:00:00.000Z")
    return(text)
  }
  is_empty <- text == ""
  # as.numeric() alone would also accept hexadecimal numbers, "Inf" and blanks.
  is_number <- grepl("^-?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?$", text)
  may_be_empty <- type %in% c("optional", "signed")
  refuse(!is_number & !(is_empty & may_be_empty), if (may_be_empty) "a number or nothing" else "a number")
  value <- rep(NA_real_, length(text))
  value[is_number] <- as.numeric(text[is_number])
  if (type != "signed") refuse(!is.na(value) & value < 0, "0 or more")
  if (type == "count") refuse(value != round(value), "a whole number")
  refuse(!is.na(value) & !is.finite(value), "a finite number")
  value
}

check_meaning <- function(samples, file) {
  check_rows(samples, function(wrong, column, allowed) {
    at <- which(wrong)[1]
    if (is.na(at)) return(invisible())
    found <- samples[[column]][at]
    input_error(file, ":", samples$line[at], ": column ", column, ": found \"", found, "\", allowed: ", allowed)
  })
}
