# Explains failed runs in the report, from what the measurement noted beside them.

#' Returns one note per arm: its first failed run whose server logged something, or else its first failed run.
#'
#' @return list of list(arm, cell, errors, message, log, status, body, memory_mib); missing ones are NA. Empty if
#'   run.json is missing or has no notes
failures_of <- function(run) {
  notes <- run$runs
  if (!is.data.frame(notes) || !is.data.frame(notes$failure)) return(list())
  field <- function(name, from = notes$failure) if (is.null(from[[name]])) rep(NA, nrow(notes)) else from[[name]]
  log <- field("log")
  failed <- which(!is.na(log))
  arm <- paste(notes$revision, notes$mode, sep = "/")
  answer <- field("answer")
  of_answer <- function(name) if (is.data.frame(answer)) field(name, answer) else rep(NA, nrow(notes))
  kinds <- function(i) names(notes$errors)[!is.na(unlist(notes$errors[i, ]))]
  lapply(unique(arm[failed]), function(name) {
    runs <- failed[arm[failed] == name]
    i <- c(runs[nzchar(log[runs])], runs)[1]
    list(
      arm = name, cell = paste(notes$workload[i], notes$load[i], sep = "/"), errors = kinds(i),
      message = field("message")[i], log = log[i],
      status = of_answer("status")[i], body = of_answer("body")[i], memory_mib = field("memory_mib")[i]
    )
  })
}

#' Says how the server answered a repeated request; NULL if none was sent.
answer_of <- function(failure) {
  if (is.na(failure$body)) return(NULL)
  if (is.na(failure$status)) return(paste("A repeated request got no response:", failure$body))
  sprintf("A repeated request got status %d: %s", failure$status, failure$body)
}

#' Makes the section for the report; nothing if every run succeeded. The app's words are escaped.
failures_html <- function(result) {
  failures <- failures_of(result$run)
  if (!length(failures)) return("")
  blocks <- vapply(failures, function(failure) {
    facts <- c(
      paste(failure$errors, collapse = ", "), if (!is.na(failure$message)) failure$message,
      if (!is.na(failure$memory_mib)) sprintf("It held up to %.0f MiB.", failure$memory_mib),
      answer_of(failure),
      if (nzchar(failure$log)) c("The server's log ends with:", failure$log)
    )
    text <- htmltools::htmlEscape(paste(facts, collapse = "\n"))
    sprintf("<h3>%s, %s</h3>\n\n<pre>%s</pre>\n", failure$arm, failure$cell, text)
  }, character(1))
  paste0("## Why runs failed\n\n", paste(blocks, collapse = "\n"), "\n")
}
