# From the tests to one verdict, with sentences that say why.

MAX_LOST <- 0.10
ERROR_LEVEL <- 0.01

#' Every test of the gate, and the verdict.
#'
#' Order: a measurement that cannot be trusted is invalid whatever it shows; errors of head regress even where too few blocks
#' are left to test anything; then too little data is not gated; then the tests.
#'
#' @param run the content of run.json, or NULL
#' @return list: verdict, reasons (sentences), tests (by metric), min_gain, slowdown, errors, steady, little, warnings
decide <- function(design, settings, run = NULL) {
  errors <- error_test(design, settings)
  little <- little_law(run, design)
  out <- list(errors = errors, little = little, warnings = character(), tests = list())

  invalid <- c(
    if (design$lost > MAX_LOST) sprintf("%s of the quads were lost; at most %s may be.", percent(design$lost), percent(MAX_LOST)),
    above_sentences(errors$base_above, settings, "The error rate of base is too high to compare with"),
    if (any(little$broken)) {
      with(little[little$broken, ][1, ], sprintf(
        "%s/%s on %s: requests in flight were %s of the connections (Little's law): the load generator was the bottleneck, or connections waited unanswered. Use a lower concurrency, or a heavier path.",
        workload, load, mode, percent(little)
      ))
    }
  )
  if (length(invalid)) return(c(list(verdict = "invalid", reasons = invalid), out))

  head_errors <- c(
    above_sentences(errors$head_only_above, settings, "Head answers with errors"),
    if (errors$p < ERROR_LEVEL) {
      sprintf("Errors rose: %d runs had errors in head only, %d in base only (%s).", errors$only_head, errors$only_base, p_equals(errors$p))
    }
  )
  if (length(head_errors) && (design$has_base || nrow(errors$head_only_above))) {
    verdict <- if (design$has_base) "regressed" else "invalid"
    return(c(list(verdict = verdict, reasons = head_errors), out))
  }

  not_gated <- c(
    if (length(design$modes) < 2) "There is one mode only, so there is no gain.",
    if (!design$comparable) "Base and head define every workload differently, so there is nothing to compare.",
    if (design$blocks < MIN_BLOCKS) sprintf("%d complete blocks are too few to decide on; %d are needed.", design$blocks, MIN_BLOCKS),
    if (!design$has_base && is.null(settings$min_gain)) run$commits$without_base %||% "There is neither a base to compare with nor a min-gain."
  )
  if (length(not_gated)) {
    if (length(design$modes) >= 2 && design$blocks >= 2 && design$has_base) out$tests <- run_tests(design, settings)
    return(c(list(verdict = "not-gated", reasons = not_gated), out))
  }

  out$tests <- if (design$has_base) run_tests(design, settings) else list()
  out$min_gain <- test_min_gain(design, settings)
  out$slowdown <- test_slowdown(design, settings)
  out$steady <- steady_state(design)
  c(judge(design, settings, out), out)
}

run_tests <- function(design, settings) {
  metrics <- measured_metrics(design)
  tests <- lapply(metrics, function(metric) test_metric(design, metric, settings, length(metrics)))
  stats::setNames(tests, metrics)
}

judge <- function(design, settings, out) {
  a <- settings$alpha / settings$looks
  gain_lost <- out$min_gain[!is.null(out$min_gain) & out$min_gain$p_below_holm < a, , drop = FALSE]
  regressed <- c(
    unlist(lapply(names(out$tests), function(metric) regression_sentences(design, metric, out$tests[[metric]]))),
    if (!is.null(gain_lost) && nrow(gain_lost)) {
      sprintf("%s: the gain is %s, proven below the required %s.", gain_lost$cell, ratio_text(gain_lost$gain), ratio_text(gain_lost$min_gain))
    },
    if (any(out$slowdown$regressed)) {
      with(out$slowdown[out$slowdown$regressed, ], sprintf("%s: %s became %s (max-slowdown is %s).", cell, mode, METRICS$goodput$moved(change), percent(settings$max_slowdown)))
    }
  )
  spared <- spared_sentences(design, out$tests)
  if (length(regressed)) return(list(verdict = "regressed", reasons = c(regressed, spared)))

  cells <- out$tests$goodput$cells
  unproven <- cells$cell[cells$p_pass >= a]
  gain_open <- out$min_gain$cell[out$min_gain$p_above >= a]
  shifted <- out$steady[!is.null(out$steady) & out$steady$broken, , drop = FALSE]
  # A gain that is proven to have fallen while the sync mode became faster cannot be proven to have held; the async mode was, or is asked for.
  unproven <- setdiff(unproven, cells$cell[cells$spared | cells$unclear])
  open <- c(
    unclear_sentences(design, out$tests, settings),
    if (length(unproven)) {
      sprintf("A loss of %s is not excluded in %s.", percent(settings$resolution), paste(unproven, collapse = ", "))
    },
    if (length(gain_open)) sprintf("The required gain is not proven in %s.", paste(gain_open, collapse = ", ")),
    if (!is.null(shifted) && nrow(shifted)) {
      sprintf("%s on %s did not reach a steady state: its rate shifts by %s within a run, against base.", shifted$cell, shifted$mode, percent(shifted$shift))
    }
  )
  if (length(open)) {
    # More blocks do not bring a steady state.
    outlook <- if (is.null(shifted) || !nrow(shifted)) outlook_sentence(design, settings, out)
    return(list(verdict = "inconclusive", reasons = c(open, outlook, spared)))
  }
  list(verdict = "pass", reasons = c(pass_sentence(design, settings, out), spared))
}

