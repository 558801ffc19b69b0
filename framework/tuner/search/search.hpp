#pragma once
// Which configs are tried, and in which order.
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/config.hpp"
#include "tuner/search/effort.hpp"
#include "tuner/trial/trial.hpp"

namespace tunecheck {

enum class SearchStrategy {
  exhaustive,          ///< every config
  random,              ///< configs drawn by chance, none twice
  coordinate_descent,  ///< one parameter after the other, from the default config on
  successive_halving,  ///< all (or some drawn) for a moment, the better half for longer, and so on
};
[[nodiscard]] std::string_view name_of(SearchStrategy strategy);
[[nodiscard]] std::optional<SearchStrategy> parse_search_strategy(std::string_view word);

struct SearchOptions {
  SearchStrategy strategy = SearchStrategy::exhaustive;
  /// At most so many configs are tried; 0: as many as the strategy likes. Further looks at a config
  /// that has been tried count for nothing.
  std::int64_t trials = 0;
  /// No further trial begins after so long by the device's clock; 0: no limit. What is looked at
  /// again in the end comes on top, and so do waits for compilers that work beside trials.
  std::chrono::nanoseconds time{0};
  std::uint64_t seed = 1;  ///< for what is drawn
  /// Chooses the strategy and the number of trials by the size of the space; `trials` and `time`
  /// still limit it. None: the strategy above.
  std::optional<Effort> effort = std::nullopt;
};

/// What a search is made for. All that it points to outlives the search.
struct SearchInput {
  const SearchOptions& options;
  const std::vector<Config>& configs;  ///< the space; not empty
  std::optional<std::size_t> first;    ///< the default config among them, where it is
};

/// The next configs to try, by their place in the space, in this order.
struct Proposal {
  std::vector<std::size_t> configs;
  double effort = 1;  ///< share of the time that measuring one of them may take
};

/// One tuning's way through the space. One thread at a time.
class Search {
 public:
  /// `time` as in SearchOptions.
  explicit Search(std::chrono::nanoseconds time) : m_time(time) {}
  virtual ~Search() = default;
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  /// What to try next, where `trials` (one a config of the space) says what has come of it so far;
  /// nothing where the search is over. A config that is proposed again is looked at again.
  [[nodiscard]] virtual Proposal next(std::span<const Trial> trials) = 0;

  /// True where no further trial may begin, after so long by the device's clock.
  [[nodiscard]] bool is_over(std::chrono::nanoseconds spent) const {
    return m_time.count() > 0 && spent > m_time;
  }

 private:
  std::chrono::nanoseconds m_time;
};

/// The strategy that the options name, within their budget of trials.
[[nodiscard]] std::unique_ptr<Search> make_search(const SearchInput& input);

}  // namespace tunecheck
