#pragma once
// What the strategies share.
#include <algorithm>
#include <random>

#include "tuner/search/search.hpp"

namespace tunecheck::detail {

/// So many configs at most may be tried.
[[nodiscard]] inline std::size_t trials_allowed(const SearchInput& input) {
  const std::size_t all = input.configs.size();
  const auto budget = static_cast<std::size_t>(std::max<std::int64_t>(0, input.options.trials));
  return budget == 0 || budget > all ? all : budget;
}

/// `count` places of the space drawn by chance, none twice; the default config comes first.
[[nodiscard]] std::vector<std::size_t> draw(const SearchInput& input, std::size_t count);

[[nodiscard]] std::unique_ptr<Search> make_coordinate_descent(const SearchInput& input);
[[nodiscard]] std::unique_ptr<Search> make_successive_halving(const SearchInput& input);

}  // namespace tunecheck::detail
