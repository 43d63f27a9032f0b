# Estimates how much more measuring would probably decide an inconclusive verdict.

MOST_BLOCKS <- 200
POWER <- 0.8

#' Returns what still has to be proven.
#'
#' An open question is the change of a cell's gain, a required gain, or a change of the asynchronous mode that may
#' explain a fall.
#'
#' @return data frame, one row per open question: log of the estimate (`m`), its standard error (`se`), and number of
#'   replicates (`n`). It must be proven above `pass` to pass, or below `fail` at `level` to regress (both are logs)
open_questions <- function(design, settings, out) {
  a <- fail_level(settings)
  n <- replicates_in(design)
  bound <- log(1 - settings$max_regression)
  cells <- out$tests$goodput$cells
  gains <- out$min_gain
  # Further blocks bring no further counts of instructions, so only metrics of runs are asked about.
  tests <- out$tests[names(out$tests) %in% names(METRICS)]
  rbind(
    if (!is.null(cells)) {
      with(cells, data.frame(
        m = log(change), se = se, pass = log(1 - settings$resolution), fail = bound,
        level = a / length(tests) / 2 / nrow(cells), n = n[cell]
      ))[!cells$spared & !cells$unclear & cells$p_pass >= pass_level(settings), ]
    },
    do.call(rbind, lapply(tests, function(test) {
      rows <- fallen(test, "unclear")
      data.frame(
        m = rows$async_m, se = rows$async_se, pass = rep(bound, nrow(rows)), fail = rep(bound, nrow(rows)),
        level = rep(a / length(tests) / 2 / nrow(test$cells), nrow(rows)), n = rep(min(n), nrow(rows))
      )
    })),
    if (!is.null(gains)) {
      wanted <- log(gains$min_gain)
      data.frame(
        m = log(gains$gain), se = gains$se, pass = wanted, fail = wanted, level = a / nrow(gains), n = n[gains$cell]
      )[gains$p_above >= pass_level(settings), ]
    }
  )
}

#' Estimates after how many replicates the verdict would probably be pass or regressed; NA if `most` are not enough.
#'
#' Keeps the present estimate and spread. The standard error shrinks with the root of the number of replicates.
#'
#' @param open from open_questions()
#' @param a level of a pass
replicates_to_decide <- function(open, most, a) {
  for (k in seq(max(open$n) + 1, most)) {
    df <- k - 2 * floor(TRIM * k) - 1
    se <- open$se * sqrt(open$n / k)
    passes <- all((open$m - open$pass) / se > qt(1 - a, df) + qt(POWER, df))
    fails <- any((open$m - open$fail) / se < qt(open$level, df) - qt(POWER, df))
    if (isTRUE(passes || fails)) return(k)
  }
  NA_integer_
}

#' Returns the number of replicates of each cell, by its name.
replicates_in <- function(design) {
  if (design$unit == "job") return(stats::setNames(rep(design$jobs, length(design$cells)), design$cells))
  stats::setNames(colSums(design$complete), design$cells)
}

#' Says what more blocks would achieve, and which noise is in the way.
outlook_sentences <- function(design, settings, out, run) {
  open <- open_questions(design, settings, out)
  chain <- out$tests$goodput$chain %||% NO_CHAIN
  # All questions are answered, so more blocks would prove nothing new.
  if (!nrow(open)) return(noise_sentence(design, chain, run))
  # If jobs are the replicates, each of them brings several blocks.
  each <- if (design$unit == "job") design$blocks / design$jobs else 1
  there <- max(open$n) * each
  most <- max(MOST_BLOCKS, 2 * there)
  needed <- replicates_to_decide(open, ceiling(most / each), pass_level(settings))
  if (!is.na(needed)) {
    about <- "About %d blocks would probably decide it; there were %d."
    said <- sprintf(about, as.integer(ceiling(needed * each)), as.integer(round(there)))
    return(c(said, noise_sentence(design, chain, run)))
  }
  between <- open$m > open$fail & open$m < open$pass
  if (any(between)) {
    return(sprintf(
      paste(
        "More blocks would probably not decide it:",
        "the change lies between what passes (a loss below %s) and what fails (above %s)."
      ),
      percent(settings$resolution), percent(settings$max_regression)
    ))
  }
  c(
    sprintf(
      paste(
        "Even %d blocks would probably not decide it: they differ too much for a result this close to a limit.",
        "A quieter machine would help."
      ),
      as.integer(most)
    ),
    noise_sentence(design, chain, run)
  )
}
