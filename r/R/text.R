# How numbers read in sentences and tables. One place, so that report and comment agree.

percent <- function(share, digits = 1) paste0(formatC(100 * share, format = "f", digits = digits), " %")

#' A ratio as a signed change: 0.872 -> "-12.8 %".
signed <- function(ratio) ifelse(is.na(ratio), "n/a", sprintf("%+.1f %%", 100 * (ratio - 1)))

ratio_text <- function(ratio) ifelse(is.na(ratio), "n/a", sprintf("%.2fx", ratio))

moved_text <- function(ratio) {
  change <- abs(ratio - 1)
  word <- ifelse(ratio < 1, "slower", "faster")
  ifelse(change < 0.01, "did not move", paste(percent(change), word))
}

p_text <- function(p) ifelse(is.na(p), "n/a", ifelse(p < 0.0001, "< 0.0001", sprintf("%.4f", p)))

#' Rates: three significant digits, without an exponent.
rate_text <- function(x) ifelse(is.na(x), "n/a", ifelse(x >= 100, formatC(x, format = "d", big.mark = ","), formatC(x, format = "g", digits = 3)))
