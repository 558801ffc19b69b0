#include "result/known_failure.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tunecheck {

std::optional<std::chrono::year_month_day> parse_date(const std::string& text) {
  const bool has_form = text.size() == 10 && text[4] == '-' && text[7] == '-' &&
                        std::count_if(text.begin(), text.end(), [](char letter) {
                          return letter >= '0' && letter <= '9';
                        }) == 8;
  if (!has_form) return std::nullopt;
  const std::chrono::year_month_day date(
      std::chrono::year(std::stoi(text.substr(0, 4))),
      std::chrono::month(static_cast<unsigned>(std::stoi(text.substr(5, 2)))),
      std::chrono::day(static_cast<unsigned>(std::stoi(text.substr(8, 2)))));
  if (!date.ok()) return std::nullopt;
  return date;
}

bool KnownFailure::allows(const std::string& check) const {
  return checks.empty() || std::find(checks.begin(), checks.end(), check) != checks.end();
}

std::string date_text(const std::chrono::year_month_day& date) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

}  // namespace tunecheck
