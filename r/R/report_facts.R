# Turns the facts of run.json about machine, versions and settings into words for the report.

#' Words for keys of run.json that do not explain themselves.
FACT_LABELS <- c(
  commits.head = "commit of head", commits.base = "commit of base", commits.base_label = "base was named",
  commits.without_base = "why there is no base", plan.blocks = "blocks planned", plan.look_at = "looks after blocks",
  plan.runs = "runs planned", plan.predicted_seconds = "time predicted (s)",
  facts.machine.memory_gib = "machine: memory (GiB)",
  facts.machine.cpu = "machine: CPU", facts.machine.cpus = "machine: CPUs",
  facts.machine.arch = "machine: architecture", facts.cpu_sets.app = "CPUs of the app",
  facts.cpu_sets.database = "CPUs of the database", facts.cpu_sets.load = "CPUs of the load",
  facts.composer_install = "Composer"
)
#' Groups of keys, and their names.
FACT_GROUPS <- c(
  "^gate\\." = "gate: ", "^versions\\." = "version of ", "^facts\\.database\\.settings\\." = "database setting ",
  "^facts\\.machine\\." = "machine: ", "^facts\\.database\\." = "database: ", "^facts\\." = "", "^plan\\." = "plan: "
)
PHP_SETTING <- "^([A-Za-z0-9_.]+) = (.*)$"

#' Makes the table of machine, versions and settings, with the columns what and value; NULL without a run.json.
facts_table <- function(result) {
  run <- result$run
  if (is.null(run)) return(NULL)
  run$plan$cells <- NULL
  # In this profile there are no blocks, runs or looks.
  if (is_work(result)) run$plan <- run$plan["predicted_seconds"]
  # run.json also has the connections at its top level, where they are shown.
  run$facts$connections <- NULL
  shown <- c("commits", "seed", "connections", "engine", "facts", "versions", "plan", if (!is_study(run)) "gate")
  facts <- leaves(run[intersect(names(run), shown)])
  if (!length(facts)) return(NULL)
  ini <- unlist(facts[names(facts) == "facts.ini"], use.names = FALSE)
  facts <- facts[names(facts) != "facts.ini"]
  what <- c(vapply(names(facts), fact_label, ""), if (length(ini)) paste("PHP setting", sub(PHP_SETTING, "\\1", ini)))
  value <- c(vapply(facts, fact_text, ""), if (length(ini)) sub(PHP_SETTING, "\\2", ini))
  data.frame(what = unname(what), value = substr(unname(value), 1, 160))
}

#' Flattens nested lists: values by path, joined with dots. A vector is one value.
leaves <- function(x, prefix = "") {
  do.call(c, lapply(seq_along(x), function(i) {
    path <- paste0(prefix, names(x)[i])
    value <- x[[i]]
    if (is.null(value) || !length(value)) return(list())
    if (is.list(value) && !is.null(names(value))) return(leaves(value, paste0(path, ".")))
    stats::setNames(list(unlist(value)), path)
  }))
}

fact_label <- function(path) {
  if (path %in% names(FACT_LABELS)) return(FACT_LABELS[[path]])
  for (group in names(FACT_GROUPS)) {
    if (grepl(group, path)) return(paste0(FACT_GROUPS[[group]], spoken(sub(group, "", path), group)))
  }
  gsub("_", " ", path)
}

#' Turns our own keys into words. Names of programs, extensions and settings stay as they are.
spoken <- function(key, group) if (grepl("versions|settings", group)) key else gsub("_", " ", key)

fact_text <- function(value) paste(if (is.logical(value)) yes_no(value) else as.character(value), collapse = "; ")
