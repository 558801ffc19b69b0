#pragma once
// An amount of configs in `expect`: a number of them, or a share of the space.
#include <cstddef>
#include <optional>
#include <string>

namespace tunecheck {

struct Amount {
  double value = 0;
  bool is_share = false;  ///< `value` is a percentage

  /// As many of `all` at most.
  [[nodiscard]] std::size_t of(std::size_t all) const;
};

/// "64", or "10%"; nothing for anything else, for 0 and for more than 100%.
[[nodiscard]] std::optional<Amount> parse_amount(const std::string& text);

}  // namespace tunecheck
