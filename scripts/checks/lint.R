# Lints R by .lintr, then looks for undefined and unused names. Rscript scripts/checks/lint.R [FILE…]
# Exit code: 1 if anything was found.
given <- commandArgs(TRUE)
sources <- list.files(c("r/R", "r/calibration"), "\\.R$", full.names = TRUE)
files <- if (length(given)) given else system2("git", c("ls-files", "*.R", "*.Rmd"), stdout = TRUE)

# A file without findings is linted again only if it, .lintr or lintr changes.
clean_file <- ".lintr.cache"
clean <- if (file.exists(clean_file)) readLines(clean_file)
states <- paste(tools::md5sum(".lintr"), utils::packageVersion("lintr"), tools::md5sum(files), files)
changed <- !states %in% clean
findings <- lapply(files[changed], function(file) {
  vapply(lintr::lint(file), function(lint) {
    sprintf("%s:%d:%d: [%s] %s", file, lint$line_number, lint$column_number, lint$linter, lint$message)
  }, "")
})
writeLines(c(setdiff(clean, states), states[!changed], states[changed][lengths(findings) == 0]), clean_file)
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
