# Writes the title of summary and report: the verdict, and what it rests on.

TITLE_SIGNS <- c(
  pass = "\u2705", regressed = "\u274c", inconclusive = "\u2754", "not-gated" = "\u2139\ufe0f", invalid = "\u26d4",
  study = "\U1F4CA"
)

#' Returns the title.
#'
#' @param result from analyse()
#' @return a sign and words with names in code spans
title_of <- function(result) paste(TITLE_SIGNS[[title_kind(result)]], title_words(result))

#' The verdict, and for how many of the cells it holds.
title_words <- function(result) {
  cells <- cells_gated(result$design, result$run)
  paste0(
    verdict_words(result),
    if (cells$gated < cells$of) {
      sprintf(" (%d of %d cells gated: this pull request changes what the others measure)", cells$gated, cells$of)
    }
  )
}

#' Counts the cells that decide, and the cells that should. Cells that base does not have are new, so none is missing.
#'
#' @return list: gated, of
cells_gated <- function(design, run) {
  ungated <- run$ungated
  changed <- if (is.data.frame(ungated)) sum(ungated$why %in% c("redefined", "dropped")) else 0
  gated <- if (design$comparable) length(design$cells) else 0
  loads <- length(unique(sub("^.*/", "", design$cells)))
  list(gated = gated, of = gated + changed * loads)
}

#' Shortens a reason for a title: its first line, without the full stop.
first_sentence <- function(text) if (!is.null(text)) as_markdown(sub("[.]?(\n.*)?$", "", text))

title_kind <- function(result) {
  if (is_study(result$run) && result$json$verdict == "not-gated") "study" else result$json$verdict
}

verdict_words <- function(result) {
  switch(title_kind(result),
    pass = paste("Pass:", what_passed(result$decision, result$design$gate_modes)),
    regressed = paste("Regressed:", paste(what_regressed(result$decision), collapse = ", and ")),
    inconclusive = "Inconclusive: neither a pass nor a regression is proven",
    "not-gated" = paste(c("Not gated", first_sentence(result$run$commits$without_base)), collapse = ": "),
    invalid = "Invalid: this measurement cannot be trusted",
    study = "Study"
  )
}

what_passed <- function(decision, modes) {
  test <- decision$tests$goodput %||% decision$tests$instructions
  if (is.null(test)) return("the required gain is proven")
  # Where a gain fell, only the synchronous mode moved. So the title claims no gain, only that the other mode held.
  if (test$pooled$spared || any(test$cells$spared)) return(paste(code(modes[2]), "held"))
  gain <- if (is.null(decision$tests$goodput)) "the asynchronous gain in instructions" else "the asynchronous gain"
  if (!has_risen(test$pooled)) return(paste(gain, "held"))
  # The gain rose by async / sync. If their product is a loss, the slower synchronous mode is the larger part of it.
  is_loss <- test$pooled$sync_change * test$pooled$async_change < 1
  became <- if (is.null(decision$tests$goodput)) "does more work" else "became slower"
  paste0(gain, " rose", if (is_loss) sprintf(", because %s %s", code(modes[1]), became))
}

has_risen <- function(pooled) pooled$change_low > 1

has_regressed <- function(test) test$pooled$regressed || any(test$cells$regressed)

#' Clauses about everything in head that is worse than allowed.
what_regressed <- function(decision) {
  fell <- vapply(decision$tests, has_regressed, logical(1))
  slower <- unique(decision$slowdown$mode[decision$slowdown$regressed])
  found <- c(
    if (isTRUE(fell["goodput"])) {
      "the asynchronous gain fell"
    } else if (any(fell)) {
      paste("the asynchronous gain in", if (isTRUE(fell["cpu"])) "CPU time" else "instructions per request", "fell")
    },
    if (any(decision$min_gain$missed)) "the required gain is missed",
    if (length(slower)) paste(listed(code(slower)), "became slower"),
    growth_clauses(decision$growth)
  )
  broken <- broken_clauses(decision$broken)
  # If errors of head decided, nothing else was tested.
  if (!length(found) && (is.null(broken) || decision$verdict == "regressed")) found <- "head answers with errors"
  c(found, broken)
}
