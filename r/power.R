#!/usr/bin/env Rscript
# Predicts the smallest change that a plan finds, before anything is measured.
# Arguments: KEY=NUMBER for each of blocks, cells, looks, max-regression (percent), alpha and slices (of a window;
# 1 means one arm after the other).
home <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])))
for (name in c("yuen.R", "looks.R")) source(file.path(home, "R", "rule", name))
words <- strsplit(commandArgs(TRUE), "=", fixed = TRUE)
plan <- stats::setNames(as.list(as.numeric(vapply(words, `[`, "", 2))), vapply(words, `[`, "", 1))

# The typical spread of d between quads on a shared two-core machine.
# Without slices it is the median absolute deviation of the quiet recording (docs/error-rates.md). The standard
# deviation is 0.108, but it comes from few blocks that the trimmed mean ignores.
# With slices it comes from the jobs of scripts/seeded-regressions.mjs (docs/method.md, "Taking turns").
SD <- if (plan$slices > 1) 0.055 else 0.085
# Normal quantiles stand for a typical sample of that size.
d <- SD * qnorm(ppoints(plan$blocks))
y <- yuen(d)
# The last look has this level. A metric has half of it, and its cells have half of that.
level <- fail_level(list(alpha = plan$alpha, looks = plan$looks, look = plan$looks)) / 4
one <- mde90(y, plan[["max-regression"]] / 100, level / plan$cells)
promise <- paste(
  "on a machine without a busy neighbour a loss of about %.0f %% in one cell is seen 90 %% of the time;",
  "a busy one sees less\n"
)
cat(sprintf(promise, 100 * one))
