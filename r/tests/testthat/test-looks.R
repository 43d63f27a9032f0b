# Tests the levels of the looks, and in which cells a job continues.
set.seed(1)
CELLS <- c("a/x", "a/y", "b/x")

#' Makes a job of three quiet cells.
#'
#' @param change factor of head's asynchronous goodput, per cell
#' @param spread of a run, per cell
adapting <- function(blocks = 6, change = 1, spread = 0.002, cpu = NULL, cells = CELLS) {
  grid <- expand.grid(
    block = seq_len(blocks), cell = cells, rev = c("base", "head"), mode = modes, stringsAsFactors = FALSE
  )
  of_cell <- function(x) rep_len(x, length(cells))[match(grid$cell, cells)]
  hit <- grid$rev == "head" & grid$mode == "swoole"
  noise <- function() exp(rnorm(nrow(grid), 0, of_cell(spread)))
  grid$x <- 1000 * ifelse(hit, of_cell(change), 1) * noise()
  samples_from(grid, cpu = if (!is.null(cpu)) 100 / ifelse(hit, of_cell(cpu), 1) * noise())
}
at_look <- function(rows, look = 1, ...) analyse(rows, modes, gate_settings(looks = 4, look = look, ...))
open_in <- function(json) vapply(json$open, function(cell) paste(cell$workload, cell$load, sep = "/"), "")

test_that("the levels of all looks add up to alpha, and those of a pass never decrease", {
  for (looks in c(1, 2, 4)) {
    each <- lapply(seq_len(looks), function(look) gate_settings(alpha = 0.04, looks = looks, look = look))
    expect_equal(sum(vapply(each, fail_level, 1)), 0.04)
    expect_equal(sum(vapply(each, pass_level, 1)), 0.04)
    expect_false(is.unsorted(vapply(each, pass_level, 1)))
  }
  expect_equal(fail_level(gate_settings(looks = 4, look = 1)), 0.05 * 0.3^3)
})

test_that("every test uses the level of the look", {
  # In the pool, p of this loss is between the levels of the first of several looks and of a single look.
  rows <- adapting(change = 0.9, spread = 0.02)
  once <- analyse(rows, modes, gate_settings())$json
  p <- once$pooled$p_fail
  expect_equal(once$verdict, "regressed")
  alpha <- 2 * p / (0.3^3) * 0.9
  expect_equal(at_look(rows, alpha = alpha)$json$verdict, "inconclusive")
  expect_equal(at_look(rows, alpha = alpha / 0.8)$json$verdict, "regressed")
  json <- at_look(rows, 2)$json
  expect_equal(unlist(json[c("looks", "look")]), c(looks = 4, look = 2))
  expect_equal(json$levels, list(fail = 0.05 * (0.5^3 - 0.3^3), pass = 0.05 * 0.25))
})

test_that("proven cells drop out, and the others stay open", {
  json <- at_look(adapting())$json
  expect_equal(json$verdict, "pass")
  expect_equal(json$open, list())
  json <- at_look(adapting(spread = c(0.002, 0.1, 0.002)))$json
  expect_equal(json$verdict, "inconclusive")
  expect_equal(open_in(json), "a/y")
  lost <- at_look(adapting(change = c(1, 1, 0.7)))$json
  expect_equal(lost[c("verdict", "open")], list(verdict = "regressed", open = list()))
})

test_that("a cell in which a loss of CPU time is not excluded stays open, and passes", {
  expect_equal(open_in(at_look(adapting(cpu = 1))$json), character())
  noisy <- adapting(cpu = 1)
  hit <- noisy$cell == "b/x" & noisy$revision == "head" & noisy$mode == "swoole"
  noisy$cpu_us_per_request[hit] <- noisy$cpu_us_per_request[hit] * c(0.8, 1.25)
  json <- at_look(noisy)$json
  expect_equal(json$verdict, "pass")
  expect_equal(open_in(json), "b/x")
})

