# Names the noise that may have left the verdict open.

#' One sentence about the variation of each mode between runs, and about the machine; NULL if nothing is known.
#'
#' @param chain how neighbouring blocks depend on each other in goodput
#' @param run content of run.json, or NULL
noise_sentence <- function(design, chain, run) {
  rows <- counted(design)
  cv <- vapply(design$gate_modes, function(mode) run_cv(rows[rows$mode == mode, ]), numeric(1))
  varies <- if (all(is.finite(cv)) && any(cv >= 0.01)) {
    size <- ifelse(cv < 0.01, "less than 1 %", percent(cv, 0))
    first <- seq_along(cv) == 1
    verb <- ifelse(first, " varies by ", " by ")
    paste0(code(names(cv)), verb, size, ifelse(first, " from run to run", ""), collapse = ", ")
  }
  said <- c(varies, chain_clause(chain), machine_clauses(design, run))
  if (length(said)) paste0("The noise: ", paste(said, collapse = "; "), ".")
}

#' Computes the coefficient of variation between runs of the same arm and cell, as a root mean square over both.
run_cv <- function(rows) {
  groups <- split(rows$goodput_rps, list(rows$cell, rows$revision), drop = TRUE)
  cv <- vapply(groups[lengths(groups) > 1], function(x) sd(x) / mean(x), numeric(1))
  sqrt(mean(cv^2))
}

#' Clauses about the machine: CPU probes, stolen time, quads that were run again, and waits for an idle machine.
machine_clauses <- function(design, run) {
  probes <- as.numeric(unlist(run$probes_ms))
  idle <- run$runs$idle
  stolen <- run$runs$stolen
  quads <- unique(design$samples[c("job", "block", "cell", "attempt")])
  again <- sum(quads$attempt > 1)
  probe_cv <- if (length(probes) > 1) sd(probes) / mean(probes)
  c(
    if (length(probe_cv) && probe_cv >= 0.01) paste("the CPU probe varied by", percent(probe_cv, 0)),
    if (again) {
      why <- if (again == 1) "was run again because of its CPU probe" else "were run again because of their CPU probes"
      sprintf("%d of %d quads %s", again, nrow(quads), why)
    },
    if (is.numeric(stolen) && any(stolen >= 0.01, na.rm = TRUE)) {
      sprintf(
        "the hypervisor gave %s of the CPU time to others, at most %s during a run",
        percent(mean(stolen, na.rm = TRUE), 0), percent(max(stolen, na.rm = TRUE), 0)
      )
    },
    if (is.logical(idle) && isFALSE(all(idle))) {
      sprintf("the machine was never idle before %d of %d runs", sum(!idle, na.rm = TRUE), length(idle))
    }
  )
}
