# Reads checks.json, the findings about an app that stays in memory, and adds them to the verdict.

#' The checks in the order of the table, each with the clause for a title if it is broken. Those with NA cannot break.
CHECK_CLAUSES <- c(
  leak = "%s leaks memory", state = "requests leave state behind in %s", blocking = "a call blocks the workers of %s",
  "cold-start" = "%s starts slower", reload = "%s loses requests when it is reloaded or ended",
  recycle = "%s loses requests when it replaces a worker",
  pool = "%s fails with more connections than instances", answers = NA, waiting = NA
)
CHECK_STATES <- c("held", "broken", "not-checked")
CHECK_LEVELS <- c("fail", "warn", "off")

#' Reads the checks.json beside each samples.csv, if there is one. entrypoint/checks/check-production.ts writes it.
#'
#' @param files paths of the samples
#' @return list: seconds, allowed_s (sums), rows (data frame, one row per check, mode, workload and revision: check,
#'   level, mode, revision, workload, route, state, sentence, shown, is_new, is_owed); or NULL
#' @section Errors: input_error naming the file, what was found and what is allowed
read_production <- function(files) {
  beside <- file.path(dirname(files[basename(files) == "samples.csv"]), "checks.json")
  beside <- unique(beside[file.exists(beside)])
  if (!length(beside)) return(NULL)
  read <- lapply(beside, read_checks)
  sum_of <- function(name) sum(vapply(read, `[[`, 1, name))
  list(
    seconds = sum_of("seconds"), allowed_s = sum_of("allowed_s"), rows = do.call(rbind, lapply(read, `[[`, "rows"))
  )
}

read_checks <- function(file) {
  text <- paste(readLines(file, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  found <- tryCatch(
    jsonlite::parse_json(text),
    error = function(e) input_error(file, ": not JSON: ", sub("\n.*", "", conditionMessage(e)))
  )
  check <- checker(file)
  check$that("schema", found$schema, function(x) is_number(x) && x == 1, "1")
  for (name in c("seconds", "allowed_s")) check$that(name, found[[name]], is_number, "a number")
  levels <- found$levels
  check$that("levels", levels, function(x) is.list(x) && all(unlist(x) %in% CHECK_LEVELS), "fail, warn or off each")
  rows <- lapply(found$findings, function(finding) {
    one_of <- function(allowed) function(x) is_text(x) && x %in% allowed
    check$that("findings: check", finding$check, one_of(names(CHECK_CLAUSES)), listed(names(CHECK_CLAUSES)))
    check$that("findings: state", finding$state, one_of(CHECK_STATES), listed(CHECK_STATES))
    check$that("findings: revision", finding$revision, one_of(c("base", "head")), "base or head")
    for (name in c("mode", "sentence")) check$that(paste("findings:", name), finding[[name]], is_text, "a text")
    for (name in c("workload", "route", "shown")) {
      check$that(paste("findings:", name), finding[[name]], or_null(is_text), "a text or null")
    }
    check$that("findings: isOwed", finding$isOwed, or_null(isTRUE), "true or nothing")
    check$that("findings: isNew", finding$isNew, function(x) isTRUE(x) || isFALSE(x), "true or false")
    data.frame(
      check = finding$check, level = levels[[finding$check]] %||% "off", mode = finding$mode,
      revision = finding$revision, workload = finding$workload %||% "", route = finding$route %||% "",
      state = finding$state, sentence = finding$sentence, shown = finding$shown %||% "", is_new = finding$isNew,
      is_owed = isTRUE(finding$isOwed)
    )
  })
  list(seconds = found$seconds, allowed_s = found$allowed_s, rows = do.call(rbind, rows))
}

#' Adds the checks to a result. A break that only head has is a regression if the check's level is fail.
#'
#' Without a check that such a level requires, there is no pass: the pull request could have prevented it.
#' A measurement that cannot be trusted stays invalid.
#'
#' @param result from analyse()
#' @param production from read_production(), or NULL
#' @return the result, with `production`. Its json gets the rows and `timing_verdict`, the verdict of the runs alone
with_production <- function(result, production) {
  if (is.null(production) || is.null(production$rows)) return(result)
  result$production <- production
  result$json$timing_verdict <- result$json$verdict
  result$json$production <- rows_of(production$rows[names(production$rows) != "shown"])
  breaks <- production$rows[production$rows$is_new, , drop = FALSE]
  fails <- breaks[breaks$level == "fail", , drop = FALSE]
  warns <- breaks[breaks$level == "warn", , drop = FALSE]
  result$json$warnings <- c(result$json$warnings, as.list(break_sentences(warns)))
  if (!nrow(fails)) return(without_pass(result, owed_rows(production$rows)))
  if (result$json$verdict == "invalid") return(result)
  regressed <- result$json$verdict == "regressed"
  result$json$verdict <- "regressed"
  # A regression needs no reasons about what passed or stayed open in the runs.
  result$json$reasons <- c(as.list(break_sentences(fails)), if (regressed) result$json$reasons)
  result$decision$broken <- fails
  result
}

#' Returns the checks of level fail that were possible but not made, on routes of both revisions, one row each.
owed_rows <- function(rows) {
  key <- paste(rows$check, rows$mode, rows$workload, sep = "\r")
  common <- intersect(key[rows$revision == "base"], key[rows$revision == "head"])
  owed <- rows$is_owed & rows$level == "fail" & key %in% common
  rows[owed & !duplicated(paste(key, owed)), , drop = FALSE]
}

without_pass <- function(result, owed) {
  if (!nrow(owed) || !result$json$verdict %in% c("pass", "inconclusive")) return(result)
  open <- if (result$json$verdict == "inconclusive") result$json$reasons
  result$json$verdict <- "inconclusive"
  result$json$reasons <- c(as.list(owed_sentences(owed)), open)
  result
}

owed_sentences <- function(rows) {
  sprintf(
    "The check %s, which `checks` sets to fail, was not made in %s%s: %s.",
    code(rows$check), code(rows$mode), on_route(rows), rows$sentence
  )
}

on_route <- function(rows) ifelse(rows$route == "", "", paste0(" on ", code(rows$route)))

#' One sentence per break.
break_sentences <- function(rows) {
  if (!nrow(rows)) return(character())
  # The sentences contain paths of the app. No character of them may end a code span.
  sprintf("The check %s is broken in %s%s: %s.", code(rows$check), code(rows$mode), on_route(rows), rows$sentence)
}

#' One clause per check, for a title.
broken_clauses <- function(broken) {
  if (is.null(broken) || !nrow(broken)) return(NULL)
  checks <- intersect(names(CHECK_CLAUSES), broken$check)
  vapply(checks, function(check) {
    sprintf(CHECK_CLAUSES[[check]], listed(code(unique(broken$mode[broken$check == check]))))
  }, "", USE.NAMES = FALSE)
}
