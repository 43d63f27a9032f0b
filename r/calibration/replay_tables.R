# The tables of the replay. Seeds are fixed: the same files give the same tables.

RESAMPLED <- 2000
METRIC_NAMES <- c(goodput = "goodput", cpu = "CPU time")

modes_of <- function(recording) unique(recording[["0"]]$mode[order(recording[["0"]]$mode != "fpm")])

#' Jobs of 10 blocks resampled from a recording, as arms. The same jobs for every rule.
resampled_arms <- function(samples, modes, metric) {
  set.seed(1)
  arms <- recorded_arms(samples, modes, metric)
  take(arms, resampled_jobs(seq_along(arms$head_async), RESAMPLED))
}

recordings_table <- function(recordings) {
  do.call(rbind, lapply(names(recordings), function(condition) {
    recording <- recordings[[condition]]
    modes <- modes_of(recording)
    rows <- lapply(names(recording), function(loss) {
      row <- data.frame(machine = condition, injected = if (loss == "0") "nothing" else paste0("-", loss, " %"), blocks = length(unique(recording[[loss]]$block)))
      for (metric in names(METRICS)) {
        arms <- recorded_arms(recording[[loss]], modes, metric)
        d <- log(arms$head_async / arms$head_sync) - log(arms$base_async / arms$base_sync)
        ci <- ratio_ci(yuen(d))
        cv <- median(vapply(arms, function(x) sd(x) / mean(x), 1))
        row[[paste(METRIC_NAMES[[metric]], "CV")]] <- percent(cv, 1)
        row[[paste(METRIC_NAMES[[metric]], "change (95 % CI)")]] <- sprintf("%s (%s to %s)", signed(ci[["estimate"]]), signed(ci[["low"]]), signed(ci[["high"]]))
      }
      row
    })
    do.call(rbind, rows)
  }))
}

verdicts_table <- function(recordings, cores) {
  rows <- lapply(names(recordings), function(condition) {
    recording <- recordings[[condition]]
    modes <- modes_of(recording)
    lapply(names(recording), function(loss) {
      samples <- recording[[loss]]
      blocks <- unique(samples$block)
      set.seed(1)
      kinds <- list("disjoint" = disjoint_jobs(sort(blocks)), "resampled" = resampled_jobs(blocks, RESAMPLED))
      do.call(rbind, lapply(names(kinds), function(kind) {
        decided <- decide_jobs(samples, modes, kinds[[kind]], cores)
        n <- nrow(decided)
        regressed <- sum(decided$verdict == "regressed")
        share <- function(x) if (kind == "disjoint") sprintf("%d of %d", sum(x), n) else percent(mean(x), 1)
        data.frame(
          machine = condition, injected = if (loss == "0") "nothing" else paste0("-", loss, " %"), jobs = sprintf("%s %s", format(n, big.mark = ","), kind),
          regressed = share(decided$verdict == "regressed"),
          # Clopper and Pearson; resampled jobs overlap, so that they have no such interval.
          "95 % interval" = if (kind == "disjoint") paste(percent(binom.test(regressed, n)$conf.int, 1), collapse = " to ") else "",
          "by goodput" = share(decided$goodput), "by CPU time" = share(decided$cpu), pass = share(decided$verdict == "pass"),
          inconclusive = share(decided$verdict == "inconclusive"),
          "MDE90 shown, goodput / CPU" = paste(percent(median(decided$mde90), 1), "/", percent(median(decided$mde90_cpu), 1)), check.names = FALSE
        )
      }))
    })
  })
  do.call(rbind, unlist(rows, recursive = FALSE))
}

#' @param rate share of false alarms to which the tolerances are matched, or NULL: 5 % and, for github-action-benchmark, its thresholds
peers_table <- function(recordings, rate) {
  entries <- list()
  add <- function(name, metric, rule, tolerance, looks_at) entries[[length(entries) + 1]] <<- list(name = name, metric = metric, rule = rule, tolerance = tolerance, looks_at = looks_at)
  for (metric in names(METRICS)) for (name in c("this gate", "this gate, max-slowdown")) {
    if (metric == "goodput" || name == "this gate") add(name, metric, RULES[[name]], 0.05, if (name == "this gate") "gain" else "one mode")
  }
  # Its default threshold, and those that its users take: previous / current above 200 %, 110 %, 105 %.
  thresholds <- if (is.null(rate)) c("200 %" = 1 - 1 / 2, "110 %" = 1 - 1 / 1.1, "105 %" = 1 - 1 / 1.05) else c(matched = NA)
  for (threshold in names(thresholds)) {
    name <- if (is.null(rate)) paste("github-action-benchmark,", threshold) else "github-action-benchmark"
    add(name, "goodput", RULES[["github-action-benchmark"]], thresholds[[threshold]], "one mode")
  }
  for (name in c("benchstat", "tachometer", "touchstone")) add(name, "goodput", RULES[[name]], 0.05, "one mode")

  do.call(rbind, lapply(entries, function(entry) {
    row <- data.frame(rule = entry$name, metric = METRIC_NAMES[[entry$metric]], check.names = FALSE)
    for (condition in names(recordings)) {
      x <- resampled_arms(recordings[[condition]][["0"]], modes_of(recordings[[condition]]), entry$metric)
      tolerance <- if (is.null(rate)) entry$tolerance else matched_tolerance(entry$rule, x, rate)
      row[[paste0(condition, ": false alarms")]] <- percent(alarms(entry$rule, x, tolerance), 1)
      row[[paste0(condition, ": gain lost")]] <- found_text(smallest_found(entry$rule, x, tolerance))
      both <- smallest_found(entry$rule, x, tolerance, both_modes = TRUE)
      row[[paste0(condition, ": both modes slower")]] <- if (is.na(both)) "not its question" else found_text(both)
    }
    row
  }))
}

found_text <- function(loss) if (is.na(loss)) "never" else percent(loss, 1)

injected_table <- function(recordings, rate) {
  names <- setdiff(names(RULES), "this gate, max-slowdown")
  entries <- c(list(list(name = "this gate", metric = "cpu")), lapply(names, function(name) list(name = name, metric = "goodput")))
  do.call(rbind, lapply(entries[order(vapply(entries, `[[`, "", "name") != "this gate")], function(entry) {
    row <- data.frame(rule = entry$name, metric = METRIC_NAMES[[entry$metric]], check.names = FALSE)
    for (condition in names(recordings)) {
      recording <- recordings[[condition]]
      modes <- modes_of(recording)
      tolerance <- matched_tolerance(RULES[[entry$name]], resampled_arms(recording[["0"]], modes, entry$metric), rate)
      for (loss in setdiff(names(recording), "0")) {
        x <- resampled_arms(recording[[loss]], modes, entry$metric)
        row[[paste0(condition, ": -", loss, " %")]] <- percent(alarms(RULES[[entry$name]], x, tolerance), 0)
      }
    }
    row
  }))
}

variants_table <- function(recordings, rate) {
  do.call(rbind, lapply(names(VARIANTS), function(name) {
    row <- data.frame(rule = name, check.names = FALSE)
    for (condition in names(recordings)) for (metric in names(METRICS)) {
      x <- resampled_arms(recordings[[condition]][["0"]], modes_of(recordings[[condition]]), metric)
      row[[paste0(condition, ": ", METRIC_NAMES[[metric]])]] <- found_text(smallest_found(VARIANTS[[name]], x, matched_tolerance(VARIANTS[[name]], x, rate)))
    }
    row
  }))
}
