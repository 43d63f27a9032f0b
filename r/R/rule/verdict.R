# Turns the tests into one verdict, with sentences that give the reasons.

#' The largest allowed shares of lost quads, overall and per cell: the choice of lost quads must not decide.
MAX_LOST <- 0.10
MAX_LOST_IN_CELL <- 0.20
#' The level of the test whether errors rose.
ERROR_LEVEL <- 0.01
#' The level at each of LOOKS looks. It is lower, because several looks find more by chance.
ERROR_LEVEL_OF_MANY <- 0.005

#' Runs the tests of the gate and gives the verdict.
#'
#' The first of these rules that applies gives the verdict.
#' A measurement that cannot be trusted is invalid, whatever it shows.
#' Errors of head are a regression, even if too few blocks are left for a test.
#' A job with too little data is not gated. Otherwise the tests decide.
#'
#' @param run the content of run.json, or NULL
#' @param outlook function(design, settings, out, run) that says what more blocks would achieve
#' @return list: verdict, reasons (sentences, names in code spans), tests (by metric), errors, little, and if the tests
#'   decide, min_gain, slowdown, growth, steady
decide <- function(design, settings, run = NULL, outlook = outlook_sentences) {
  errors <- error_test(design, settings)
  little <- little_law(run, design)
  out <- list(errors = errors, little = little, tests = list())

  invalid <- invalid_sentences(design, settings, errors, little)
  if (length(invalid)) return(c(list(verdict = "invalid", reasons = invalid), out))

  head_errors <- head_error_sentences(settings, errors)
  if (length(head_errors) && (design$has_base || nrow(errors$head_only_above))) {
    verdict <- if (design$has_base) "regressed" else "invalid"
    return(c(list(verdict = verdict, reasons = head_errors), out))
  }

  not_gated <- not_gated_sentences(design, settings, run)
  if (length(not_gated)) {
    if (length(design$modes) >= 2 && design$blocks >= 2 && design$has_base) out$tests <- run_tests(design, settings)
    return(c(list(verdict = "not-gated", reasons = not_gated), out))
  }

  out$tests <- if (design$has_base) run_tests(design, settings) else list()
  out$min_gain <- test_min_gain(design, settings)
  out$slowdown <- test_slowdown(design, settings)
  out$growth <- test_growth(design, settings)
  out$steady <- steady_state(design, settings)
  c(judge(design, settings, out, run, outlook), out)
}

#' Sentences that say why the measurement cannot be trusted; NULL if it can.
invalid_sentences <- function(design, settings, errors, little) {
  c(
    lost_sentence(design),
    above_sentences(errors$base_above, settings, "The error rate of base is too high to compare with"),
    if (any(little$broken)) little_sentence(little[little$broken, ][1, ])
  )
}

#' A sentence if too many quads were lost, overall or in one cell; otherwise NULL.
lost_sentence <- function(design) {
  worst <- which.max(design$lost_in)
  if (design$lost > MAX_LOST) {
    sprintf("%s of the quads were lost; at most %s are allowed.", percent(design$lost), percent(MAX_LOST))
  } else if (length(worst) && design$lost_in[worst] > MAX_LOST_IN_CELL) {
    sprintf(
      "%s of the quads of %s were lost; at most %s of a cell's are allowed.", percent(design$lost_in[[worst]]),
      code(names(worst)), percent(MAX_LOST_IN_CELL)
    )
  }
}

#' A sentence that says why Little's law does not hold in a cell.
#'
#' A closed loop has at most as many requests in flight as connections.
#' So a value above 1 shows that requests counted in the window began before it.
#'
#' @param row one row of little_law()
little_sentence <- function(row) {
  sprintf(
    "%s on %s: requests in flight were %s of the connections (Little's law): %s",
    code(paste(row$workload, row$load, sep = "/")), code(row$mode), percent(row$little),
    if (row$little > 1) {
      paste(
        "the warm-up was too short, and answers were still becoming faster in the window.",
        "Use the full profile, which fits warm-up and window to the latency, or a less busy machine."
      )
    } else {
      paste(
        "the load generator was the bottleneck, or connections waited unanswered.",
        "Use a lower concurrency, or a heavier path."
      )
    }
  )
}

#' Sentences about errors of head that are a regression; NULL if there are none.
head_error_sentences <- function(settings, errors) {
  c(
    above_sentences(errors$head_only_above, settings, "Head answers with errors"),
    if (errors$p < if (settings$looks == LOOKS) ERROR_LEVEL_OF_MANY else ERROR_LEVEL) {
      sprintf(
        "Errors rose: %d runs had errors in head only, %d in base only (%s).",
        errors$only_head, errors$only_base, p_equals(errors$p)
      )
    }
  )
}

