# Feeds random files to the reader, as strangers might. It must read each or refuse it by name, and do nothing else.
header <- paste(names(SAMPLE_COLUMNS), collapse = ",")
row <- function(i) {
  paste("1", i, 1, "fibonacci,medium,8,base,fpm,2026-01-01T00:00:00Z,2,100,100,0,50,1,2,3,4,900,30,-2,1,1", sep = ",")
}
ODD <- c(
  "", "NA", "NaN", "Inf", "-1", "1e999", "0x1", "1 ", "\u00e9", "\"", "'", "<script>", "$(id)", "`id`", "@all", "a|b",
  "::set-output::", "-0", "1;2", "\\", "%00",
  strrep("9", 400), strrep("x", 5000), "\t", "\r"
)

mutate <- function(lines) {
  at <- sample(length(lines), 1)
  fields <- strsplit(lines[at], ",", fixed = TRUE)[[1]]
  field <- if (length(fields)) sample(length(fields), 1) else 1
  switch(sample(6, 1),
    fields[field] <- sample(ODD, 1),
    fields <- fields[-field],
    fields <- append(fields, sample(ODD, 1), field),
    fields <- sample(fields),
    return(lines[-at]),
    return(append(lines, lines[at], sample(length(lines), 1)))
  )
  lines[at] <- paste(fields, collapse = ",")
  lines
}

# `npm run check` tests the first of the same files.
files <- repetitions(10000, 500)

test_that(paste(files, "files are read or refused with their name"), {
  set.seed(5)
  file <- tempfile(fileext = ".csv")
  seen <- c(read = 0, refused = 0)
  for (i in seq_len(files)) {
    lines <- c(header, vapply(1:3, row, character(1)))
    for (n in seq_len(sample(3, 1))) lines <- if (length(lines)) mutate(lines) else lines
    if (i %% 50 == 0) writeBin(as.raw(sample(0:255, 300, replace = TRUE)), file) else writeLines(lines, file)
    how <- tryCatch(
      {
        read_samples(file)
        "read"
      },
      input_error = function(e) {
        if (!startsWith(conditionMessage(e), file)) stop("no name: ", conditionMessage(e))
        "refused"
      }
    )
    seen[how] <- seen[how] + 1
  }
  expect_true(all(seen > files / 20), info = paste(names(seen), seen, collapse = " "))
})
