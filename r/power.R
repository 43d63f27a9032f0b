#!/usr/bin/env Rscript
# The smallest change that a plan expects to see, before anything is measured.
# Arguments: KEY=NUMBER for each of blocks, cells, looks, max-regression (percent), alpha and slices (of a window;
# 1: one arm after the other).
home <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])))
for (name in c("yuen.R", "looks.R")) source(file.path(home, "R", "rule", name))
words <- strsplit(commandArgs(TRUE), "=", fixed = TRUE)
plan <- stats::setNames(as.list(as.numeric(vapply(words, `[`, "", 2))), vapply(words, `[`, "", 1))

# Typical spread of d between quads on a shared two-core machine. One arm after the other: the median absolute
# deviation of the quiet recording (docs/error-rates.md). Its standard deviation, 0.108, comes from few blocks that
# the trimmed mean does not see. In turns: that of the jobs of scripts/seeded-regressions.mjs (docs/method.md, "Taking
# turns").
SD <- if (plan$slices > 1) 0.055 else 0.085
# Quantiles of normal blocks stand for a typical sample of that size.
d <- SD * qnorm(ppoints(plan$blocks))
y <- yuen(d)
# At the last look, half of a metric's half for the cells.
level <- fail_level(list(alpha = plan$alpha, looks = plan$looks, look = plan$looks)) / 4
one <- mde90(y, plan[["max-regression"]] / 100, level / plan$cells)
promise <- paste(
  "on a machine without a busy neighbour a loss of about %.0f %% in one cell is seen 90 %% of the time;",
  "a busy one sees less\n"
)
cat(sprintf(promise, 100 * one))
