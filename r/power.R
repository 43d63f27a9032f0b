#!/usr/bin/env Rscript
# The smallest change that a plan expects to see, before anything is measured.
# Arguments: blocks, cells, looks, max-regression (percent), alpha, slices of a window (1: one arm after the other).
home <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])))
source(file.path(home, "R", "yuen.R"))
x <- as.numeric(commandArgs(TRUE))

# Typical spread of d between quads on a shared two-core machine: one arm after the other the median absolute deviation of the quiet recording
# (docs/error-rates.md), because the trimmed mean does not see the few blocks that make its standard deviation 0.108; in turns that of the jobs of
# scripts/seeded-regressions.mjs (docs/method.md, "Taking turns").
SD <- if (x[6] > 1) 0.055 else 0.085
# Quantiles of normal blocks stand for a typical sample of that size.
d <- SD * qnorm(ppoints(x[1]))
y <- yuen(d)
level <- x[5] / x[3] / 4
one <- mde90(y, x[4] / 100, level / x[2])
cat(sprintf("on a machine without a busy neighbour a loss of about %.0f %% in one cell is seen 90 %% of the time; a busy one sees less\n", 100 * one))
