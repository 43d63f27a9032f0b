# The analysis of the paper (two-way ANOVA and t-test), then the model that fits our design, with its assumptions.

#' Turns an aov table into rows with partial eta squared: the term's share of what the other terms leave unexplained.
anova_rows <- function(workload, model, fit) {
  strata <- summary(fit)
  tables <- if (inherits(fit, "aovlist")) lapply(strata, function(s) s[[1]]) else list(strata[[1]])
  do.call(rbind, lapply(tables, function(table) {
    data.frame(
      workload = workload, model = model, term = trimws(rownames(table)),
      df = table[["Df"]], sum_sq = table[["Sum Sq"]],
      f = table[["F value"]] %||% NA_real_, p = table[["Pr(>F)"]] %||% NA_real_,
      partial_eta_sq = partial_eta_sq(table[["Sum Sq"]])
    )
  }))
}

#' Computes partial eta squared for each term.
#'
#' @param sum_sq sums of squares, the residuals last
partial_eta_sq <- function(sum_sq) {
  n <- length(sum_sq)
  c(sum_sq[-n] / (sum_sq[-n] + sum_sq[n]), NA_real_)
}

#' Computes two tables per workload: aov(goodput ~ mode * load) on the runs of head, as in the paper, and the log model
#' with block and revision.
anova_tables <- function(design) {
  rows <- counted(design)
  out <- lapply(split(rows, rows$workload), function(runs) {
    workload <- runs$workload[1]
    runs$load <- droplevels(runs$load)
    head <- runs[runs$revision == "head", ]
    if (several(head, c("mode", "load")) == "1") return(NULL)
    model <- paste("goodput ~", several(head, c("mode", "load")), "(head)")
    tables <- list(anova_rows(workload, model, fit_paper(head)))
    factors <- several(runs, c("mode", "load", "revision"))
    if (nlevels(runs$block) > 1) {
      table <- block_anova(log(runs$goodput_rps), runs$block, as.formula(paste("~", factors)), runs)
      tables <- c(tables, list(cbind(workload = workload, model = paste("log(goodput_rps) ~ block +", factors), table)))
    }
    do.call(rbind, tables)
  })
  out <- do.call(rbind, out)
  if (!is.null(out)) rownames(out) <- NULL
  out
}

#' Computes the table of aov(y ~ block + factors) by sequential sums of squares.
#'
#' A job may have thousands of blocks, so the model gets no column per block. Instead, the mean of the block is
#' subtracted from y and from every column. The sums of squares stay the same (Frisch and Waugh 1933).
#'
#' @param y numbers
#' @param block factor like y
#' @param factors one-sided formula
#' @param data frame that holds its variables
#' @return data frame: term, df, sum_sq, f, p; the last row is the residuals
block_anova <- function(y, block, factors, data) {
  labels <- attr(terms(factors), "term.labels")
  model <- model.matrix(factors, data)
  inside <- function(x) x - (rowsum(x, block) / as.vector(table(block)))[as.integer(block), , drop = FALSE]
  within_y <- inside(matrix(y))
  columns <- which(attr(model, "assign") > 0)
  qr <- qr(inside(model[, columns, drop = FALSE]), tol = 1e-7)
  used <- seq_len(qr$rank)
  term <- attr(model, "assign")[columns][qr$pivot[used]]
  effect <- qr.qty(qr, within_y)[used]^2
  kept <- sort(unique(term))
  df <- c(nlevels(block) - 1, as.vector(table(term)), length(y) - nlevels(block) - qr$rank)
  of_block <- sum((y - mean(y))^2) - sum(within_y^2)
  sum_sq <- c(of_block, as.vector(tapply(effect, term, sum)), sum(within_y^2) - sum(effect))
  mean_sq <- sum_sq / df
  last <- length(df)
  f <- c(mean_sq[-last] / mean_sq[last], NA_real_)
  data.frame(
    term = c("block", labels[kept], "Residuals"), df = df, sum_sq = sum_sq, f = f,
    p = pf(f, df, df[last], lower.tail = FALSE), partial_eta_sq = partial_eta_sq(sum_sq)
  )
}

fit_paper <- function(head) {
  model <- data.frame(y = head$goodput_rps, head[c("mode", "load")])
  aov(as.formula(paste("y ~", several(head, c("mode", "load")))), model)
}

