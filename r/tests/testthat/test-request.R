# Tests the settings of the request, and what it refuses.
schema <- jsonlite::read_json(file.path(Sys.getenv("APB_R_HOME"), "..", "docs", "config.schema.json"))
settings <- lapply(schema$properties$gate$properties, `[[`, "default")
right <- list(
  samples = list("a.csv", "b.csv"), out = "out", summary = "summary.md", run = NULL, modes = list("fpm", "swoole"),
  settings = settings, looks = 2, look = 1, report = FALSE,
  differences = list("package `a/b`: `1` \u2192 `2`")
)
written <- function(request) {
  file <- tempfile(fileext = ".json")
  writeLines(jsonlite::toJSON(request, auto_unbox = TRUE, null = "null", digits = NA), file)
  file
}
#' Returns the request with one value changed.
#'
#' @param keys path of the value
with_value <- function(keys, value) {
  if (length(keys) == 1) right[keys] <- list(value) else right$settings[keys[2]] <- list(value)
  right
}

test_that("reads a request, and turns percentages into shares", {
  request <- read_request(written(right))
  expect_equal(request$samples, c("a.csv", "b.csv"))
  expect_equal(request$modes, c("fpm", "swoole"))
  expect_null(request$run)
  expect_false(request$report)
  expect_equal(request$differences, "package `a/b`: `1` \u2192 `2`")
  expect_null(read_request(written(with_value("differences", NULL)))$differences)
  expect_equal(request$settings$looks, 2)
  request <- read_request(written(with_value(c("settings", "min-gain"), list(invoice = 1.1, fibonacci = 1.5))))
  expect_equal(request$settings$min_gain, list(invoice = 1.1, fibonacci = 1.5))
  expect_equal(read_request(written(with_value(c("settings", "max-slowdown"), 20)))$settings$max_slowdown, 0.2)
  # A limit of growth may exceed 100 %.
  expect_equal(read_request(written(with_value(c("settings", "max-p95-growth"), 150)))$settings$max_p95_growth, 1.5)
  memory <- read_request(written(with_value(c("settings", "max-memory-growth"), 9)))
  expect_equal(memory$settings$max_memory_growth, 0.09)
})

test_that("R and the configuration have the same defaults", {
  expect_equal(read_request(written(with_value("looks", 1)))$settings, gate_settings())
})

test_that("refuses a wrong request with the key, the value and what is allowed", {
  refused <- function(keys, value, message) {
    expect_error(read_request(written(with_value(keys, value))), message, class = "input_error", fixed = TRUE)
  }
  refused("looks", 1.5, ": looks: found 1.5, allowed: 1, 2 or 4")
  refused("looks", "1", ": looks: found \"1\", allowed: 1, 2 or 4")
  refused("look", 3, ": look: found 3, allowed: a whole number from 1 to 2")
  refused("look", 0, ": look: found 0, allowed: a whole number from 1 to 2")
  refused("samples", list(), ": samples: found [], allowed: a list of paths")
  refused("out", NULL, ": out: found null, allowed: a path")
  refused("run", 5, ": run: found 5, allowed: a path or null")
  refused("modes", list(1), ": modes: found [1], allowed: a list of names or null")
  refused("differences", list(), ": differences: found [], allowed: a list of sentences or null")
  refused("report", "yes", ": report: found \"yes\", allowed: true or false")
  refused("settings", 5, ": settings: found 5, allowed: an object")
  refused("seed", 5, ": seed: unknown, allowed: samples, out, summary, run")
  refused(c("settings", "alfa"), 5, ": settings.alfa: unknown, allowed: max-regression")
  refused(c("settings", "alpha"), 0.6, ": settings.alpha: found 0.6, allowed: a number above 0 up to 0.5")
  refused(c("settings", "max-regression"), NULL, ": settings.max-regression: found null, allowed: a number above 0")
  refused(c("settings", "max-error-rate"), -1, ": settings.max-error-rate: found -1, allowed: a number from 0 to 100")
  refused(c("settings", "min-gain"), list(invoice = 0), ": settings.min-gain: found {\"invoice\":0}, allowed: a number")
  refused(c("settings", "on-sync-improvement"), "pass", ": found \"pass\", allowed: warn or fail")
  expect_error(read_request(written(right[-2])), ": out: missing", class = "input_error", fixed = TRUE)
  expect_error(read_request(written(list(1, 2))), ": found no object", class = "input_error", fixed = TRUE)
  expect_error(read_request("/nowhere.json"), "/nowhere.json: not found", class = "input_error")
  file <- tempfile()
  writeLines("{\"samples\": [", file)
  expect_error(read_request(file), ": not JSON: ", class = "input_error", fixed = TRUE)
})
