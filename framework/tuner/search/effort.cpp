#include "tuner/search/effort.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tuner/search/search.hpp"

namespace tunecheck {
namespace {

struct EffortRow {
  std::string_view name;
  std::size_t configs;  // 0: all
};
constexpr std::array<EffortRow, 4> efforts = {
    {{"minimal", 4}, {"balanced", 32}, {"extensive", 256}, {"full", 0}}};

// Few enough to measure each of them at length at once.
constexpr std::size_t few = 4;

constexpr double same_speed = 1.08;

}  // namespace

std::string_view name_of(Effort effort) {
  return efforts.at(static_cast<std::size_t>(effort)).name;
}

std::optional<Effort> parse_effort(std::string_view word) {
  for (std::size_t i = 0; i < efforts.size(); ++i)
    if (efforts.at(i).name == word) return static_cast<Effort>(i);
  return std::nullopt;
}

std::string effort_words() {
  return "minimal, balanced, extensive or full";
}

SearchOptions without_effort(const SearchOptions& options, std::size_t space) {
  if (!options.effort) return options;
  SearchOptions plain = options;
  plain.effort.reset();
  std::size_t configs = efforts.at(static_cast<std::size_t>(*options.effort)).configs;
  if (options.trials > 0) {
    const auto most = static_cast<std::size_t>(options.trials);
    configs = configs == 0 ? most : std::min(configs, most);
  }
  if (configs == 0 || configs >= space) {
    plain.strategy = SearchStrategy::exhaustive;
    plain.trials = 0;
    return plain;
  }
  plain.strategy = configs <= few ? SearchStrategy::random : SearchStrategy::successive_halving;
  plain.trials = static_cast<std::int64_t>(configs);
  return plain;
}

std::string describe(const SearchOptions& options) {
  std::string words(options.effort ? name_of(*options.effort) : name_of(options.strategy));
  if (options.trials > 0) words += fmt::format(", {} configs", options.trials);
  if (options.time.count() > 0)
    words += fmt::format(", {} ms", static_cast<double>(options.time.count()) / 1e6);
  return words;
}

bool is_enough(const SearchedWith& searched, const SearchOptions& options, std::size_t space) {
  if (searched.configs >= static_cast<std::int64_t>(space)) return true;
  const SearchOptions asked = without_effort(options, space);
  if (asked.time.count() > 0 && searched.time >= asked.time) return true;
  if (asked.trials > 0) return searched.configs >= asked.trials;
  return asked.strategy == SearchStrategy::coordinate_descent && asked.time.count() == 0;
}

bool is_as_fast(const Trial& then, const Trial& now) {
  return now.measured() && now.median_ns <= then.median_ns * same_speed &&
         then.median_ns <= now.median_ns * same_speed;
}

}  // namespace tunecheck
