# Makes what the tests share: fixtures, the recorded and simulated jobs, and samples from a table.
fixture <- function(name) file.path(Sys.getenv("APB_R_HOME"), "tests", "fixtures", name)
calibration <- function(name) file.path(Sys.getenv("APB_R_HOME"), "calibration", name)
source(calibration("simulate.R"))

#' Makes rows like those of read_samples() from a table of block, cell, rev, mode and x.
samples_from <- function(table, cpu = NULL) as_samples(c(as.list(table), list(revision = table$rev, cpu = cpu)))

modes <- c("fpm", "swoole")

#' Chooses how often a test simulates: `npm test` runs all repetitions, `npm run check` only the first few.
repetitions <- function(whole, few) if (nzchar(Sys.getenv("THOROUGH"))) whole else few
