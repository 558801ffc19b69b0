// Successive halving: every config is measured for a moment, the better half of them for twice as
// long, and so on, until a few are left, which the tuning then looks at once more in fresh reps.
#include <algorithm>

#include "tuner/search/search_parts.hpp"

namespace tunecheck::detail {
namespace {

constexpr std::size_t few_enough = 4;
constexpr double least_effort = 1.0 / 16;

class SuccessiveHalving : public Search {
 public:
  explicit SuccessiveHalving(const SearchInput& input)
      : Search(input.options.time), m_left(draw(input, trials_allowed(input))) {
    for (std::size_t count = m_left.size(); count > few_enough; count = (count + 1) / 2)
      m_effort /= 2;
  }

  Proposal next(std::span<const Trial> trials) override {
    if (m_has_begun) {
      if (m_left.size() <= few_enough) return {};
      keep_better_half(trials);
      m_effort *= 2;
    }
    m_has_begun = true;
    return {m_left, std::max(least_effort, m_effort)};
  }

 private:
  void keep_better_half(std::span<const Trial> trials) {
    const auto is_better = [&](std::size_t a, std::size_t b) {
      if (trials[a].measured() != trials[b].measured()) return trials[a].measured();
      return trials[a].median_ns < trials[b].median_ns;
    };
    std::stable_sort(m_left.begin(), m_left.end(), is_better);
    m_left.resize((m_left.size() + 1) / 2);
    std::erase_if(m_left, [&](std::size_t place) { return !trials[place].measured(); });
  }

  std::vector<std::size_t> m_left;
  double m_effort = 1;
  bool m_has_begun = false;
};

}  // namespace

std::unique_ptr<Search> make_successive_halving(const SearchInput& input) {
  return std::make_unique<SuccessiveHalving>(input);
}

}  // namespace tunecheck::detail
