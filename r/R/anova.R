# The paper's analysis: two-way ANOVA and t-test, then the model that fits the design, with its assumptions.

#' Rows of an aov table.
anova_rows <- function(workload, model, fit) {
  strata <- summary(fit)
  tables <- if (inherits(fit, "aovlist")) lapply(strata, function(s) s[[1]]) else list(strata[[1]])
  do.call(rbind, lapply(tables, function(table) {
    data.frame(
      workload = workload, model = model, term = trimws(rownames(table)), df = table[["Df"]], sum_sq = table[["Sum Sq"]],
      f = table[["F value"]] %||% NA_real_, p = table[["Pr(>F)"]] %||% NA_real_
    )
  }))
}

#' aov(goodput ~ mode * load) per workload on the head runs, as in the paper; then the log model with block and revision.
anova_tables <- function(design) {
  rows <- counted(design)
  out <- lapply(split(rows, rows$workload), function(runs) {
    workload <- runs$workload[1]
    head <- runs[runs$revision == "head", ]
    tables <- list(anova_rows(workload, "goodput ~ mode * load (head)", fit_paper(head)))
    terms <- c(if (nlevels(runs$load) > 1) "load", if (design$has_base) "revision")
    formula <- paste("log(goodput_rps) ~ block +", paste(c("mode", terms), collapse = " * "))
    if (nlevels(runs$block) > 1) tables <- c(tables, list(anova_rows(workload, formula, aov(as.formula(formula), runs))))
    do.call(rbind, tables)
  })
  out <- do.call(rbind, out)
  rownames(out) <- NULL
  out
}

fit_paper <- function(head) {
  if (nlevels(droplevels(head$load)) > 1) aov(goodput_rps ~ mode * load, head) else aov(goodput_rps ~ mode, head)
}

#' Welch's t-test on mode, per workload, on the head runs (the first two modes).
t_tests <- function(design) {
  rows <- counted(design)
  rows <- rows[rows$revision == "head" & rows$mode %in% design$gate_modes, ]
  rows$mode <- droplevels(rows$mode)
  out <- lapply(split(rows, rows$workload), function(runs) {
    if (nlevels(runs$mode) < 2 || min(table(runs$mode)) < 2) return(NULL)
    x <- runs$goodput_rps[runs$mode == design$gate_modes[2]]
    y <- runs$goodput_rps[runs$mode == design$gate_modes[1]]
    if (sd(x) + sd(y) == 0) return(NULL)
    test <- t.test(x, y)
    pooled <- sqrt((var(x) + var(y)) / 2)
    data.frame(
      workload = runs$workload[1], t = unname(test$statistic), df = unname(test$parameter), p = test$p.value,
      estimate = mean(x) - mean(y), low = test$conf.int[1], high = test$conf.int[2], cohen_d = (mean(x) - mean(y)) / pooled
    )
  })
  out <- do.call(rbind, out)
  if (!is.null(out)) rownames(out) <- NULL
  out
}

#' Reported, never decided on: normality of the residuals, equality of the variances, and Welch's one-way test.
assumptions <- function(design) {
  rows <- counted(design)
  rows <- rows[rows$revision == "head", ]
  out <- lapply(split(rows, rows$workload), function(runs) {
    fit <- fit_paper(runs)
    group <- interaction(runs$mode, runs$load, drop = TRUE)
    spread <- abs(runs$goodput_rps - ave(runs$goodput_rps, group, FUN = median))
    residual <- residuals(fit)
    # Distances from the median of one or two runs are equal: nothing to test.
    enough <- sd(residual) > 0 && min(table(group)) > 2
    data.frame(
      workload = runs$workload[1],
      shapiro_p = if (enough && length(residual) <= 5000) shapiro.test(residual)$p.value else NA_real_,
      # Brown and Forsythe's form of Levene's test: an ANOVA of the distances from the median.
      levene_p = if (enough && nlevels(group) > 1) anova(lm(spread ~ group))[["Pr(>F)"]][1] else NA_real_,
      welch_p = if (enough && nlevels(group) > 1) oneway.test(runs$goodput_rps ~ group)$p.value else NA_real_
    )
  })
  out <- do.call(rbind, out)
  rownames(out) <- NULL
  out
}

#' The rows of the blocks that count, with factors.
counted <- function(design) {
  rows <- design$samples
  rows <- rows[paste(rows$job, rows$block) %in% paste(design$replicates$job, design$replicates$block) &
    rows$cell %in% design$cells & rows$mode %in% design$modes & rows$goodput_rps > 0, ]
  rows$mode <- factor(rows$mode, design$modes)
  rows$load <- droplevels(factor(rows$load, unique(rows$load[order(rows$concurrency)])))
  rows$block <- factor(paste(rows$job, rows$block))
  rows$revision <- factor(rows$revision, c("base", "head"))
  rows
}
