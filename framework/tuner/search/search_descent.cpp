// Coordinate descent: all values of one parameter are tried, the best one stays, and the next
// parameter follows. Where a whole round brings nothing, it begins anew at a config drawn by
// chance, as long as there is a budget to spend.
#include <algorithm>
#include <map>
#include <set>

#include "tuner/search/search_parts.hpp"

namespace tunecheck::detail {
namespace {

// next() is called until it proposes nothing; between two calls, what it proposed has been tried,
// or the search is over. The object is always in one of two places: at a config whose neighbours
// along one parameter are being tried (m_along holds them), or before the next parameter (m_along
// is empty, as it also is at a fresh start). A search that is ended early has changed nothing but
// itself: the winner is chosen from the trials.
class CoordinateDescent : public Search {
 public:
  explicit CoordinateDescent(const SearchInput& input)
      : Search(input.options.time),
        m_configs(input.configs),
        m_has_budget(input.options.trials > 0 || input.options.time.count() > 0),
        m_left(trials_allowed(input)),
        m_starts(draw(input, input.configs.size())) {
    for (std::size_t i = 0; i < m_configs.size(); ++i) {
      m_places.emplace(m_configs[i], i);
      for (const auto& [name, value] : m_configs[i])
        m_values[name].insert(value);
    }
    for (const auto& [name, values] : m_values)
      m_parameters.push_back(name);
  }

  Proposal next(std::span<const Trial> trials) override {
    if (!m_current) return begin();
    while (m_left > 0) {
      if (m_along.empty()) {
        if (m_steps_without_gain >= m_parameters.size()) {
          if (!m_has_budget) break;
          return begin();
        }
        m_along = neighbours(m_parameters[m_parameter]);
        std::vector<std::size_t> untried;
        for (const std::size_t place : m_along)
          if (!m_tried.contains(place)) untried.push_back(place);
        if (!untried.empty()) return propose(std::move(untried));
      }
      move_to_best(trials);
      m_along.clear();
      m_parameter = (m_parameter + 1) % m_parameters.size();
    }
    return {};
  }

 private:
  Proposal begin() {
    while (m_next_start < m_starts.size() && m_tried.contains(m_starts[m_next_start]))
      ++m_next_start;
    if (m_next_start == m_starts.size() || m_left == 0) return {};
    m_current = m_starts[m_next_start];
    m_along.clear();
    m_steps_without_gain = 0;
    return propose({*m_current});
  }

  Proposal propose(std::vector<std::size_t> places) {
    places.resize(std::min(places.size(), m_left));
    m_left -= places.size();
    m_tried.insert(places.begin(), places.end());
    return {std::move(places), 1};
  }

  // All configs that differ from the current one in this parameter alone.
  std::vector<std::size_t> neighbours(const std::string& parameter) const {
    std::vector<std::size_t> places;
    Config config = m_configs[*m_current];
    for (const std::int64_t value : m_values.at(parameter)) {
      config[parameter] = value;
      const auto found = m_places.find(config);
      if (found != m_places.end() && found->second != *m_current) places.push_back(found->second);
    }
    if (places.empty()) places.push_back(*m_current);  // a round counts every parameter
    return places;
  }

  void move_to_best(std::span<const Trial> trials) {
    std::size_t best = *m_current;
    for (const std::size_t place : m_along)
      if (trials[place].measured() &&
          (!trials[best].measured() || trials[place].median_ns < trials[best].median_ns))
        best = place;
    m_steps_without_gain = best == *m_current ? m_steps_without_gain + 1 : 0;
    m_current = best;
  }

  const std::vector<Config>& m_configs;
  bool m_has_budget;
  std::size_t m_left;                 // configs that may still be tried
  std::vector<std::size_t> m_starts;  // the default config, then by chance
  std::map<Config, std::size_t> m_places;
  std::map<std::string, std::set<std::int64_t>> m_values;
  std::vector<std::string> m_parameters;
  std::set<std::size_t> m_tried;
  std::size_t m_next_start = 0;
  std::optional<std::size_t> m_current;
  std::vector<std::size_t> m_along;  // the neighbours in hand; empty where a parameter begins
  std::size_t m_parameter = 0;
  std::size_t m_steps_without_gain = 0;
};

}  // namespace

std::unique_ptr<Search> make_coordinate_descent(const SearchInput& input) {
  return std::make_unique<CoordinateDescent>(input);
}

}  // namespace tunecheck::detail
