# Tests what the report says about failed runs.
run_with <- function(...) jsonlite::fromJSON(sprintf('{"runs": [%s]}', paste(c(...), collapse = ", ")))
note <- function(revision, errors, failure = NULL) {
  sprintf(
    '{"revision": "%s", "mode": "swoole", "workload": "home", "load": "low", "errors": %s, "little": null%s}',
    revision, errors, if (is.null(failure)) "" else paste0(', "failure": ', failure)
  )
}
silent <- '{"message": "gone", "log": "", "answer": {"status": null, "body": "ECONNREFUSED"}, "memory_mib": null}'
telling <- paste0(
  '{"log": "Allowed <memory> size\\n\\nexhausted", ',
  '"answer": {"status": 500, "body": "</pre><script>"}, "memory_mib": 250.4}'
)

test_that("the report explains failed runs once per arm, and prefers a run with a log", {
  run <- run_with(
    note("base", "{}"), note("head", '{"reset": 2}', silent), note("head", '{"worker-lost": 1}', telling),
    note("base", '{"reset": 3}', silent)
  )
  html <- failures_html(list(run = run))
  expect_equal(lengths(regmatches(html, gregexpr("<h3>", html))), 2L)
  expect_match(html, paste0(
    "<h3>head/swoole, home/low</h3>\n\n<pre>worker-lost\nIt held up to 250 MiB.\n",
    "A repeated request got status 500: &lt;/pre&gt;&lt;script&gt;\n",
    "The server's log ends with:\nAllowed &lt;memory&gt; size\n\nexhausted</pre>"
  ), fixed = TRUE)
  expect_match(
    html, "<h3>base/swoole, home/low</h3>\n\n<pre>reset\ngone\nA repeated request got no response: ECONNREFUSED</pre>",
    fixed = TRUE
  )
})

test_that("the report has no such section if every run succeeded or has no notes", {
  expect_equal(failures_html(list(run = run_with(note("base", "{}"), note("head", "{}")))), "")
  expect_equal(failures_html(list(run = NULL)), "")
  expect_equal(failures_html(list(run = list(runs = list()))), "")
})

test_that("a measurement that ended after three blocks because only head kept failing is regressed", {
  cells <- c("a/x", "b/x")
  table <- expand.grid(block = 1:3, cell = cells, rev = c("base", "head"), mode = modes, stringsAsFactors = FALSE)
  table$x <- 1000
  rows <- samples_from(table)
  fallen <- rows$revision == "head" & rows$mode == "swoole"
  rows[fallen, c("goodput_rps", "succeeded", "failed")] <- list(0, 0, 1000)
  json <- analyse(rows, modes, gate_settings())$json
  expect_equal(json$verdict, "regressed")
  expect_match(json$reasons[[1]], "Head answers with errors: 100.00 % of `swoole` in `a/x`", fixed = TRUE)
  rows[rows$mode == "swoole", c("goodput_rps", "succeeded", "failed")] <- list(0, 0, 1000)
  expect_equal(analyse(rows, modes, gate_settings())$json$verdict, "invalid")
})
