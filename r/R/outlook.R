# What an inconclusive verdict leaves open: how much more measuring would probably decide it.

MOST_BLOCKS <- 200
POWER <- 0.8

#' What still has to be proven, one way or the other.
#'
#' @return data frame, one row per open question (the change of a cell's gain, a required gain, or a change of the
#'   asynchronous mode that may explain a fall): the log of the estimate (`m`), its standard error (`se`), the logs of
#'   what it must be proven above to pass (`pass`) and below to regress (`fail`), the level of the latter
open_questions <- function(design, settings, out) {
  a <- settings$alpha / settings$looks
  bound <- log(1 - settings$max_regression)
  cells <- out$tests$goodput$cells
  gains <- out$min_gain
  # Further blocks bring no further counts of instructions.
  tests <- out$tests[names(out$tests) %in% names(METRICS)]
  rbind(
    if (!is.null(cells)) {
      with(cells, data.frame(
        m = log(change), se = se, pass = log(1 - settings$resolution), fail = bound,
        level = a / length(tests) / 2 / nrow(cells)
      ))[!cells$spared & !cells$unclear, ]
    },
    do.call(rbind, lapply(tests, function(test) {
      rows <- fallen(test, "unclear")
      data.frame(
        m = rows$async_m, se = rows$async_se, pass = rep(bound, nrow(rows)), fail = rep(bound, nrow(rows)),
        level = rep(a / length(tests) / 2 / nrow(test$cells), nrow(rows))
      )
    })),
    if (!is.null(gains)) {
      wanted <- log(gains$min_gain)
      data.frame(m = log(gains$gain), se = gains$se, pass = wanted, fail = wanted, level = a / nrow(gains))
    }
  )
}

#' Number of replicates after which the verdict would probably be pass or regressed, or NA if `most` would not do.
#'
#' Takes estimate and spread as they are now and lets the standard error shrink with the root of the number of
#' replicates.
#'
#' @param open from open_questions()
#' @param n the replicates that there are
replicates_to_decide <- function(open, n, most, a) {
  for (k in seq(n + 1, most)) {
    df <- k - 2 * floor(TRIM * k) - 1
    se <- open$se * sqrt(n / k)
    passes <- all((open$m - open$pass) / se > qt(1 - a, df) + qt(POWER, df))
    fails <- any((open$m - open$fail) / se < qt(open$level, df) - qt(POWER, df))
    if (isTRUE(passes || fails)) return(k)
  }
  NA_integer_
}

#' What more blocks would bring, and what noise stands in their way.
outlook_sentences <- function(design, settings, out, run) {
  open <- open_questions(design, settings, out)
  chain <- out$tests$goodput$chain %||% NO_CHAIN
  # Where jobs are the replicates, each brings its blocks along.
  n <- if (design$unit == "job") design$jobs else design$blocks
  each <- design$blocks / n
  most <- max(MOST_BLOCKS, 2 * design$blocks)
  needed <- replicates_to_decide(open, n, ceiling(most / each), settings$alpha / settings$looks)
  if (!is.na(needed)) {
    about <- "About %d blocks would probably decide it; there were %d."
    return(c(sprintf(about, as.integer(ceiling(needed * each)), design$blocks), noise_sentence(design, chain, run)))
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
