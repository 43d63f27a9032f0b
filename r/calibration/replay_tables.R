# Makes the tables of the replay. Seeds are fixed, so the same files give the same tables.

RESAMPLED <- 2000
METRIC_NAMES <- c(goodput = "goodput", cpu = "CPU time")

injected_text <- function(loss) if (loss == "0") "nothing" else paste0("-", loss, " %")

modes_of <- function(recording) unique(recording[["0"]]$mode[order(recording[["0"]]$mode != "fpm")])

#' The four arms of jobs of 10 blocks, resampled from a recording, as matrices [job, block]. Every rule gets the same.
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
      blocks <- length(unique(recording[[loss]]$block))
      row <- data.frame(machine = condition, injected = injected_text(loss), blocks = blocks)
      for (metric in names(METRICS)) {
        arms <- recorded_arms(recording[[loss]], modes, metric)
        d <- log(arms$head_async / arms$head_sync) - log(arms$base_async / arms$base_sync)
        ci <- ratio_ci(yuen(d))
        cv <- median(vapply(arms, function(x) sd(x) / mean(x), 1))
        row[[paste(METRIC_NAMES[[metric]], "CV")]] <- percent(cv, 1)
        row[[paste(METRIC_NAMES[[metric]], "change (95 % CI)")]] <-
          sprintf("%s (%s to %s)", signed(ci[["estimate"]]), signed(ci[["low"]]), signed(ci[["high"]]))
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
        # Clopper-Pearson. Resampled jobs overlap, so this interval does not hold for them.
        interval <- if (kind == "disjoint") percent(binom.test(regressed, n)$conf.int, 1) else ""
        data.frame(
          machine = condition, injected = injected_text(loss), jobs = sprintf("%s %s", format(n, big.mark = ","), kind),
          regressed = share(decided$verdict == "regressed"), "95 % interval" = paste(interval, collapse = " to "),
          "by goodput" = share(decided$goodput), "by CPU time" = share(decided$cpu),
          pass = share(decided$verdict == "pass"), inconclusive = share(decided$verdict == "inconclusive"),
          "MDE90 shown, goodput / CPU" = paste(
            percent(median(decided$mde90), 1), "/", percent(median(decided$mde90_cpu), 1)
          ),
          check.names = FALSE
        )
      }))
    })
  })
  do.call(rbind, unlist(rows, recursive = FALSE))
}

#' The rules to compare, each with a metric and a tolerance.
#'
#' @param rate as for peers_table()
#' @return list of lists: name, metric, rule, tolerance
peer_entries <- function(rate) {
  entry <- function(name, metric = "goodput", rule = RULES[[name]], tolerance = 0.05) {
    list(name = name, metric = metric, rule = rule, tolerance = tolerance)
  }
  ours <- list(entry("this gate"), entry("this gate, max-slowdown"), entry("this gate", "cpu"))
  action <- "github-action-benchmark"
  # Its default threshold and two that its users choose: previous / current above 200 %, 110 % and 105 %.
  thresholds <- lapply(c(2, 1.1, 1.05), function(limit) {
    entry(sprintf("%s, %.0f %%", action, 100 * limit), rule = RULES[[action]], tolerance = 1 - 1 / limit)
  })
  theirs <- lapply(c("benchstat", "tachometer", "touchstone"), entry)
  c(ours, if (is.null(rate)) thresholds else list(entry(action)), theirs)
}

#' Compares the rules: false alarms, smallest loss of the gain found, and smallest loss of both modes found.
#'
#' @param rate the share of false alarms for which each tolerance is chosen. If NULL, the tolerance is 5 %, and
#'   github-action-benchmark has its thresholds
peers_table <- function(recordings, rate) {
  do.call(rbind, lapply(peer_entries(rate), function(entry) {
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
  by_goodput <- lapply(names, function(name) list(name = name, metric = "goodput"))
  entries <- c(list(list(name = "this gate", metric = "cpu")), by_goodput)
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
      tolerance <- matched_tolerance(VARIANTS[[name]], x, rate)
      row[[paste0(condition, ": ", METRIC_NAMES[[metric]])]] <-
        found_text(smallest_found(VARIANTS[[name]], x, tolerance))
    }
    row
  }))
}

#' The smallest loss that several jobs find together, by their number. Blocks are drawn with replacement, because 32
#' jobs need more blocks than were recorded.
merged_table <- function(recordings, numbers = c(1, 2, 4, 6, 8, 16, 32), k = 10) {
  do.call(rbind, lapply(numbers, function(jobs) {
    row <- data.frame(jobs = jobs, "blocks of a cell" = jobs * k, check.names = FALSE)
    rule <- function(x) merged_limit(x, jobs)
    for (condition in names(recordings)) for (metric in names(METRICS)) {
      arms <- recorded_arms(recordings[[condition]][["0"]], modes_of(recordings[[condition]]), metric)
      set.seed(1)
      drawn <- matrix(sample(seq_along(arms$head_async), RESAMPLED * jobs * k, replace = TRUE), RESAMPLED)
      loss <- smallest_found(rule, take(arms, drawn), 0.05)
      row[[paste0(condition, ": ", METRIC_NAMES[[metric]])]] <- found_text(loss)
    }
    row
  }))
}
