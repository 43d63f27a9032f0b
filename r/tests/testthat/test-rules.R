# Tests the recorded runs, and the rules of other tools on them.
source(calibration("recorded.R"))
source(calibration("rules.R"))
set.seed(11)
arms <- list(head_async = 95, head_sync = 50, base_async = 100, base_sync = 50)
x <- lapply(arms, function(centre) matrix(centre * exp(rnorm(40, 0, 0.03)), 4))

test_that("limits equal those of R's own tests and of the gate", {
  d <- gain_differences(x)
  ours <- yuen(d[2, ])
  expect_equal(yuen_limit(d, 0.01)[2], exp(ours$m + qt(0.99, ours$df) * ours$se))
  expect_equal(yuen_limit(d, 0.025, 0)[3], exp(t.test(d[3, ])$conf.int[2]))
  expect_equal(signed_rank_limit(d, 0.025)[1], exp(wilcox.test(d[1, ], conf.int = TRUE)$conf.int[2]))
  u_test <- wilcox.test(log(x$head_async[1, ]), log(x$base_async[1, ]), conf.int = TRUE)
  expect_equal(RULES$benchstat(x)[1], exp(u_test$conf.int[2]))
  time <- data.frame(y = 1 / c(x$base_async[1, ], x$head_async[1, ]), branch = rep(0:1, each = 10))
  slower <- confint(lm(y ~ branch, time))["branch", 1]
  expect_equal(RULES$touchstone(x)[1], 1 / (1 + slower / mean(time$y[1:10])))
})

test_that("matches tolerances, and finds the smallest loss that nine in ten jobs find", {
  many <- lapply(arms, function(centre) matrix(100 * exp(rnorm(5000, 0, 0.03)), 500))
  for (rule in RULES) {
    tolerance <- matched_tolerance(rule, many, 0.02)
    expect_lte(alarms(rule, many, tolerance), 0.02)
    loss <- smallest_found(rule, many, tolerance)
    expect_gte(alarms(rule, slowed(many, loss), tolerance), 0.9)
    expect_lt(alarms(rule, slowed(many, loss - 0.01), tolerance), 0.9)
  }
  # The gain does not show a loss of both modes, but a plain comparison does.
  expect_true(is.na(smallest_found(RULES[["this gate"]], many, 0.05, both_modes = TRUE)))
  expect_lt(smallest_found(RULES$benchstat, many, 0.05, both_modes = TRUE), 0.2)
})

test_that("limits of merged jobs equal those of the gate, with jobs as replicates from six on", {
  modes <- c("fpm", "fibers")
  aa <- read_recording(calibration(file.path("recorded", "quiet")))[["0"]]
  first <- sort(unique(aa$block))
  for (jobs in c(2, 6)) {
    own <- aa[aa$block %in% first[seq_len(10 * jobs)], ]
    at <- match(own$block, first) - 1
    merged <- transform(own, job = as.character(at %/% 10 + 1), block = at %% 10 + 1)
    # Blocks that are drawn at random have no neighbours, so the gate's own limit is compared without that widening.
    ours <- yuen(gain_differences(lapply(arm_logs(experiment(merged, modes), "goodput"), exp)))
    twice <- take(recorded_arms(own, modes, "goodput"), matrix(seq_len(10 * jobs), 2, 10 * jobs, byrow = TRUE))
    expect_equal(merged_limit(twice, jobs)[2], exp(ours$m + qt(1 - OUR_LEVEL, ours$df) * ours$se))
    expect_equal(ours$df, if (jobs == 2) 11 else 3)
  }
})

test_that("cuts jobs without overlap from a complete recording", {
  jobs <- disjoint_jobs(c(5:1, 11:20))
  expect_equal(dim(jobs), c(1L, 10L))
  expect_equal(jobs[1, ], c(1:5, 11:15))
  for (condition in c("quiet", "busy")) {
    recording <- read_recording(calibration(file.path("recorded", condition)))
    expect_length(unique(recording[["0"]]$block), 300)
    expect_setequal(names(recording), c("0", "5", "10", "20"))
    for (loss in c("5", "10", "20")) {
      design <- experiment(recording[[loss]], c("fpm", "fibers"))
      expect_gte(design$blocks, 98)
      expect_length(design$excluded, 0)
    }
  }
})

test_that("Little's law names the cause: the load generator below 1, a short warm-up above 1", {
  row <- data.frame(workload = "home", load = "low", mode = "fpm", little = 1.435)
  sentence <- "^`home/low` on `fpm`: requests in flight were 143.5 % of the connections .*the warm-up was too short"
  expect_match(little_sentence(row), sentence)
  row$little <- 0.6
  expect_match(little_sentence(row), "were 60.0 % of the connections .*the load generator was the bottleneck")
})
