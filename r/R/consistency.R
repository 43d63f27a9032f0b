# Refuses a samples.csv whose columns contradict each other.

#' How far goodput may differ from succeeded / duration, as a share. The writer rounds both.
GOODPUT_TOLERANCE <- 0.005
#' The largest number that is read. No machine measures more, and larger ones overflow in sums of squares.
LARGEST_MEASURE <- 1e12

#' Compares the columns of each row.
#'
#' @param refuse called with a logical per row, a column and what is allowed
check_rows <- function(samples, refuse) {
  refuse(!samples$revision %in% c("base", "head"), "revision", "base or head")
  refuse(samples$duration_s <= 0, "duration_s", "above 0")
  refuse(samples$succeeded + samples$failed != samples$requests, "requests", "succeeded + failed")
  refuse(samples$attempt < 1, "attempt", "1 or more")
  refuse(samples$goodput_rps > 0 & samples$succeeded == 0, "goodput_rps", "0 if no request succeeded")
  # A run that failed completely has goodput 0, even if some requests succeeded before.
  differs <- abs(samples$goodput_rps * samples$duration_s - samples$succeeded) > GOODPUT_TOLERANCE * samples$succeeded
  refuse(samples$goodput_rps > 0 & differs, "goodput_rps", "succeeded / duration_s")
  arms <- nrow(unique(samples[c("revision", "mode")]))
  refuse(samples$position < 1 | samples$position > arms, "position", paste("1 to", arms, "(the arms of this file)"))
  for (column in names(SAMPLE_COLUMNS)[SAMPLE_COLUMNS %in% c("count", "measure", "optional")]) {
    refuse(!is.na(samples[[column]]) & samples[[column]] > LARGEST_MEASURE, column, paste("at most", LARGEST_MEASURE))
  }
}

#' Compares the rows of all files with each other.
#'
#' @section Errors: input_error naming file, line and column
check_together <- function(samples) {
  at <- function(row) paste0(samples$file[row], ":", samples$line[row])
  cell <- paste(samples$workload, samples$load, sep = "/")
  first <- match(cell, cell)
  differs <- which(samples$concurrency != samples$concurrency[first])
  if (length(differs)) {
    row <- differs[1]
    input_error(
      at(row), ": column concurrency: found \"", samples$concurrency[row], "\", allowed: ",
      samples$concurrency[first[row]], ", as ", cell[row], " has at ", at(first[row])
    )
  }
  jobs <- unique(samples$job)
  number <- suppressWarnings(as.numeric(jobs))
  same <- which(!is.na(number) & duplicated(number))
  if (length(same)) {
    row <- match(jobs[same[1]], samples$job)
    input_error(
      at(row), ": column job: found \"", jobs[same[1]], "\", allowed: another number than job \"",
      jobs[match(number[same[1]], number)], "\" has"
    )
  }
}

#' One sentence per pair of jobs with the same numbers. One file that is given under two names would count twice.
twin_sentences <- function(samples) {
  parts <- split(samples, samples$job)
  if (length(parts) < 2) return(NULL)
  print_of <- vapply(parts, function(rows) {
    rows <- rows[order(rows$block, rows$cell, rows$revision, rows$mode, rows$attempt), ]
    paste(rows$block, rows$cell, rows$revision, rows$mode, format(rows$goodput_rps, digits = 10), collapse = "\r")
  }, "")
  twin <- which(duplicated(print_of))
  original <- names(parts)[match(print_of[twin], print_of)]
  sprintf("Jobs %s and %s have the same numbers: was one file given twice?", code(original), code(names(parts)[twin]))
}
