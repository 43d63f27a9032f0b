# Tests what is read of samples.csv, and what is refused.
header <- paste(names(SAMPLE_COLUMNS), collapse = ",")
row <- "1,1,1,fibonacci,medium,8,base,fpm,2026-01-01T00:00:00Z,2,100,100,0,50,1,2,3,4,900,30,-2,1,1"
write <- function(..., sep = "\n") {
  file <- tempfile(fileext = ".csv")
  writeLines(c(...), file, sep = sep)
  file
}
refused <- function(file, message) expect_error(read_samples(file), message, class = "input_error")

test_that("reads a correct file, with CRLF and a byte order mark, too", {
  expect_equal(read_samples(write(header, row))$memory_growth_kib_per_1k, -2)
  expect_equal(nrow(read_samples(write(paste0("\ufeff", header), row, sep = "\r\n"))), 1)
  expect_true(is.na(read_samples(write(header, sub(",900,30,-2,1,1$", ",,,,,1", row)))$half_ratio))
})

test_that("refuses malformed rows with line and column", {
  refused("/nowhere.csv", "not found")
  refused(write("a,b"), ":1: wrong header")
  refused(write(header), "contains no runs")
  refused(write(header, row, paste0(row, ",1")), ":3: 24 columns, expected 23")
  refused(write(header, sub(",50,", ",fast,", row)), ":2: column goodput_rps: found \"fast\"")
  refused(write(header, sub(",50,", ",-50,", row)), "column goodput_rps: found \"-50\", allowed: 0 or more")
  refused(write(header, sub(",50,", ",0x10,", row)), "goodput_rps")
  refused(write(header, sub(",50,", ",Inf,", row)), "goodput_rps")
  refused(write(header, sub(",50,", ",1e999,", row)), "goodput_rps")
  refused(write(header, sub("base", "main", row)), "column revision: found \"main\", allowed: base or head")
  refused(write(header, sub(",100,100,0,", ",100,90,0,", row)), "column requests")
  refused(write(header, sub("^1,1,", "1,1.5,", row)), "column block.*whole number")
  refused(write(header, row, row), ":3: duplicate run")
  expect_error(
    read_samples(write(header, row), c("fpm", "swoole")), "no run of swoole; found: fpm",
    class = "input_error"
  )
  stray <- write(header, row, sub("fpm", "fibres", row))
  expect_error(read_samples(stray, "fpm"), ":3: column mode: found \"fibres\", allowed: fpm", class = "input_error")
  expect_equal(nrow(read_samples(stray, "fpm", known = c("fpm", "fibres"))), 2)
})

test_that("reads or refuses a stranger's file within seconds", {
  refused_soon <- function(message, ...) {
    file <- write(header, ...)
    expect_lt(system.time(refused(file, message))[["elapsed"]], 10)
  }
  refused_soon("4000001 columns, expected 23", strrep(",", 4e6))
  refused_soon("column workload", sub("fibonacci", strrep("x", 4e6), row))
  refused_soon("at most 200000 are read", strrep("\n", 1e6))
  refused_soon("401 cells .workload and load., at most 400", sprintf(sub("fibonacci", "w%d", row), 1:401))
})

test_that("refuses formulas of a spreadsheet, and bytes that are not text", {
  for (name in c("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\"=1\"", "\u202einvoice")) {
    refused(write(header, sub("fibonacci", name, row)), "column workload")
  }
  refused(write(header, sub(",50,", ",=50,", row)), "column goodput_rps")
  file <- write(header, row)
  bytes <- readBin(file, "raw", 1e4)
  writeBin(c(bytes[1:300], as.raw(0), bytes[-(1:300)]), file)
  refused(file, "contains NUL bytes")
})

test_that("does not unpack compressed files", {
  for (pack in list(gzfile, bzfile, xzfile)) {
    file <- tempfile(fileext = ".csv")
    connection <- pack(file, "w")
    writeLines(c(header, row), connection)
    close(connection)
    refused(file, "not UTF-8 text")
  }
})

test_that("refuses a file that contradicts itself", {
  with <- function(column, value) {
    fields <- strsplit(row, ",", fixed = TRUE)[[1]]
    fields[match(column, names(SAMPLE_COLUMNS))] <- value
    paste(fields, collapse = ",")
  }
  refused(write(header, with("duration_s", "0")), ":2: column duration_s: found \"0\", allowed: above 0")
  refused(write(header, with("goodput_rps", "51")), "goodput_rps: found \"51\", allowed: succeeded / duration_s")
  refused(write(header, with("position", "2")), "position: found \"2\", allowed: 1 to 1 .the arms of this file.")
  refused(write(header, with("position", "0")), "column position")
  refused(write(header, with("cpu_us_per_request", "1e308")), "column cpu_us_per_request: .*allowed: at most 1e\\+12")
  refused(
    write(header, row, sub(",8,base", ",16,head", row)),
    ":3: column concurrency: found \"16\", allowed: 8, as fibonacci/medium has at .*:2"
  )
  refused(
    write(header, row, sub("^1,1,", "01,1,", row)),
    ":3: column job: found \"01\", allowed: another number than job \"1\" has"
  )
  # This run failed completely.
  expect_equal(nrow(read_samples(write(header, sub(",100,100,0,50,", ",100,90,10,0,", row)))), 1)
})
