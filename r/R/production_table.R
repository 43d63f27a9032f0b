# Makes the table "Ready for production" of all checks, for the summary and the report.

#' One row per check, mode and route, with base and head in columns.
#'
#' @param text,prose functions that render names and sentences
#' @return data frame with the attribute `broken` (whether head is broken in each row); NULL if nothing was checked
production_table <- function(result, text = identity, prose = identity) {
  rows <- result$production$rows
  if (is.null(rows)) return(NULL)
  key <- paste(rows$check, rows$mode, rows$workload, sep = "\r")
  keys <- unique(key[order(match(rows$check, names(CHECK_CLAUSES)))])
  of <- function(revision) rows[rows$revision == revision, ][match(keys, key[rows$revision == revision]), ]
  head <- of("head")
  base <- of("base")
  some <- rows[match(keys, key), ]
  seen <- ifelse(is.na(head$sentence), base$sentence, head$sentence)
  # If base has another state, its sentence is useful, too.
  differs <- !is.na(head$state) & !is.na(base$state) & head$state != base$state
  table <- data.frame(
    check = text(some$check), mode = text(some$mode), route = ifelse(some$route == "", "", text(some$route)),
    base = state_text(base$state), head = state_text(head$state, head$is_new & head$level == "fail"),
    "what was seen in head" = prose(ifelse(differs, paste0(seen, " (base: ", base$sentence, ")"), seen)),
    check.names = FALSE
  )
  if (!any(rows$revision == "base")) table <- table[names(table) != "base"]
  structure(table, broken = !is.na(head$state) & head$state == "broken")
}

#' Puts a state into words.
#'
#' @param fails whether a break fails the job, one per state
state_text <- function(state, fails = FALSE) {
  signs <- c(held = "\u2705 held", broken = "\u26a0\ufe0f broken", "not-checked" = "not checked")
  text <- ifelse(is.na(state), "", signs[state])
  text[which(fails)] <- "\u274c broken"
  unname(text)
}

#' Makes the section of the summary. It is open if head is broken, and folded away otherwise.
production_lines <- function(result) {
  table <- production_table(result, code, as_markdown)
  if (is.null(table)) return(NULL)
  broken <- attr(table, "broken")
  shown <- result$production$rows
  shown <- shown[nzchar(shown$shown) & shown$revision == "head", ]
  blocks <- unlist(lapply(seq_len(nrow(shown)), function(i) {
    # The answers are text of the app. No character of them may end the block.
    answers <- strsplit(gsub("~~~", "~ ~ ~", shown$shown[i], fixed = TRUE), "\n", fixed = TRUE)[[1]]
    c(sprintf("%s of %s on %s:", code(shown$check[i]), code(shown$mode[i]), code(shown$route[i])), "", "~~~text",
      answers, "~~~", "")
  }))
  body <- c(markdown_table(table, strrep("l", ncol(table))), blocks, production_cost(result), "")
  if (any(broken)) return(c("### Ready for production", "", body))
  held <- sum(grepl("held", table$head))
  title <- sprintf("Ready for production: %d held, %d not checked", held, nrow(table) - held)
  c(sprintf("<details><summary>%s</summary>", title), "", body, "</details>", "")
}

#' Says how long the checks took, and what a broken one causes.
production_cost <- function(result) {
  sprintf(
    paste(
      "The checks took %s s of at most %s s, a fifth of the budget.",
      "A break that base does not have fails the job, unless `checks` says `warn`;",
      "one that base has, too, is a warning."
    ),
    whole_text(result$production$seconds), whole_text(result$production$allowed_s)
  )
}
