#include "tuner/search/search.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "tuner/search/search_parts.hpp"

namespace tunecheck {
namespace {

constexpr std::array<std::string_view, 4> names = {"exhaustive", "random", "coordinate_descent",
                                                   "successive_halving"};

// Few enough that a budget of time is noticed before many more have been compiled, and enough to
// keep several compilers busy.
constexpr std::size_t configs_at_once = 32;

// A list of configs that does not depend on what comes of them.
class FixedList : public Search {
 public:
  FixedList(const SearchOptions& options, std::vector<std::size_t> configs, std::size_t at_once)
      : Search(options.time), m_configs(std::move(configs)), m_at_once(at_once) {}

  Proposal next(std::span<const Trial>) override {
    const std::size_t count = std::min(m_at_once, m_configs.size() - m_proposed);
    const auto begin = m_configs.begin() + static_cast<std::ptrdiff_t>(m_proposed);
    m_proposed += count;
    return {{begin, begin + static_cast<std::ptrdiff_t>(count)}, 1};
  }

 private:
  std::vector<std::size_t> m_configs;
  std::size_t m_at_once;
  std::size_t m_proposed = 0;
};

// Nothing is more likely to be right than the default config: it comes first, and where there is no
// reference, its result is what the others are held to.
std::vector<std::size_t> in_order(const SearchInput& input) {
  std::vector<std::size_t> order(input.configs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (input.first)
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(*input.first),
                order.begin() + static_cast<std::ptrdiff_t>(*input.first) + 1);
  order.resize(detail::trials_allowed(input));
  return order;
}

}  // namespace

std::string_view name_of(SearchStrategy strategy) {
  return names.at(static_cast<std::size_t>(strategy));
}

std::optional<SearchStrategy> parse_search_strategy(std::string_view word) {
  const auto found = std::find(names.begin(), names.end(), word);
  if (found == names.end()) return std::nullopt;
  return static_cast<SearchStrategy>(found - names.begin());
}

std::vector<std::size_t> detail::draw(const SearchInput& input, std::size_t count) {
  std::vector<std::size_t> order(input.configs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (input.first) std::swap(order.front(), order[*input.first]);
  std::mt19937_64 random(input.options.seed);
  for (std::size_t i = input.first ? 1 : 0; i < count; ++i)
    std::swap(order[i], order[i + random() % (order.size() - i)]);
  order.resize(count);
  return order;
}

std::unique_ptr<Search> make_search(const SearchInput& wanted) {
  const SearchOptions options = without_effort(wanted.options, wanted.configs.size());
  const SearchInput input{options, wanted.configs, wanted.first};
  const bool in_time = input.options.time.count() > 0;
  switch (input.options.strategy) {
    case SearchStrategy::exhaustive:
      return std::make_unique<FixedList>(input.options, in_order(input),
                                         in_time ? configs_at_once : input.configs.size());
    case SearchStrategy::random:
      return std::make_unique<FixedList>(
          input.options, detail::draw(input, detail::trials_allowed(input)), configs_at_once);
    case SearchStrategy::coordinate_descent:
      return detail::make_coordinate_descent(input);
    case SearchStrategy::successive_halving:
      return detail::make_successive_halving(input);
  }
  return nullptr;
}

}  // namespace tunecheck
