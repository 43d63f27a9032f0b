# Runs all R tests, or those of test-NAME.R: Rscript r/tests/testthat.R [NAME…]. R warnings are errors.
options(warn = 2)
this <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
home <- normalizePath(file.path(dirname(this), ".."))
sources <- list.files(file.path(home, "R"), "\\.R$", full.names = TRUE, recursive = TRUE)
for (file in sources) source(file, encoding = "UTF-8")
Sys.setenv(APB_R_HOME = home)
names <- commandArgs(TRUE)
only <- if (length(names)) paste0("^(", paste(names, collapse = "|"), ")$")
testthat::test_dir(
  file.path(home, "tests", "testthat"),
  filter = only, stop_on_failure = TRUE, env = globalenv(), reporter = "summary"
)
