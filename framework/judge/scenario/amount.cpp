#include "judge/scenario/amount.hpp"

#include "core/text.hpp"

namespace tunecheck {

std::size_t Amount::of(std::size_t all) const {
  return static_cast<std::size_t>(is_share ? value / 100 * static_cast<double>(all) : value);
}

std::optional<Amount> parse_amount(const std::string& text) {
  if (text.ends_with('%')) {
    const auto percent = parse_number(text.substr(0, text.size() - 1));
    if (!percent || !(*percent > 0) || *percent > 100) return std::nullopt;
    return Amount{*percent, true};
  }
  const auto number = parse_integer(text);
  if (!number || *number < 1) return std::nullopt;
  return Amount{static_cast<double>(*number), false};
}

}  // namespace tunecheck
