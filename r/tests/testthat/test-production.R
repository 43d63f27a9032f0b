# Tests checks.json and its effect on the verdict.
finding <- function(check = "leak", state = "held", revision = "head", is_new = FALSE, route = "GET /users", ...) {
  list(
    check = check, mode = "swoole", revision = revision, workload = "users", route = route, state = state,
    sentence = paste("it", state), isNew = is_new, ...
  )
}
levels_of <- function(leak = "fail") list(leak = leak, state = "fail", blocking = "fail", "cold-start" = "fail")
written <- function(findings, levels = levels_of()) {
  directory <- tempfile("job")
  dir.create(directory)
  json <- list(schema = 1, seconds = 12.3, allowed_s = 60, levels = levels, findings = findings)
  writeLines(jsonlite::toJSON(json, auto_unbox = TRUE, null = "null"), file.path(directory, "checks.json"))
  file.path(directory, "samples.csv")
}
quiet <- function(gain = 1) {
  grid <- expand.grid(
    block = 1:10, cell = "users/x", rev = c("base", "head"), mode = modes, stringsAsFactors = FALSE
  )
  set.seed(5)
  lost <- grid$rev == "head" & grid$mode == "swoole"
  grid$x <- 1000 * exp(rnorm(nrow(grid), 0, 0.005)) * ifelse(lost, gain, 1)
  samples_from(grid)
}
result_with <- function(findings, levels = levels_of(), gain = 1) {
  with_production(analyse(quiet(gain), modes, gate_settings()), read_production(written(findings, levels)))
}
broken <- function(...) list(finding(revision = "base"), finding(state = "broken", is_new = TRUE, ...))

test_that("a job without checks stays unchanged", {
  result <- analyse(quiet(), modes, gate_settings())
  expect_identical(with_production(result, read_production(tempfile())), result)
  expect_null(production_lines(result))
})

test_that("a break that only head has is a regression, named in title, reason and table", {
  result <- result_with(broken())
  expect_equal(result$json$verdict, "regressed")
  expect_equal(result$json$timing_verdict, "pass")
  expect_equal(unlist(result$json$reasons), "The check `leak` is broken in `swoole` on `GET /users`: it broken.")
  text <- paste(summary_lines(result), collapse = "\n")
  expect_match(text, "^## \\S+ Regressed: `swoole` leaks memory\n")
  expect_match(text, "\n### Ready for production\n")
  row <- "|`leak` |`swoole` |`GET /users` |\u2705 held |\u274c broken |it broken (base: it held) |"
  expect_match(text, row, fixed = TRUE)
  expect_match(text, "The checks took 12 s of at most 60 s", fixed = TRUE)
})

test_that("the verdict stays if base has the break too, its level is warn, or it was not confirmed", {
  both <- list(finding(state = "broken", revision = "base"), finding(state = "broken"))
  result <- result_with(both)
  expect_equal(result$json$verdict, "pass")
  # Each row has signs of its own.
  text <- paste(summary_lines(result_with(c(list(finding("answers"), finding("answers", revision = "base")), both))))
  expect_match(text, "|\u26a0\ufe0f broken |\u26a0\ufe0f broken |", fixed = TRUE, all = FALSE)
  result <- result_with(broken(), levels_of(leak = "warn"))
  expect_equal(result$json$verdict, "pass")
  expect_match(unlist(result$json$warnings), "The check `leak` is broken", all = FALSE)
  expect_equal(result_with(list(finding(state = "not-checked")))$json$verdict, "pass")
})

test_that("a required check that was not made prevents a pass, on a route that both have", {
  owed <- function(...) finding(state = "not-checked", isOwed = TRUE, ...)
  result <- result_with(list(finding(revision = "base"), owed()))
  expect_equal(result$json$verdict, "inconclusive")
  expect_equal(result$json$timing_verdict, "pass")
  expect_equal(
    unlist(result$json$reasons),
    "The check `leak`, which `checks` sets to fail, was not made in `swoole` on `GET /users`: it not-checked."
  )
  expect_match(title_words(result), "^Inconclusive")
  # If base was not checked, a break of head proves nothing either.
  unseen <- list(owed(revision = "base"), finding(state = "broken"))
  expect_equal(result_with(unseen)$json$verdict, "inconclusive")
  both <- list(owed(revision = "base"), owed())
  expect_equal(result_with(both)$json$verdict, "inconclusive")
  expect_length(result_with(both)$json$reasons, 1)
  expect_equal(result_with(both, levels_of(leak = "warn"))$json$verdict, "pass")
  expect_equal(result_with(both, gain = 0.7)$json$verdict, "regressed")
  # A route that only head has cannot be compared with base, and neither can a job without base.
  expect_equal(result_with(list(finding("state", revision = "base"), owed()))$json$verdict, "pass")
  expect_equal(result_with(list(owed()))$json$verdict, "pass")
})

test_that("a loss of the gain is kept beside a break, and an invalid measurement stays invalid", {
  result <- result_with(broken(), gain = 0.7)
  expect_equal(result$json$timing_verdict, "regressed")
  expect_match(title_words(result), "the asynchronous gain fell, and `swoole` leaks memory")
  expect_length(result$json$reasons, 1 + length(analyse(quiet(0.7), modes, gate_settings())$json$reasons))
  invalid <- analyse(quiet(), modes, gate_settings())
  invalid$json$verdict <- "invalid"
  expect_equal(with_production(invalid, read_production(written(broken())))$json$verdict, "invalid")
})

test_that("folds checks that hold, and has no column for base without a base", {
  text <- paste(summary_lines(result_with(list(finding(), finding("state", "not-checked")))), collapse = "\n")
  expect_match(text, "<summary>Ready for production: 1 held, 1 not checked</summary>", fixed = TRUE)
  expect_false(grepl("|base ", sub(".*Ready for production", "", text), fixed = TRUE))
})

test_that("the app's answers cannot end their block, and names cannot end their code span", {
  shown <- "fresh process: ~~~\nthis worker:   </details> `"
  findings <- list(finding("state", "broken", route = "GET /a`b", is_new = TRUE, shown = shown))
  text <- paste(summary_lines(result_with(findings)), collapse = "\n")
  expect_match(text, "~~~text\nfresh process: ~ ~ ~\nthis worker:   </details> `\n~~~", fixed = TRUE)
  expect_match(text, "`GET /a?b`", fixed = TRUE)
})

test_that("refuses a malformed checks.json, and says what is allowed", {
  expect_error(read_production(written(list(finding("speed")))), "found \"speed\", allowed: leak")
  expect_error(read_production(written(list(finding(state = "maybe")))), "found \"maybe\", allowed: held, broken and")
  expect_error(read_production(written(list(), list(leak = "never"))), "allowed: fail, warn or off each")
})

test_that("the report wraps what was seen, and begins it at the left", {
  table <- production_table(result_with(broken()))
  shown <- paste(capture.output(html_table(table, "Ready", ends_in_prose = TRUE)), collapse = "")
  expect_match(shown, "^<div class=\"prose\"><table>")
  expect_match(shown, "text-align:left;\"> what was seen in head </th>", fixed = FALSE)
  expect_false(grepl("class=\"prose\"", paste(capture.output(html_table(table, "Ready")), collapse = "")))
})
