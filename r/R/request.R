# Reads request.json, the only argument of analyse.R. entrypoint/analyse/request.ts writes it.

SETTING_KEYS <- c(
  "max-regression", "resolution", "min-gain", "max-slowdown", "max-p95-growth", "max-memory-growth",
  "max-error-rate", "alpha", "on-sync-improvement"
)
REQUEST_KEYS <- c("samples", "out", "summary", "run", "modes", "settings", "looks", "look", "report", "differences")

#' Reads and checks a request.
#'
#' @param file path of request.json, whose settings are in percent
#' @return list: samples, out, summary (path of the summary), run (path or NULL), modes (names or NULL), report,
#'   differences (sentences with code spans, or NULL), settings (from gate_settings())
#' @section Errors: input_error naming the key, what was found and what is allowed
read_request <- function(file) {
  if (!file.exists(file)) input_error(file, ": not found")
  text <- paste(readLines(file, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  request <- tryCatch(
    jsonlite::parse_json(text),
    error = function(e) input_error(file, ": not JSON: ", sub("\n.*", "", conditionMessage(e)))
  )
  if (!is.list(request) || is.null(names(request))) input_error(file, ": found no object, allowed: an object")
  check <- checker(file)
  check$keys("", request, REQUEST_KEYS)
  check$that("samples", request$samples, are_texts, "a list of paths")
  check$that("out", request$out, is_text, "a path")
  check$that("summary", request$summary, is_text, "a path")
  check$that("run", request$run, or_null(is_text), "a path or null")
  check$that("modes", request$modes, or_null(are_texts), "a list of names or null")
  check$that("looks", request$looks, function(x) is_number(x) && x %in% c(1, 2, LOOKS), paste("1, 2 or", LOOKS))
  is_look <- function(x) is_number(x) && x %in% seq_len(request$looks)
  check$that("look", request$look, is_look, paste("a whole number from 1 to", request$looks))
  check$that("report", request$report, function(x) isTRUE(x) || isFALSE(x), "true or false")
  check$that("differences", request$differences, or_null(are_texts), "a list of sentences or null")
  check$that("settings", request$settings, is.list, "an object")
  list(
    samples = unlist(request$samples), out = request$out, summary = request$summary, run = request$run,
    modes = unlist(request$modes), report = request$report, differences = unlist(request$differences),
    settings = read_settings(request$settings, as.integer(request$looks), as.integer(request$look), check)
  )
}

#' Reads the settings of the gate, and turns percent into shares.
read_settings <- function(given, looks, look, check) {
  check$keys("settings.", given, SETTING_KEYS)
  number <- function(key, low, high, optional = FALSE) {
    inside <- function(x) is_number(x) && x > low && x <= high
    allowed <- sprintf("a number above %g up to %g%s", low, high, if (optional) ", or null" else "")
    check$that(paste0("settings.", key), given[[key]], if (optional) or_null(inside) else inside, allowed)
    given[[key]]
  }
  share <- function(...) {
    percent <- number(...)
    if (!is.null(percent)) percent / 100
  }
  gains <- "a number above 0, one for each workload, or null"
  check$that("settings.min-gain", given[["min-gain"]], or_null(are_gains), gains)
  check$that("settings.max-error-rate", given[["max-error-rate"]], is_percentage, "a number from 0 to 100")
  on_improvement <- given[["on-sync-improvement"]]
  is_end <- function(x) is_text(x) && x %in% c("warn", "fail")
  check$that("settings.on-sync-improvement", on_improvement, is_end, "warn or fail")
  gate_settings(
    max_regression = share("max-regression", 0, 100), resolution = share("resolution", 0, 100),
    min_gain = given[["min-gain"]], max_slowdown = share("max-slowdown", 0, 100, optional = TRUE),
    max_p95_growth = share("max-p95-growth", 0, 1000, optional = TRUE),
    max_memory_growth = share("max-memory-growth", 0, 1000, optional = TRUE),
    max_error_rate = given[["max-error-rate"]] / 100, alpha = number("alpha", 0, 0.5), looks = looks,
    look = look, on_sync_improvement = on_improvement
  )
}

#' Makes functions that stop with an input_error if a key or a value is wrong.
checker <- function(file) {
  list(
    keys = function(prefix, found, allowed) {
      wrong <- c(setdiff(names(found), allowed), setdiff(allowed, names(found)))
      if (!length(wrong)) return(invisible())
      what <- if (wrong[1] %in% allowed) "missing" else paste("unknown, allowed:", paste(allowed, collapse = ", "))
      input_error(file, ": ", prefix, wrong[1], ": ", what)
    },
    that = function(key, value, is_right, allowed) {
      if (isTRUE(is_right(value))) return(invisible())
      found <- substr(jsonlite::toJSON(value, auto_unbox = TRUE, null = "null", digits = NA), 1, 80)
      input_error(file, ": ", key, ": found ", found, ", allowed: ", allowed)
    }
  )
}

or_null <- function(is_right) function(x) is.null(x) || is_right(x)
is_text <- function(x) is.character(x) && length(x) == 1 && nzchar(x)
are_texts <- function(x) is.list(x) && length(x) > 0 && all(vapply(x, is_text, NA))
is_number <- function(x) is.numeric(x) && length(x) == 1 && is.finite(x)
is_percentage <- function(x) is_number(x) && x >= 0 && x <= 100
is_gain <- function(x) is_number(x) && x > 0
are_named_gains <- function(x) is.list(x) && length(x) > 0 && !is.null(names(x)) && all(vapply(x, is_gain, NA))
are_gains <- function(x) is_gain(x) || are_named_gains(x)
