# Tests the comparison of modes in pairs.
values <- list(a = c(9, 10, 11, 10.5), b = c(14, 11, 18, 13), c = c(15, 15.2, 14.9), d = c(10.4, 11.5, 10.9, 10.1, 12))
y <- unlist(values)
group <- factor(rep(names(values), lengths(values)))

test_that("agrees with another implementation of Games and Howell's test", {
  theirs <- rstatix::games_howell_test(data.frame(y, group), y ~ group)
  ours <- games_howell(y, group)[cbind(theirs$group1, theirs$group2)]
  expect_equal(signif(ours, 2), signif(theirs$p.adj, 2), tolerance = 0.06)
  two <- group %in% c("a", "b")
  p <- games_howell(y[two], droplevels(group[two]))
  expect_equal(p["a", "b"], t.test(values$a, values$b)$p.value, tolerance = 1e-5)
})

test_that("without any spread, values differ or are equal", {
  p <- games_howell(c(5, 5, 5, 5, 7, 7), factor(rep(c("a", "b", "c"), each = 2)))
  expect_equal(p["a", "b"], 1)
  expect_equal(p["a", "c"], 0)
})

test_that("groups share a letter exactly if they do not differ", {
  order <- letters[1:5]
  for (seed in 1:50) {
    set.seed(seed)
    p <- matrix(1, 5, 5, dimnames = list(order, order))
    p[upper.tri(p)] <- ifelse(runif(10) < 0.5, 0.01, 0.5)
    p <- pmin(p, t(p))
    found <- strsplit(shared_letters(p, order), "")
    expect_equal(found[[1]][1], "a")
    for (one in order) for (other in setdiff(order, one)) {
      expect_equal(length(intersect(found[[one]], found[[other]])) > 0, p[one, other] > 0.05)
    }
  }
})

test_that("Graph 2 marks modes that do not differ with the same letter", {
  runs <- data.frame(workload = "page", load = factor("high"), mode = factor(group, names(values)), goodput_rps = y)
  runs$revision <- "head"
  drawn <- graph2(runs, list(design = list(modes = names(values))))
  shown <- setNames(drawn$plot$data$letters, drawn$plot$data$mode)
  expect_equal(shown, c(a = "b", b = "ab", c = "a", d = "b"))
  expect_equal(drawn$plot$data$low[1], t.test(values$a)$conf.int[1])
  one <- graph2(runs[!duplicated(runs$mode), ], list(design = list(modes = names(values))))
  expect_equal(one$plot$data$letters, rep("", 4))
  expect_true(all(is.na(one$plot$data$low)))
})

test_that("two runs per mode, as of a job with two blocks, give no letters and no error", {
  runs <- data.frame(workload = "page", load = "low", mode = factor(c("a", "a", "b", "b")), goodput_rps = c(1, 2, 5, 9))
  expect_no_warning(means <- mode_means(runs))
  expect_equal(means$letters, c("", ""))
  expect_equal(means$low[1], t.test(c(1, 2))$conf.int[1])
})
