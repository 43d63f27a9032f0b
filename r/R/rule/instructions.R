# Tests the gain in instructions per request: a metric that hardly varies, but ignores waiting.

#' The words for its changes. It is not in METRICS, because samples.csv has no column of it.
INSTRUCTIONS <- list(
  label = "instructions per request", improved = "needs fewer instructions",
  moved = function(ratio) moved_text(1 / ratio, "fewer instructions", "more instructions", "the instructions")
)

#' The label and words of a metric, by its name in analysis.json.
metric_words <- function(name) if (name == "instructions") INSTRUCTIONS else METRICS[[name]]

#' The fewest counts per arm that are tested.
MIN_COUNTS <- 3

#' The least standard deviation of log counts; smaller ones are replaced by it.
#'
#' Three equal counts do not prove that a fourth would be equal. Two builds of one source differ by about this much.
LEAST_COUNT_SD <- 0.002

#' The share of alpha for instructions, in addition to the levels of the timed metrics, which stay as they are.
#'
#' It is 0.5 % if alpha is 5 %. That is enough, because a loss is large compared with the spread of counts.
INSTRUCTION_SHARE <- 0.1

#' Tests the change of the gain in instructions per request, with a Welch t-test on four means.
#'
#' Arms are counted at different times, so their counts are independent and nothing is paired.
#' Within a job, m is the contrast of the four means of log(1 / instructions per request).
#' Base and head of a mode have a similar spread, so they share one variance s^2. The two modes have their own.
#' The variance of m is the sum of s^2 / n over the arms.
#' Its df is that of Welch and Satterthwaite, with one term per mode. Over jobs and cells, m is the mean.
#'
#' @param design from experiment(), with `counts` from read_counts()
#' @param tests of the timed metrics: if they prove that the gain held, a loss in instructions is only a warning
#' @return as from test_metric(), without d and chain, and with `held` for the cells and the pool.
#'   NULL if no cell has enough counts of every arm
test_instructions <- function(design, settings, tests) {
  counts <- counts_of_gate(design)
  contrasts <- Filter(Negate(is.null), lapply(stats::setNames(nm = design$cells), contrasts_of, counts, design))
  if (!length(contrasts)) return(NULL)
  centre <- function(name) welch_rows(lapply(contrasts, `[[`, name))
  pool <- function(name) welch_mean(lapply(contrasts, `[[`, name))
  level <- settings$alpha * INSTRUCTION_SHARE / 2
  bound <- 1 - settings$max_regression
  held <- held_in_time(names(contrasts), settings, tests)

  y <- centre("change")
  ci <- ratio_ci(y)
  async <- centre("async")
  cells <- data.frame(
    cell = names(contrasts), gain_base = exp(centre("base")$m), gain_head = exp(centre("head")$m),
    change = ci$estimate, change_low = ci$low, change_high = ci$high,
    p_fail = p_below(y, bound), p_pass = p_above(y, 1 - settings$resolution),
    mde90 = mde90(y, settings$max_regression, level / length(contrasts)), async_change = exp(async$m),
    sync_change = exp(centre("sync")$m), async_m = async$m, async_se = async$se, se = y$se, df = y$df, hidden = FALSE,
    row.names = NULL
  )
  cells$p_fail_holm <- p.adjust(cells$p_fail, "holm")
  cells[c("spared", "unclear", "regressed")] <- put_down(
    cells$p_fail_holm < level, async, centre("sync"), settings, level
  )
  cells$held <- cells$regressed & held
  cells$regressed <- cells$regressed & !held

  y <- pool("change")
  ci <- ratio_ci(y)
  async <- pool("async")
  p_fail <- p_below(y, bound)
  pooled <- c(
    list(
      change = ci[["estimate"]], change_low = ci[["low"]], change_high = ci[["high"]], p_fail = p_fail,
      mde90 = mde90(y, settings$max_regression, level), async_change = exp(async$m),
      sync_change = exp(pool("sync")$m), async_m = async$m, async_se = async$se, hidden = FALSE
    ),
    put_down(p_fail < level, async, pool("sync"), settings, level)
  )
  pooled$held <- pooled$regressed && all(held)
  pooled$regressed <- pooled$regressed && !all(held)
  list(cells = cells, pooled = pooled)
}

#' The counts of the gated cells and modes, of all jobs.
counts_of_gate <- function(design) {
  counts <- design$counts
  counts[counts$cell %in% design$cells & counts$mode %in% design$gate_modes, , drop = FALSE]
}