test_that("a cell that dropped out has no lost quads", {
  rows <- adapting(20)
  rows <- rows[rows$cell == "a/x" | rows$block <= 6, ]
  json <- at_look(rows, 4)$json
  expect_equal(json$verdict, "pass")
  expect_equal(json$excluded, list())
  expect_equal(json$blocks, 6)
  expect_equal(sum(vapply(json$errors$rates, `[[`, 1, "runs")), 4 * (20 + 6 + 6))
  expect_match(paste(summary_lines(at_look(rows, 4)), collapse = " "), "<sub>6 to 20 blocks, judged up to 4 times")
  # In the first blocks, every cell must have a quad.
  json <- at_look(rows[!(rows$cell == "b/x" & rows$block == 2), ], 4)$json
  expect_equal(json$excluded[[1]][c("block", "cell")], list(block = 2L, cell = "b/x"))
})

test_that("a job that lacks quads continues, unless more quads cannot help", {
  rows <- adapting()
  rows$goodput_rps[rows$block == 3 & rows$cell == "a/y" & rows$revision == "base"] <- 0
  rows$succeeded[rows$goodput_rps == 0] <- 0
  json <- at_look(rows, max_error_rate = 0.5)$json
  expect_equal(json$verdict, "not-gated")
  expect_equal(open_in(json), CELLS)
  rows$goodput_rps[rows$block < 3 & rows$cell == "a/y" & rows$revision == "base"] <- 0
  json <- at_look(rows, max_error_rate = 0.6)$json
  expect_equal(json$verdict, "invalid")
  expect_equal(open_in(json), CELLS)
  # More quads do not remove errors of base.
  expect_equal(at_look(rows)$json[c("verdict", "open")], list(verdict = "invalid", open = list()))
  rows <- adapting()
  alone <- analyse(rows[rows$mode == "fpm", ], "fpm", gate_settings(looks = 4, look = 1))$json
  expect_equal(alone[c("verdict", "open")], list(verdict = "not-gated", open = list()))
})

test_that("an open question about all cells keeps every cell open", {
  # Few runs hide a loss. It is below half of the resolution on average, and no cell exceeds the resolution.
  rows <- adapting(10, change = 1)
  hit <- rows$block == 4 & rows$revision == "head" & rows$mode == "swoole"
  rows$goodput_rps[hit] <- rows$goodput_rps[hit] * exp(-0.8)
  result <- at_look(rows, 2)
  expect_true(result$decision$tests$goodput$pooled$hidden)
  expect_equal(result$json$verdict, "inconclusive")
  expect_equal(open_in(result$json), CELLS)
})

test_that("an outlook counts the blocks of open cells", {
  rows <- adapting(20, spread = c(0.002, 0.06, 0.002))
  rows <- rows[rows$cell == "a/y" | rows$block <= 6, ]
  json <- at_look(rows, 4, alpha = 0.001)$json
  expect_equal(json$verdict, "inconclusive")
  said <- paste(unlist(json$reasons), collapse = " ")
  expect_match(said, "About [0-9]+ blocks would probably decide it; there were 20\\.")
})

test_that("four looks need stronger proof that errors rose", {
  erring <- function(heads) {
    rows <- adapting(10)
    at <- which(rows$revision == "head" & rows$mode == "swoole")[seq_len(heads)]
    rows$failed[at] <- 1
    rows
  }
  verdict <- function(heads, ...) {
    analyse(erring(heads), modes, gate_settings(max_error_rate = 0.01, ...))$json$verdict
  }
  # 2^-7 is 0.0078, and 2^-8 is 0.0039.
  expect_equal(verdict(7), "regressed")
  expect_equal(verdict(7, looks = 4, look = 2), "pass")
  expect_equal(verdict(8, looks = 4, look = 2), "regressed")
})

test_that("several jobs have a single look", {
  jobs <- lapply(1:2, function(job) {
    rows <- adapting(10)
    rows$job <- as.character(job)
    rows
  })
  json <- at_look(do.call(rbind, jobs), 2)$json
  expect_equal(unlist(json[c("looks", "look")]), c(looks = 1, look = 1))
})
