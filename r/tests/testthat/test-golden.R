# Compares results with figures of the paper, of textbooks and of an independent program, to the last digit.
test_that("reproduces the tables of the paper and of textbooks to the last digit", {
  paper <- read.csv(fixture("paper_anova.csv"))
  table <- summary(aov(y ~ mode * load, paper))[[1]]
  expect_equal(table[["F value"]][1:3], c(9765.46365, 2.36289, 0.554883), tolerance = 1e-6)
  expect_equal(table[["Df"]][4], 20)

  cells <- paste0("invoice/", paper$load)
  rows <- samples_from(data.frame(block = paper$rep, cell = cells, rev = "head", mode = paper$mode, x = paper$y))
  result <- analyse(rows, unique(paper$mode), gate_settings())
  ours <- Filter(function(row) grepl("mode \\* load \\(head\\)", row$model), result$json$anova)
  expect_equal(vapply(ours[1:3], `[[`, 1, "f"), c(9765.46365, 2.36289, 0.554883), tolerance = 1e-6)

  tooth <- summary(aov(len ~ supp * factor(dose), ToothGrowth))[[1]]
  expect_equal(tooth[["F value"]][1:3], c(15.571979, 91.999965, 4.106991), tolerance = 1e-6)
  t <- t.test(len ~ supp, ToothGrowth)
  expect_equal(c(t$statistic[[1]], t$parameter[[1]], t$p.value), c(1.915268, 55.30943, 0.0606345), tolerance = 1e-6)
  npk_table <- summary(aov(yield ~ block + N * P * K, npk))[[1]]
  published <- c(4.446666, 12.258734, 0.544130, 6.165689, 1.378297, 2.145972, 0.031195)
  expect_equal(npk_table[["F value"]][1:7], published, tolerance = 1e-5)
  warp_table <- summary(aov(breaks ~ wool * tension, warpbreaks))[[1]]
  expect_equal(warp_table[["F value"]][1:3], c(3.765288, 8.498047, 4.189069), tolerance = 1e-6)
  paired <- t.test(sleep$extra[sleep$group == 1], sleep$extra[sleep$group == 2], paired = TRUE)
  expect_equal(c(paired$statistic[[1]], paired$p.value), c(-4.062128, 0.00283289), tolerance = 1e-6)
})

# The results in golden.json are those of r/tests/independent/golden.mjs, which knows docs/method.md and not r/R.
golden <- jsonlite::fromJSON(fixture("golden.json"), simplifyVector = FALSE)

#' The rows of a golden file, which has only the columns that its job needs.
golden_samples <- function(file) {
  table <- read.csv(fixture(file))
  if (!is.null(table$job)) table$job <- as.character(table$job)
  rows <- samples_from(table, table$cpu)
  for (name in intersect(c("attempt", "failed", "half_ratio"), names(table))) rows[[name]] <- table[[name]]
  rows
}

#' The figures of a column or table, named as in golden.json.
figures_of <- function(y, settings) {
  list(
    change = exp(y$m), se = y$se, df = y$df, p_fail = p_below(y, 1 - settings$max_regression),
    p_pass = p_above(y, 1 - settings$resolution)
  )
}

outcome_of <- function(part) {
  ifelse(part$regressed, "regressed", ifelse(part$spared, "spared", ifelse(part$unclear, "unclear", "held")))
}

#' Compares rows of results column by column, and each number by itself, since a p-value may be tiny.
expect_alike <- function(ours, theirs) {
  is_number <- vapply(theirs, is.numeric, NA)
  expect_equal(as.list(ours[names(theirs)[!is_number]]), as.list(theirs[!is_number]))
  numbers <- names(theirs)[is_number]
  differs <- vapply(numbers, function(name) any(abs(ours[[name]] - theirs[[name]]) > 1e-9 * abs(theirs[[name]])), NA)
  expect_equal(numbers[differs], character())
}

for (job in golden) {
  test_that(paste(job$file, "gives the verdict and the figures of the other program"), {
    settings <- stats::setNames(job$settings, gsub("-", "_", names(job$settings)))
    settings <- do.call(gate_settings, c(settings, list(looks = job$looks, look = job$look)))
    design <- experiment(golden_samples(job$file), modes, unlist(job$redefined))
    decision <- decide(design, settings)
    expect_equal(decision$verdict, job$verdict)
    expect_equal(sort(open_cells(design, decision, settings)), as.character(unlist(job$open)))
    expect_length(decision$tests, length(job$metrics))
    for (i in seq_along(job$metrics)) {
      test <- decision$tests[[i]]
      ours <- test$cells
      ours$outcome <- outcome_of(ours)
      ours$correlation <- test$chain$rho
      # The change of one mode that decides is a trimmed mean of its own; the one shown uses the blocks of d.
      ours$async_change <- exp(ours$async_m)
      theirs <- do.call(rbind, lapply(job$metrics[[i]]$cells, as.data.frame))
      expect_alike(ours, theirs[match(ours$cell, theirs$cell), ])
      pool <- figures_of(centres_in(design, test$d)$pooled, settings)
      expect_alike(c(list(outcome = outcome_of(test$pooled)), pool), job$metrics[[i]]$table)
      expect_alike(test$pooled, pool[c("change", "p_fail")])
    }
  })
}

