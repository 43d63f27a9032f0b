# Formats numbers for sentences and tables, in one place, so that report and comment agree.

percent <- function(share, digits = 1) {
  ifelse(is.na(share), "n/a", paste0(formatC(100 * share, format = "f", digits = digits), " %"))
}

#' Formats a ratio as a signed change: 0.872 -> "-12.8 %".
signed <- function(ratio) {
  # Rounded first, because a small negative change would otherwise become "-0.0".
  change <- round(100 * (ratio - 1), 1) + 0
  ifelse(is.na(ratio), "n/a", sprintf("%+.1f %%", change))
}

ratio_text <- function(ratio) ifelse(is.na(ratio), "n/a", sprintf("%.2fx", ratio))

#' From this factor on, "3817.4 % more" is harder to read than "39 times".
READS_AS_FACTOR <- 3

#' Puts a ratio into words: 0.9 -> "10.0 % slower", 39.2 -> "39 times as fast".
#'
#' @param above,times words after the percentage of a rise and after its factor
moved_text <- function(ratio, below, above, times) {
  change <- abs(ratio - 1)
  moved <- ifelse(
    ratio < READS_AS_FACTOR, paste(percent(change), ifelse(ratio < 1, below, above)), paste(factor_text(ratio), times)
  )
  ifelse(change < 0.01, "changed by less than 1 %", moved)
}

#' Formats a factor: 3.305 -> "3.3 times", 1402.1 -> "1,402 times".
factor_text <- function(ratio) {
  paste(ifelse(ratio < 10, formatC(ratio, format = "f", digits = 1), whole_text(ratio)), "times")
}

#' Formats whole numbers, with separators of thousands.
whole_text <- function(x) ifelse(is.na(x), "n/a", formatC(round(x) + 0, format = "f", digits = 0, big.mark = ","))

#' Counts a noun: 1, "block" -> "1 block".
count_of <- function(n, noun) sprintf("%d %s%s", n, noun, if (n == 1) "" else "s")

#' Keeps a number and its unit on one line of a table.
tight <- function(text) gsub(" ", "\u00a0", text, fixed = TRUE)

#' Formats p for sentences: "p = 0.0123" or "p < 0.0001".
p_equals <- function(p) ifelse(is.na(p), "p n/a", ifelse(p < 0.0001, "p < 0.0001", sprintf("p = %.4f", p)))

p_text <- function(p) ifelse(is.na(p), "n/a", ifelse(p < 0.0001, "< 0.0001", sprintf("%.4f", p)))

#' Formats rates with three significant digits and without an exponent.
rate_text <- function(x) {
  small <- sub("\\.$", "", formatC(x, format = "fg", digits = 3, flag = "#"))
  ifelse(is.na(x), "n/a", trimws(ifelse(abs(x) >= 100, whole_text(x), small)))
}
