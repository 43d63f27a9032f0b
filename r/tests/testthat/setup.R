# What the tests share: fixtures, the recorded and simulated jobs, samples from a table.
fixture <- function(name) file.path(Sys.getenv("APB_R_HOME"), "tests", "fixtures", name)
calibration <- function(name) file.path(Sys.getenv("APB_R_HOME"), "calibration", name)
source(calibration("simulate.R"))

#' Rows as read_samples() gives them, from a table of block, cell, rev, mode and x.
samples_from <- function(table, cpu = NULL) as_samples(c(as.list(table), list(revision = table$rev, cpu = cpu)))

modes <- c("fpm", "swoole")

#' How often a test simulates: `npm test` asks for all of it, `npm run check` for the first few.
repetitions <- function(whole, few) if (nzchar(Sys.getenv("THOROUGH"))) whole else few
