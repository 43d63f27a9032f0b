# What an inconclusive verdict leaves open: how much more measuring would probably decide it.

MOST_BLOCKS <- 200
POWER <- 0.8

#' What still has to be proven, one way or the other.
#'
#' @return data frame, one row per open question (the change of a cell's gain, a required gain, or a change of the
#'   asynchronous mode that may explain a fall): the log of the estimate (`m`), its standard error (`se`), the logs of
#'   what it must be proven above to pass (`pass`) and below to regress (`fail`), the level of the latter, and the
#'   replicates that there are (`n`)
open_questions <- function(design, settings, out) {
  a <- fail_level(settings)
  n <- replicates_in(design)
  bound <- log(1 - settings$max_regression)
  cells <- out$tests$goodput$cells
  gains <- out$min_gain
  # Further blocks bring no further counts of instructions.
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

#' Number of replicates after which the verdict would probably be pass or regressed, or NA if `most` would not do.
#'
#' Takes estimate and spread as they are now and lets the standard error shrink with the root of the number of
#' replicates.
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

#' Replicates of each cell, by its name.
replicates_in <- function(design) {
  if (design$unit == "job") return(stats::setNames(rep(design$jobs, length(design$cells)), design$cells))
  stats::setNames(colSums(design$complete), design$cells)
}

#' What more blocks would bring, and what noise stands in their way.
outlook_sentences <- function(design, settings, out, run) {
  open <- open_questions(design, settings, out)
  chain <- out$tests$goodput$chain %||% NO_CHAIN
  # Nothing is left that more blocks could prove.
  if (!nrow(open)) return(noise_sentence(design, chain, run))
  # Where jobs are the replicates, each brings its blocks along.
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
