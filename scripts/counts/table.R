# The table of counts.mjs: the spread of the change of the gain, and how many jobs found each loss.
# Rscript scripts/counts/table.R APP FOLDER…
# Each folder has the instructions.csv of a job, and its verdicts at two tolerances.

arguments <- commandArgs(TRUE)
app <- arguments[1]
folders <- arguments[-1]

#' In percent, as in counts.mjs.
TOLERANCES <- c(5, 2)

#' The words for a workload of counts.mjs.
seeded <- function(workload) {
  if (workload == "same") "nothing" else sub("^more-(.*)", "\\1 %", workload)
}

#' The change of the gain in each repetition of a cell, on the log scale.
changes_in <- function(counts) {
  modes <- c("fpm", setdiff(unique(counts$mode), "fpm"))
  of <- function(revision, mode) {
    rows <- counts[counts$revision == revision & counts$mode == mode, ]
    log(1 / rows$instructions_per_request[order(rows$repetition)])
  }
  of("head", modes[2]) - of("head", modes[1]) - of("base", modes[2]) + of("base", modes[1])
}

read_job <- function(folder) {
  counts <- read.csv(file.path(folder, "instructions.csv"), stringsAsFactors = FALSE)
  mode <- setdiff(unique(counts$mode), "fpm")
  found_at <- function(tolerance) {
    cells <- jsonlite::fromJSON(file.path(folder, paste0("tolerance-", tolerance), "analysis.json"))$cells
    stats::setNames(cells$verdict == "regressed", cells$workload)
  }
  found <- lapply(TOLERANCES, found_at)
  do.call(rbind, lapply(names(found[[1]]), function(workload) {
    rows <- counts[counts$workload == workload, ]
    d <- changes_in(rows)
    each <- function(revision) mean(rows$instructions_per_request[rows$mode == mode & rows$revision == revision])
    data.frame(
      mode = mode, workload = workload, base = each("base"), head = each("head"), m = mean(d), variance = var(d),
      found_at_5 = found[[1]][[workload]], found_at_2 = found[[2]][[workload]]
    )
  }))
}

jobs <- do.call(rbind, lapply(folders, read_job))
whole <- function(x) formatC(x, format = "f", digits = 0, big.mark = ",")
percent <- function(x, digits) sprintf(paste0("%+.", digits, "f %%"), 100 * x)
groups <- split(jobs, factor(paste(jobs$mode, jobs$workload), unique(paste(jobs$mode, jobs$workload))))
rows <- vapply(groups, function(group) {
  sprintf(
    "| %s, %s | %s | %s | %s | %s | %.2f %% | %d of %d | %d of %d |", app, group$mode[1], seeded(group$workload[1]),
    whole(mean(group$base)), percent(mean(group$head) / mean(group$base) - 1, 2), percent(exp(mean(group$m)) - 1, 2),
    100 * sqrt(mean(group$variance)), sum(group$found_at_5), nrow(group),
    sum(group$found_at_2), nrow(group)
  )
}, "")
cat(
  paste(
    "| app, mode | seeded in head | instructions per request of base | of head, more",
    "| change of the gain | SD of d | found at 5 % | at 2 % |"
  ),
  "|---|---|--:|--:|--:|--:|--:|--:|", rows, sep = "\n"
)
cat("\n")
for (mode in unique(jobs$mode)) {
  of_mode <- jobs[jobs$mode == mode, ]
  cat(sprintf("\n%s: SD of d over all rows %.2f %%.\n", mode, 100 * sqrt(mean(of_mode$variance))))
}
