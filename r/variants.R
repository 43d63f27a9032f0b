#!/usr/bin/env Rscript
# Simulates the rule with other estimators and prints the table of docs/error-rates.md.
# Rscript r/variants.R [--jobs 400]
options(warn = 2, OutDec = ".")
home <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])))
sources <- list.files(file.path(home, "R"), "\\.R$", full.names = TRUE, recursive = TRUE)
for (file in sources) source(file, encoding = "UTF-8")
for (name in c("simulate.R", "noises.R", "instructions.R", "jobs.R", "scenarios.R")) {
  source(file.path(home, "calibration", name), encoding = "UTF-8")
}

arguments <- commandArgs(TRUE)
n <- if (length(arguments) == 2 && arguments[1] == "--jobs") as.integer(arguments[2]) else 400L
if (is.na(n) || n < 1) stop("--jobs: allowed: a whole number above 0")

#' Moderated variances: each cell's variance is drawn towards a variance that the cells share (Smyth 2004).
#'
#' @param prior function of the cells' variances and degrees of freedom: degrees of freedom and variance of the prior
#' @return function as yuen_cells()
moderated <- function(prior) {
  force(prior)
  # The rule's own, before it is replaced.
  of_rule <- yuen_cells
  function(d, chain = NO_CHAIN, w = winsorise_cells(d)) {
    y <- of_rule(d, NO_CHAIN, w)
    k <- colSums(!is.na(d))
    h <- k - 2 * floor(TRIM * k)
    if (ncol(d) > 1 && min(y$se) > 0) {
      shared <- prior(y$se^2 * h, y$df)
      variance <- (shared$df * shared$variance + y$df * y$se^2 * h) / (shared$df + y$df)
      y <- list(m = y$m, se = sqrt(variance / h), df = y$df + shared$df)
    }
    each <- lapply(seq_along(k), function(j) {
      widened(list(m = y$m[j], se = y$se[j], df = y$df[j]), k[j], chain_in_cell(chain, j))
    })
    columns_of(each)
  }
}

#' A prior of 8 degrees of freedom around the geometric mean of the cells' variances.
prior_of_eight <- function(variances, df) list(df = 8, variance = exp(mean(log(variances))))

#' The prior from the spread of the cells' variances, as in limma's fitFDist().
prior_from_cells <- function(variances, df) {
  e <- log(variances) - digamma(df / 2) + log(df / 2)
  excess <- var(e) - mean(trigamma(df / 2))
  most <- 30
  half <- if (excess > trigamma(most / 2)) {
    uniroot(function(x) trigamma(x) - excess, c(1e-3, most / 2))$root
  } else {
    most / 2
  }
  list(df = 2 * half, variance = exp(mean(e) + digamma(half) - log(half)))
}

#' Huber's estimator with k = 1.5 and the median absolute deviation as its scale (Huber 1981).
#'
#' @return list: m, se, df, and u, the influence of each value, whose squares add up to se^2
huber <- function(x) {
  scale <- mad(x)
  if (scale < 1e-12) scale <- sd(x)
  n <- length(x)
  if (scale < 1e-12) return(list(m = mean(x), se = 0, df = n - 1, u = 0 * x))
  m <- median(x)
  for (step in 1:50) {
    weight <- pmin(1, 1.5 * scale / pmax(abs(x - m), 1e-12))
    m <- sum(weight * x) / sum(weight)
  }
  clipped <- pmax(-1.5, pmin(1.5, (x - m) / scale))
  u <- scale * clipped / (mean(abs(clipped) < 1.5) * sqrt(n * (n - 1)))
  list(m = m, se = sqrt(sum(u^2)), df = n - 1, u = u)
}

huber_one <- function(d, chain = NO_CHAIN, w = NULL) {
  x <- d[!is.na(d)]
  widened(huber(x)[c("m", "se", "df")], length(x), chain)
}

huber_cells <- function(d, chain = NO_CHAIN, w = NULL) {
  columns_of(lapply(seq_len(ncol(d)), function(j) huber_one(d[, j], chain_in_cell(chain, j))))
}

huber_pooled <- function(d, chain = NO_CHAIN, w = NULL, m = NULL) {
  each <- lapply(seq_len(ncol(d)), function(j) huber(d[!is.na(d[, j]), j]))
  u <- matrix(0, nrow(d), ncol(d))
  for (j in seq_len(ncol(d))) u[!is.na(d[, j]), j] <- each[[j]]$u
  least <- min(colSums(!is.na(d)))
  pooled <- list(m = mean(vapply(each, `[[`, 1, "m")), se = sqrt(sum(rowMeans(u)^2)), df = least - 1)
  widened(pooled, least, list(rho = max(chain$rho), jobs = chain$jobs))
}

columns_of <- function(each) {
  lapply(stats::setNames(nm = c("m", "se", "df")), function(name) vapply(each, `[[`, 1, name))
}

#' What each variant puts in the place of the rule's own.
VARIANTS <- list(
  "rule 2" = list(),
  "10 % trimmed" = list(TRIM = 0.1),
  "Huber 1.5" = list(yuen = huber_one, yuen_cells = huber_cells, yuen_pooled = huber_pooled),
  "moderated, 8 df" = list(yuen_cells = moderated(prior_of_eight)),
  "moderated, df from the cells" = list(yuen_cells = moderated(prior_from_cells))
)

SCENARIOS <- list(
  scenario("one cell loses 10 %: found", ONE(0.9), "regressed"),
  scenario("one cell loses 15 %: found", ONE(0.85), "regressed"),
  scenario("one cell loses 10 %: found", ONE(0.9), "regressed", adapts = TRUE),
  scenario("nothing changed: pass", ALL(1), "pass"),
  scenario("nothing changed: pass", ALL(1), "pass", adapts = TRUE),
  scenario("every cell loses 5 %: regressed", ALL(0.95), "regressed"),
  scenario("the same, SDs of d 9, 3, 3 and 3 %", ALL(0.95), "regressed", changes = UNEQUAL),
  scenario("the same, SDs of d 9, 3, 3 and 3 %", ALL(0.95), "regressed", adapts = TRUE, changes = UNEQUAL),
  scenario("the cell of 9 % alone loses 5 %: regressed", ONE(0.95), "regressed", changes = UNEQUAL)
)

rule <- lapply(stats::setNames(nm = unique(unlist(lapply(VARIANTS, names)))), get)
use <- function(functions) for (name in names(functions)) assign(name, functions[[name]], globalenv())
shares <- vapply(VARIANTS, function(variant) {
  use(rule)
  use(variant)
  vapply(SCENARIOS, function(s) mean(verdicts_of(s, n, parallel::detectCores()) == s$counted), 1)
}, numeric(length(SCENARIOS)))

table <- data.frame(
  "simulated job" = vapply(SCENARIOS, `[[`, "", "name"),
  blocks = vapply(SCENARIOS, function(s) if (s$adapts) "6 to 20, where open" else "10", ""), check.names = FALSE
)
table[names(VARIANTS)] <- lapply(seq_along(VARIANTS), function(i) percent(shares[, i], 1))
cat(knitr::kable(table, format = "pipe"), sep = "\n")