#' The contrasts of a cell's means: change of the gain, gain of base and of head, head / base of each mode.
#'
#' @return named list of list(m, v, df), on the log scale. v and df have one element per job and mode.
#'   NULL if an arm has too few counts
contrasts_of <- function(cell, counts, design) {
  counts <- counts[counts$cell == cell, , drop = FALSE]
  arms <- expand.grid(
    mode = design$gate_modes, revision = c("base", "head"), job = unique(counts$job), stringsAsFactors = FALSE
  )
  logs <- lapply(seq_len(nrow(arms)), function(i) {
    with(arms[i, ], log(1 / counts$instructions_per_request[
      counts$job == job & counts$revision == revision & counts$mode == mode
    ]))
  })
  n <- lengths(logs)
  if (!length(n) || any(n < MIN_COUNTS)) return(NULL)
  jobs <- length(unique(arms$job))
  m <- vapply(logs, mean, 1)
  spread <- paste(arms$job, arms$mode, sep = "\r")
  squares <- vapply(logs, stats::var, 1) * (n - 1)
  df <- tapply(n - 1, spread, sum)
  variance <- pmax(tapply(squares, spread, sum) / df, LEAST_COUNT_SD^2)
  is_async <- arms$mode == design$gate_modes[2]
  is_head <- arms$revision == "head"
  contrast <- function(weight) {
    weight <- weight / jobs
    list(m = sum(weight * m), v = tapply(weight^2 / n, spread, sum) * variance, df = df)
  }
  list(
    change = contrast(ifelse(is_async == is_head, 1, -1)),
    base = contrast(ifelse(is_head, 0, ifelse(is_async, 1, -1))),
    head = contrast(ifelse(!is_head, 0, ifelse(is_async, 1, -1))),
    async = contrast(ifelse(!is_async, 0, ifelse(is_head, 1, -1))),
    sync = contrast(ifelse(is_async, 0, ifelse(is_head, 1, -1)))
  )
}

#' Standard error and df by Welch and Satterthwaite: se^2 = sum v, df = (sum v)^2 / sum(v^2 / df).
welch <- function(contrast) with(contrast, list(m = m, se = sqrt(sum(v)), df = sum(v)^2 / sum(v^2 / df)))

#' welch() of several cells: m, se and df as vectors with one element per cell.
welch_rows <- function(contrasts) {
  each <- lapply(contrasts, welch)
  lapply(stats::setNames(nm = c("m", "se", "df")), function(name) unname(vapply(each, `[[`, 1, name)))
}

#' welch() of the mean over cells. Their counts are independent.
welch_mean <- function(contrasts) {
  cells <- length(contrasts)
  take <- function(name) unlist(lapply(contrasts, `[[`, name))
  welch(list(m = sum(take("m")) / cells, v = take("v") / cells^2, df = take("df")))
}

#' Whether goodput and CPU time both prove that the gain held, one logical per cell.
held_in_time <- function(cells, settings, tests) {
  passes <- function(test) {
    if (is.null(test)) return(rep(FALSE, length(cells)))
    test$cells$cell[test$cells$p_pass < pass_level(settings) & !test$cells$hidden]
  }
  cells %in% passes(tests$goodput) & cells %in% passes(tests$cpu)
}

#' Sentences about a loss in instructions that goodput and CPU time contradict; NULL if there is none.
held_sentences <- function(design, test) {
  if (is.null(test)) return(NULL)
  lost <- fallen(test, "held")
  if (!nrow(lost)) return(NULL)
  change <- c(if (test$pooled$held && nrow(test$cells) > 1) test$pooled$change, test$cells$change[test$cells$held])
  sprintf(
    paste(
      "The %s in instructions per request fell by %s %s, but goodput and CPU time prove that the gain held.",
      "That gates nothing."
    ),
    gain_of(design), sub("-", "", signed(change), fixed = TRUE), lost$where
  )
}

#' Cells with enough counts of base but not of head. They prevent a pass, because head could hide a loss.
uncounted_cells <- function(design) {
  counts <- counts_of_gate(design)
  if (is.null(counts) || !nrow(counts)) return(character())
  Filter(function(cell) is_counted(design, cell, "base") && !is_counted(design, cell, "head"), design$cells)
}

#' Whether each mode of the gate has enough counts of a revision in a cell.
is_counted <- function(design, cell, revision) {
  counts <- design$counts
  rows <- counts$cell == cell & counts$revision == revision
  all(table(factor(counts$mode[rows], design$gate_modes)) >= MIN_COUNTS)
}

uncounted_sentences <- function(design) {
  cells <- uncounted_cells(design)
  if (!length(cells)) return(NULL)
  sprintf("The instructions of head could not be counted in %s, those of base could.", listed(code(cells)))
}
