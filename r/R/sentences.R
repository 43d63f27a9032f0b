# Writes the reasons of a verdict as sentences, with names in code spans.

#' "The gain of `swoole` over `fpm`".
gain_of <- function(design) sprintf("gain of %s over %s", code(design$gate_modes[2]), code(design$gate_modes[1]))

#' Says why a verdict is a pass, apart from gains that fell only because of the synchronous mode.
pass_sentences <- function(design, settings, out) {
  test <- out$tests$goodput
  loss <- percent(settings$resolution)
  c(
    if (is.null(test) || all(test$cells$spared)) {
      NULL
    } else if (any(test$cells$spared)) {
      sprintf("In every other cell a loss of %s of the gain is excluded.", loss)
    } else {
      one <- nrow(test$cells) == 1
      where <- if (one) paste("in", code(test$cells$cell)) else "over all cells"
      change <- signed(test$pooled$change)
      # Without the sign: in "rose by +3 %" it would repeat the verb.
      rise <- sub("+", "", change, fixed = TRUE)
      moved <- if (has_risen(test$pooled)) paste("rose by", rise) else paste("held:", change)
      paste0(
        if (!test$pooled$spared) {
          sprintf(
            "The %s %s %s (95 %% CI %s to %s)%s. ", gain_of(design), moved, where, signed(test$pooled$change_low),
            signed(test$pooled$change_high),
            # The gain also rises if the synchronous mode became slower, so both modes are named.
            if (has_risen(test$pooled)) paste0(": ", modes_moved(design, "goodput", test$pooled)) else ""
          )
        },
        sprintf("A loss of %s is excluded%s.", loss, if (one) "" else " in every cell")
      )
    },
    if (length(design$new_cells)) {
      sprintf("Base does not have %s: measured, but not compared.", listed(code(design$new_cells)))
    },
    if (!is.null(out$min_gain)) "Every required gain is proven."
  )
}

#' Says what each mode did, head against base: "`swoole` 76.0 % slower, `fpm` changed by less than 1 %".
modes_moved <- function(design, metric, row) {
  moved <- metric_words(metric)$moved
  mode <- code(design$gate_modes)
  sprintf("%s %s, %s %s", mode[2], moved(row$async_change), mode[1], moved(row$sync_change))
}

regression_sentences <- function(design, metric, test) {
  what <- paste(gain_of(design), "in", metric_words(metric)$label)
  sentence <- function(row, where) {
    # "fell by" replaces the sign of the change. The limits keep theirs.
    interval <- sprintf("(95 %% CI %s to %s)", signed(row$change_low), signed(row$change_high))
    fall <- sub("-", "", signed(row$change), fixed = TRUE)
    sprintf("The %s fell by %s %s %s: %s.", what, fall, where, interval, modes_moved(design, metric, row))
  }
  cells <- test$cells[test$cells$regressed, , drop = FALSE]
  # With one cell, the pool would repeat it.
  if (!test$pooled$regressed || nrow(test$cells) == 1) {
    each <- function(i) sentence(cells[i, ], paste("in", code(cells$cell[i])))
    return(vapply(seq_len(nrow(cells)), each, character(1)))
  }
  by_cell <- paste(sprintf("%s (%s)", code(cells$cell), signed(cells$change)), collapse = ", ")
  c(sentence(test$pooled, "over all cells"), if (nrow(cells)) sprintf("Cells in which this is proven: %s.", by_cell))
}

#' One sentence per cell that misses its required gain. The gain is that of the table, if there is one.
missed_gain_sentences <- function(out) {
  missed <- out$min_gain[out$min_gain$missed, , drop = FALSE]
  if (is.null(missed) || !nrow(missed)) return(NULL)
  cells <- out$tests$goodput$cells
  gain <- if (is.null(cells)) missed$gain else cells$gain_head[match(missed$cell, cells$cell)]
  sprintf(
    "%s: the gain is %s, proven below the required %s.", code(missed$cell), ratio_text(gain),
    ratio_text(missed$min_gain)
  )
}

#' One sentence per mode that became too slow. The changes are those of the table.
slowdown_sentences <- function(design, settings, out) {
  slower <- out$slowdown[out$slowdown$regressed, , drop = FALSE]
  if (is.null(slower) || !nrow(slower)) return(NULL)
  cells <- out$tests$goodput$cells[match(slower$cell, out$tests$goodput$cells$cell), ]
  change <- ifelse(slower$mode == design$gate_modes[1], cells$sync_change, cells$async_change)
  by_cell <- sprintf("in %s by %s", code(slower$cell), percent(1 - change))
  vapply(unique(slower$mode), function(mode) {
    sprintf(
      "%s became slower %s; `max-slowdown` allows %s.", code(mode), listed(by_cell[slower$mode == mode]),
      percent(settings$max_slowdown)
    )
  }, character(1), USE.NAMES = FALSE)
}

spared_sentences <- function(design, tests) {
  unlist(lapply(names(tests), function(metric) {
    test <- tests[[metric]]
    where <- fallen(test, "spared")$where
    if (!length(where)) return(NULL)
    if (nrow(test$cells) > 1 && all(test$cells$spared)) where <- "in every cell"
    sprintf(
      paste(
        "The gain in %s fell %s only because %s %s; %s itself held.",
        "That is not a regression (`on-sync-improvement` is `warn`)."
      ),
      metric_words(metric)$label, listed(where), code(design$gate_modes[1]), metric_words(metric)$improved,
      code(design$gate_modes[2])
    )
  }))
}

unclear_sentences <- function(design, tests, settings) {
  unlist(lapply(names(tests), function(metric) {
    rows <- fallen(tests[[metric]], "unclear")
    if (!nrow(rows)) return(NULL)
    moved <- metric_words(metric)$moved
    sprintf(
      paste(
        "The gain in %s fell %s, and %s improved (%s).",
        "It is not proven whether %s held or lost more than %s (estimate: %s)."
      ),
      metric_words(metric)$label, rows$where, code(design$gate_modes[1]), moved(rows$sync_change),
      code(design$gate_modes[2]), percent(settings$max_regression), moved(rows$async_change)
    )
  }))
}

unsteady_sentences <- function(shifted) {
  if (is.null(shifted) || !nrow(shifted)) return(NULL)
  sprintf(
    paste(
      "%s on %s did not reach a steady state: from the first half of a run to the second its rate moves by %s",
      "against base; %s is allowed."
    ),
    code(shifted$cell), code(shifted$mode), signed(1 + shifted$shift), percent(shifted$allowed)
  )
}
