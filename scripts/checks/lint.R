# Lints R by .lintr, then looks for undefined and unused names. Rscript scripts/checks/lint.R [FILE…]
# Exit code: 1 if anything was found.
given <- commandArgs(TRUE)
sources <- list.files(c("r/R", "r/calibration"), "\\.R$", full.names = TRUE, recursive = TRUE)
files <- if (length(given)) given else system2("git", c("ls-files", "*.R", "*.Rmd"), stdout = TRUE)

# LINTR_CLEAN names a commit without findings: only files that differ from it are linted.
# If the rules differ from it, all files are.
is_same <- function(file, commit) {
  differs <- system2("git", c("diff", "--name-only", commit), stdout = TRUE)
  !file %in% differs & !any(c(".lintr", "scripts/checks/lint.R") %in% differs)
}
commit <- Sys.getenv("LINTR_CLEAN")
same <- if (nzchar(commit)) is_same(files, commit) else FALSE

# A file without findings is linted again only if it, .lintr or lintr changes.
clean_file <- ".lintr.cache"
clean <- if (file.exists(clean_file)) readLines(clean_file)
states <- paste(tools::md5sum(".lintr"), utils::packageVersion("lintr"), tools::md5sum(files), files)
changed <- !states %in% clean & !same
findings_in <- function(file) {
  vapply(lintr::lint(file), function(lint) {
    sprintf("%s:%d:%d: [%s] %s", file, lint$line_number, lint$column_number, lint$linter, lint$message)
  }, "")
}
cores <- parallel::detectCores()
findings <- parallel::mclapply(files[changed], findings_in, mc.cores = cores, mc.preschedule = FALSE)
writeLines(c(clean, states[changed][lengths(findings) == 0]), clean_file)
# Printed before the sources are run below, because a mistake in them may stop this script.
writeLines(as.character(unlist(findings)))

project <- new.env()
for (file in sources) sys.source(file, project)
# ggplot2 looks up columns in its data, so they look like undefined variables.
draws <- function(name) any(c("aes", "vars") %in% all.names(body(project[[name]])))
unbound <- character()
codetools::checkUsageEnv(project, skipWith = TRUE, report = function(message) {
  is_column <- grepl("global variable", message) && draws(sub("[ :].*", "", message))
  if (!is_column) unbound <<- c(unbound, trimws(message)) # nolint: undesirable_operator_linter. It is a callback.
})

writeLines(unbound)
if (length(c(unlist(findings), unbound))) quit(status = 1)
