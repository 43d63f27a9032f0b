#!/usr/bin/env Rscript
# Replays the recorded runs: error rates of the gate on real noise, and rules of other tools on the same runs.
# Prints Markdown. Rscript r/replay.R [DIRECTORY]
options(warn = 2, OutDec = ".")
home <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])))
sources <- list.files(file.path(home, "R"), "\\.R$", full.names = TRUE, recursive = TRUE)
for (file in sources) source(file, encoding = "UTF-8")
for (name in c("recorded.R", "rules.R", "replay_tables.R")) {
  source(file.path(home, "calibration", name), encoding = "UTF-8")
}

directory <- if (length(commandArgs(TRUE))) commandArgs(TRUE)[1] else file.path(home, "calibration", "recorded")
conditions <- c("quiet", "busy")
recordings <- lapply(stats::setNames(file.path(directory, conditions), conditions), read_recording)
show <- function(title, table) {
  lines <- knitr::kable(table, format = "pipe", row.names = FALSE)
  cat("\n", title, "\n\n", paste(lines, collapse = "\n"), "\n", sep = "")
}

show(
  "**The recordings.** CV: coefficient of variation between runs of the arms, median over the arms.",
  recordings_table(recordings)
)
show(
  "**Verdicts.** Jobs of 10 blocks, tolerance 5 %.",
  verdicts_table(recordings, parallel::detectCores())
)
show(
  "**Smallest loss found in 90 % of 2,000 resampled jobs, at a tolerance of 5 %**, each rule as documented.",
  peers_table(recordings, NULL)
)
show(
  "**The same, with the tolerance of each rule set so that 1 % of the jobs in which nothing changed alarm.**",
  peers_table(recordings, 0.01)
)
show(
  "**Losses that were really injected, found at these tolerances** (2,000 resampled jobs).",
  injected_table(recordings, 0.01)
)
show(
  "**Variants of our rule**, at 1 % false alarms: smallest loss of the gain found.",
  variants_table(recordings, 0.01)
)
show(
  paste(
    "**Several jobs that are judged together**, of 10 blocks each:",
    "smallest loss found in 90 % of 2,000 draws, at a tolerance of 5 %."
  ),
  merged_table(recordings)
)
