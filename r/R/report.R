# Renders report.Rmd, or work.Rmd if only instructions were counted. An Rmd has text and calls; R/ computes the values.

#' Writes report.html.
#'
#' @param differences sentences with code spans: differences of base and head that can move the gain
write_report <- function(result, out, home, differences = character()) {
  directory <- file.path(out, "plots")
  drawn <- save_plots(plots(result), directory)
  work <- tempfile("report")
  dir.create(work)
  on.exit(unlink(work, recursive = TRUE))
  text <- if (is_work(result)) "work.Rmd" else "report.Rmd"
  file.copy(file.path(home, c(text, "report.css")), work)
  values <- list(result = result, differences = differences, plots = drawn, plot_directory = normalizePath(directory))
  rmarkdown::render(
    file.path(work, text), output_file = file.path(normalizePath(out), "report.html"), quiet = TRUE,
    envir = list2env(values, parent = globalenv())
  )
}

#' Shows a plot, if it was drawn.
show_picture <- function(name, plots, directory) {
  i <- match(name, plots$name)
  if (is.na(i)) return(invisible())
  file <- file.path(directory, paste0(name, ".png"))
  cat(sprintf('<img src="%s" alt="%s">\n\n', file, htmltools::htmlEscape(plots$alt[i], TRUE)))
}

#' The title in the browser's tab.
page_title <- function(result) {
  if (is_study(result$run)) "Study of the asynchronous gain" else paste("Asynchronous gain:", result$json$verdict)
}

#' The title of the report. The verdict is in the box below it.
report_title <- function(result) {
  # The title becomes part of the YAML header, so names must not contain its syntax.
  modes <- gsub("[^A-Za-z0-9._-]", "?", result$design$gate_modes)
  gain <- if (is_work(result)) "Asynchronous gain in instructions" else "Asynchronous gain"
  what <- if (is_study(result$run)) "Study of the asynchronous gain" else gain
  paste0(what, ": ", modes[length(modes)], " over ", modes[1])
}

#' Makes the box with verdict, reasons and warnings.
verdict_box <- function(result) {
  sprintf(
    '<div class="verdict %s"><strong>%s</strong>%s%s</div>', result$json$verdict, as_html(title_words(result)),
    paste0("<p>", as_html(unlist(result$json$reasons)), "</p>", collapse = ""),
    # Warnings about memory appear in the section on memory.
    if (is.null(result$both_slower)) "" else paste0("<p><strong>", as_html(result$both_slower), "</strong></p>")
  )
}

#' The title of the section on memory: the rise, if one is proven.
memory_title <- function(result) {
  risen <- if (!is.null(result$memory)) memory_sentences(result$memory)
  if (length(risen)) paste("\u26a0\ufe0f Memory:", paste(risen, collapse = "; ")) else "Memory"
}

#' Lists what differs between base and head; nothing if no regression needs an explanation.
differences_html <- function(result, differences) {
  if (result$json$verdict != "regressed" || !length(differences)) return("")
  items <- paste0("<li>", as_html(differences), "</li>", collapse = "\n")
  sprintf("## What differs between base and head and can move the gain\n\n<ul>\n%s\n</ul>\n\n", items)
}