#' Crosses the factors that have several levels: "mode * load". Returns "1" if none has.
several <- function(rows, factors) {
  vary <- factors[vapply(rows[factors], function(x) length(unique(x)) > 1, logical(1))]
  if (length(vary)) paste(vary, collapse = " * ") else "1"
}

#' Runs Welch's t-test on mode, per workload, on the runs of head in the first two modes.
t_tests <- function(design) {
  rows <- counted(design)
  if (length(design$modes) < 2) return(NULL)
  rows <- rows[rows$revision == "head" & rows$mode %in% design$gate_modes, ]
  rows$mode <- droplevels(rows$mode)
  out <- lapply(split(rows, rows$workload), function(runs) {
    if (nlevels(runs$mode) < 2 || min(table(runs$mode)) < 2) return(NULL)
    x <- runs$goodput_rps[runs$mode == design$gate_modes[2]]
    y <- runs$goodput_rps[runs$mode == design$gate_modes[1]]
    if (sd(x) + sd(y) == 0) return(NULL)
    test <- t.test(x, y)
    effect <- cohen_d(x, y)
    data.frame(
      workload = runs$workload[1], t = unname(test$statistic), df = unname(test$parameter), p = test$p.value,
      estimate = mean(x) - mean(y), low = test$conf.int[1], high = test$conf.int[2],
      cohen_d = effect[1], cohen_d_low = effect[2], cohen_d_high = effect[3]
    )
  })
  out <- do.call(rbind, out)
  if (!is.null(out)) rownames(out) <- NULL
  out
}

#' Computes Cohen's d, the difference of the means in pooled standard deviations, with its 95 % CI.
#'
#' Variance of d by Hedges and Olkin (1985): (n1 + n2) / (n1 n2) + d^2 / (2 (n1 + n2)).
cohen_d <- function(x, y) {
  n <- c(length(x), length(y))
  pooled <- sqrt(((n[1] - 1) * var(x) + (n[2] - 1) * var(y)) / (sum(n) - 2))
  d <- (mean(x) - mean(y)) / pooled
  half <- qnorm(0.975) * sqrt(sum(n) / prod(n) + d^2 / (2 * sum(n)))
  d + c(0, -half, half)
}

#' Returns the p of Brown and Forsythe's form of Levene's test: an ANOVA of the distances from the median.
brown_forsythe <- function(y, group) {
  distances <- data.frame(spread = abs(y - ave(y, group, FUN = median)), group = group)
  anova(lm(spread ~ group, distances))[["Pr(>F)"]][1]
}

#' Tests normality of the residuals, equality of the variances, and Welch's one-way test. The verdict ignores them.
assumptions <- function(design) {
  rows <- counted(design)
  rows <- rows[rows$revision == "head", ]
  out <- lapply(split(rows, rows$workload), function(runs) {
    fit <- fit_paper(runs)
    group <- interaction(runs$mode, runs$load, drop = TRUE)
    residual <- residuals(fit)
    # With one or two runs per group all distances from the median are equal, so there is nothing to test.
    enough <- sd(residual) > 0 && min(table(group)) > 2
    data.frame(
      workload = runs$workload[1],
      shapiro_p = if (enough && length(residual) <= 5000) shapiro.test(residual)$p.value else NA_real_,
      levene_p = if (enough && nlevels(group) > 1) brown_forsythe(runs$goodput_rps, group) else NA_real_,
      welch_p = if (enough && nlevels(group) > 1) oneway.test(runs$goodput_rps ~ group)$p.value else NA_real_
    )
  })
  out <- do.call(rbind, out)
  rownames(out) <- NULL
  out
}

#' Returns the runs of the blocks that count, with their factors.
counted <- function(design) {
  rows <- design$samples
  is_asked <- rows$cell %in% design$cells & rows$mode %in% design$modes
  rows <- rows[!is.na(rows$replicate) & is_asked & rows$goodput_rps > 0, ]
  rows$mode <- factor(rows$mode, design$modes)
  rows$load <- droplevels(factor(rows$load, unique(rows$load[order(rows$concurrency)])))
  rows$block <- factor(rows$replicate)
  rows$revision <- factor(rows$revision, c("base", "head"))
  rows
}