pass_sentence <- function(design, settings, out) {
  c(
    if (length(out$tests)) {
      sprintf(
        "The gain of %s over %s held: %s over all cells (95 %% CI %s to %s). A loss of %s is excluded in every %scell.",
        design$gate_modes[2], design$gate_modes[1], signed(out$tests$goodput$pooled$change), signed(out$tests$goodput$pooled$change_low),
        signed(out$tests$goodput$pooled$change_high), percent(settings$resolution),
        if (any(out$tests$goodput$cells$spared)) "other " else ""
      )
    },
    if (!is.null(out$min_gain)) "Every required gain is proven."
  )
}

regression_sentences <- function(design, metric, test) {
  label <- METRICS[[metric]]$label
  what <- sprintf("gain of %s over %s in %s", design$gate_modes[2], design$gate_modes[1], label)
  moved <- METRICS[[metric]]$moved
  cause <- function(row) sprintf("%s %s, %s %s", design$gate_modes[2], moved(row$async_change), design$gate_modes[1], moved(row$sync_change))
  cells <- test$cells[test$cells$regressed, , drop = FALSE]
  c(
    if (test$pooled$regressed) {
      sprintf("The %s changed by %s over all cells (95 %% CI %s to %s): %s.", what, signed(test$pooled$change), signed(test$pooled$change_low), signed(test$pooled$change_high), cause(test$pooled))
    },
    vapply(seq_len(nrow(cells)), function(i) {
      row <- cells[i, ]
      sprintf("%s: the %s changed by %s (95 %% CI %s to %s): %s.", row$cell, what, signed(row$change), signed(row$change_low), signed(row$change_high), cause(row))
    }, character(1))
  )
}

spared_sentences <- function(design, tests) {
  unlist(lapply(names(tests), function(metric) {
    where <- fallen(tests[[metric]], "spared")$where
    if (!length(where)) return(NULL)
    sprintf(
      "In %s the gain in %s fell only because %s became faster; %s itself held. This is not counted as a regression (on-sync-improvement: warn).",
      paste(where, collapse = ", "), METRICS[[metric]]$label, design$gate_modes[1], design$gate_modes[2]
    )
  }))
}

unclear_sentences <- function(design, tests, settings) {
  unlist(lapply(names(tests), function(metric) {
    rows <- fallen(tests[[metric]], "unclear")
    if (!nrow(rows)) return(NULL)
    moved <- METRICS[[metric]]$moved
    sprintf(
      "In %s the gain in %s fell, and %s improved (%s). %s itself (%s) is proven neither to have held nor to have lost more than %s.",
      rows$where, METRICS[[metric]]$label, design$gate_modes[1], moved(rows$sync_change), design$gate_modes[2], moved(rows$async_change), percent(settings$max_regression)
    )
  }))
}

#' Cells, and the pool, whose fall of the gain is put down to `what`.
#'
#' @return data frame: where, async_change, async_se, sync_change
fallen <- function(test, what) {
  keep <- c("async_change", "async_se", "sync_change")
  cells <- test$cells[test$cells[[what]], , drop = FALSE]
  rbind(
    if (test$pooled[[what]]) data.frame(where = "all cells together", test$pooled[keep]),
    data.frame(where = cells$cell, cells[keep])
  )
}

above_sentences <- function(rates, settings, what) {
  if (!nrow(rates)) return(NULL)
  sprintf(
    "%s: %s of %s in %s failed (%d of %d requests, %d of %d runs failed wholly); allowed: %s.",
    what, percent(rates$rate, 2), rates$mode, rates$cell, rates$failed, rates$requests, rates$failed_runs, rates$runs, percent(settings$max_error_rate, 2)
  )
}
