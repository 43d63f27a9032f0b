# Puts names into code spans, and renders sentences with code spans. GitHub makes no link, mention or reference in one.

#' Puts names into code spans, without the characters that could end a span.
code <- function(name) {
  if (!length(name)) return(character())
  paste0("`", substr(gsub("[^\\x20-\\x7e]|[`<>|]", "?", name, perl = TRUE), 1, 120), "`")
}

#' Joins phrases into a list for a sentence: "a", "a and b", "a, b and c".
listed <- function(phrases) {
  n <- length(phrases)
  if (n < 2) return(phrases)
  paste(paste(phrases[-n], collapse = ", "), "and", phrases[n])
}

CODE_SPAN <- "`[^`\r\n]+`"

#' Renders the text outside code spans with one function, and the content of the spans with another.
render_spans <- function(text, outside, inside) {
  text <- gsub("[\r\n]+", " ", text)
  spans <- gregexpr(CODE_SPAN, text)
  between <- regmatches(text, spans, invert = TRUE)
  within <- regmatches(text, spans)
  vapply(seq_along(text), function(i) {
    paste0(outside(between[[i]]), c(inside(gsub("`", "", within[[i]], fixed = TRUE)), ""), collapse = "")
  }, character(1))
}

#' Renders sentences with code spans as Markdown.
as_markdown <- function(text) render_spans(text, escape_markdown, code)

#' Renders sentences with code spans as HTML.
as_html <- function(text) {
  render_spans(text, htmltools::htmlEscape, function(name) {
    if (length(name)) paste0("<code>", htmltools::htmlEscape(name), "</code>")
  })
}

#' Escapes text, so that it has no markup and GitHub finds no mention, address or reference to link.
escape_markdown <- function(text) {
  text <- gsub("&", "&amp;", text, fixed = TRUE)
  text <- gsub("<", "&lt;", text, fixed = TRUE)
  text <- gsub(">", "&gt;", text, fixed = TRUE)
  text <- gsub("([\\\\`*_\\[\\]|~])", "\\\\\\1", text, perl = TRUE)
  # GitHub looks for these after it removed the backslashes, so only a character between the parts prevents a link.
  gsub("(@|www(?=\\.)|:(?=//)|#(?=[0-9])|GH-(?=[0-9]))", "\\1&#8203;", text, ignore.case = TRUE, perl = TRUE)
}

#' Makes a table in Markdown. The cells must be Markdown already.
#'
#' @param align a letter per column, as in knitr::kable
markdown_table <- function(frame, align) {
  c(knitr::kable(frame, format = "pipe", row.names = FALSE, align = align), "")
}