test_that("the golden files have what is hard in the rule", {
  cells <- do.call(rbind, unlist(lapply(golden, function(job) {
    lapply(job$metrics, function(metric) do.call(rbind, lapply(metric$cells, as.data.frame)))
  }), recursive = FALSE))
  expect_setequal(vapply(golden, `[[`, "", "verdict"), c("pass", "regressed", "inconclusive"))
  expect_setequal(cells$outcome, c("held", "regressed", "spared"))
  expect_gt(length(unique(cells$correlation)), 3)
  expect_gt(length(unique(floor(cells$df))), 3)
  expect_setequal(lengths(lapply(golden, `[[`, "metrics")), 1:2)
})

test_that("golden.json is what the other program yields now", {
  script <- file.path(Sys.getenv("APB_R_HOME"), "tests", "independent", "golden.mjs")
  printed <- system2("node", c(script, "--print"), stdout = TRUE)
  expect_equal(jsonlite::fromJSON(printed, simplifyVector = FALSE), golden, tolerance = 1e-12)
})

test_that("the first golden files give the figures of the other program in analysis.json, too", {
  settings <- gate_settings(min_gain = 1, looks = 2)
  for (job in golden[1:2]) {
    found <- analyse(samples_from(read.csv(fixture(job$file))), modes, settings)$json
    expect_equal(found$verdict, job$verdict)
    expect_equal(found$pooled[c("change", "p_fail")], job$metrics[[1]]$table[c("change", "p_fail")], tolerance = 1e-9)
  }
  expect_match(found$reasons[[1]], "over all cells")
})

test_that("the interaction's F is the square of the paired t", {
  table <- read.csv(fixture("gate_fail_all.csv"))
  cell <- table[table$cell == "invoice/high", ]
  cell$block <- factor(cell$block)
  fit <- summary(aov(log(x) ~ mode * rev + Error(block / (mode * rev)), cell))
  f <- fit[["Error: block:mode:rev"]][[1]]
  expect_equal(c(f[["F value"]][1], f[["Pr(>F)"]][1]), c(71.313259, 1.43307e-5), tolerance = 1e-6)
  cell$block <- as.integer(cell$block)
  design <- experiment(samples_from(cell), modes)
  x <- arm_logs(design, "goodput")
  d <- (x$head_async - x$head_sync) - (x$base_async - x$base_sync)
  expect_equal(t.test(d[, 1])$statistic[[1]]^2, 71.313259, tolerance = 1e-6)
})

test_that("subtracting block means gives the same table as aov", {
  table <- block_anova(npk$yield, npk$block, ~ N * P * K, npk)
  expect_equal(table$term, c("block", "N", "P", "K", "N:P", "N:K", "P:K", "Residuals"))
  expect_equal(table$df, c(5, rep(1, 6), 12))
  expect_equal(table$f[1:7], c(4.446666, 12.258734, 0.544130, 6.165689, 1.378297, 2.145972, 0.031195), tolerance = 1e-5)
  # In unbalanced data the order of the terms matters.
  some <- npk[-c(2, 9, 17), ]
  whole <- summary(aov(yield ~ block + N * P, some))[[1]]
  swept <- block_anova(some$yield, some$block, ~ N * P, some)
  expect_equal(swept$sum_sq, whole[["Sum Sq"]], tolerance = 1e-10)
  expect_equal(swept$p[1:4], whole[["Pr(>F)"]][1:4], tolerance = 1e-10)
})

test_that("sign flips are exact for few blocks and close to the t test for many", {
  set.seed(3)
  d <- matrix(rnorm(10, log(0.95), 0.02))
  flips <- as.matrix(expand.grid(rep(list(c(-1, 1)), 10))) %*% (d - log(0.95)) / 10
  expect_equal(sign_flips(d, 0.95), mean(flips <= mean(d - log(0.95)) + 1e-12))
  many <- matrix(rnorm(300, log(0.95) - 0.002, 0.02), 150)
  by_t_test <- apply(many, 2, function(x) t.test(x, mu = log(0.95), alternative = "less")$p.value)
  expect_equal(sign_flips(many, 0.95), by_t_test, tolerance = 0.1)
})

test_that("Cohen's d has the interval of Hedges and Olkin", {
  # For n = 10 and 10 and d = 0.5, the variance is 0.2 + 0.25 / 40.
  x <- scale(1:10)[, 1]
  expect_equal(cohen_d(x + 0.5, x), 0.5 + c(0, -1, 1) * qnorm(0.975) * sqrt(0.2 + 0.25 / 40))
})