#' Sentences that say why there is nothing to decide, or too little data; NULL if there is enough.
not_gated_sentences <- function(design, settings, run) {
  c(
    if (length(design$modes) < 2) "There is only one mode, so there is no gain.",
    if (!design$comparable) "Base and head define every workload differently, so there is nothing to compare.",
    if (design$blocks < MIN_BLOCKS) {
      sprintf("%d complete blocks are too few to decide on; %d are needed.", design$blocks, MIN_BLOCKS)
    },
    if (!design$has_base && is.null(settings$min_gain)) {
      run$commits$without_base %||% "There is neither a base to compare with nor a min-gain."
    }
  )
}

run_tests <- function(design, settings) {
  metrics <- measured_metrics(design)
  tests <- lapply(metrics, function(metric) test_metric(design, metric, settings, length(metrics)))
  tests <- stats::setNames(tests, metrics)
  tests$instructions <- test_instructions(design, settings, tests)
  tests
}

judge <- function(design, settings, out, run, outlook) {
  regressed <- c(
    unlist(lapply(names(out$tests), function(metric) regression_sentences(design, metric, out$tests[[metric]]))),
    missed_gain_sentences(out),
    slowdown_sentences(design, settings, out),
    growth_sentences(out$growth)
  )
  spared <- spared_sentences(design, out$tests)
  if (length(regressed)) return(list(verdict = "regressed", reasons = c(regressed, spared)))

  cells <- out$tests$goodput$cells
  unproven <- cells$cell[cells$p_pass >= pass_level(settings)]
  gain_open <- out$min_gain$cell[out$min_gain$p_above >= pass_level(settings)]
  shifted <- out$steady[!is.null(out$steady) & out$steady$broken, , drop = FALSE]
  # If the gain fell because the sync mode became faster, nothing can prove that it held. So the async mode is tested.
  unproven <- setdiff(unproven, cells$cell[cells$spared | cells$unclear])
  passing <- setdiff(cells$cell, c(unproven, cells$cell[cells$spared | cells$unclear]))
  hidden <- if (!is.null(cells)) hidden_sentences(design, out$tests$goodput, settings, passing)
  untested <- c(untested_growth_sentences(out$growth), uncounted_sentences(design))
  open <- c(
    unclear_sentences(design, out$tests, settings),
    if (length(unproven)) {
      sprintf(
        "A loss of %s is not excluded in %s.", percent(settings$resolution),
        if (length(unproven) > 1 && length(unproven) == nrow(cells)) "any cell" else listed(code(unproven))
      )
    },
    if (length(gain_open)) sprintf("The required gain is not proven in %s.", listed(code(gain_open))),
    hidden,
    untested,
    unsteady_sentences(shifted)
  )
  if (length(open)) {
    # More blocks help neither against an unsteady state nor against missing values or a hidden loss.
    asks_for_blocks <- !length(hidden) && !length(untested) && (is.null(shifted) || !nrow(shifted))
    more <- if (asks_for_blocks) outlook(design, settings, out, run)
    return(list(verdict = "inconclusive", reasons = c(open, more, spared)))
  }
  list(verdict = "pass", reasons = c(spared, pass_sentences(design, settings, out)))
}

#' The cells, and the pool, in which put_down() attributes the fall of the gain to `what`.
#'
#' @param what "spared", "unclear", "regressed" or "held"
#' @return data frame: where, async_change, async_m, async_se, sync_change
fallen <- function(test, what) {
  keep <- c("async_change", "async_m", "async_se", "sync_change")
  # Most tests find nothing, and data frames are slow.
  if (!any(test$cells[[what]], test$pooled[[what]])) {
    return(list2DF(c(list(where = character()), test$cells[0, keep])))
  }
  cells <- test$cells[test$cells[[what]], , drop = FALSE]
  rbind(
    # The pool of one cell is that cell.
    if (test$pooled[[what]] && nrow(test$cells) > 1) data.frame(where = "over all cells", test$pooled[keep]),
    data.frame(where = sprintf("in %s", code(cells$cell)), cells[keep])
  )
}

above_sentences <- function(rates, settings, what) {
  if (!nrow(rates)) return(NULL)
  sprintf(
    "%s: %s of %s in %s failed (%d of %d requests, %d of %d runs failed completely); allowed: %s.",
    what, percent(rates$rate, 2), code(rates$mode), code(rates$cell), rates$failed, rates$requests, rates$failed_runs,
    rates$runs, percent(settings$max_error_rate, 2)
  )
}
