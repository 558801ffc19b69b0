// Strategies, driven without a device: what each proposes over many random landscapes.
#include "tuner/search/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include <gmock/gmock.h>

namespace tunecheck {
namespace {

constexpr SearchStrategy all_strategies[] = {SearchStrategy::exhaustive, SearchStrategy::random,
                                             SearchStrategy::coordinate_descent,
                                             SearchStrategy::successive_halving};

// A space of random shape. What a config costs is a sum over its parameters (one valley), or drawn
// by chance; some configs fail.
class Landscape {
 public:
  Landscape(unsigned seed, bool one_valley, double failing) : m_random(seed) {
    configs.push_back({});
    const int parameters = 1 + static_cast<int>(m_random() % 3);
    for (int p = 0; p < parameters; ++p) {
      const std::string name(1, static_cast<char>('a' + p));
      const auto values = static_cast<std::int64_t>(2 + m_random() % 6);
      std::vector<Config> more;
      for (const Config& config : configs)
        for (std::int64_t value = 0; value < values; ++value) {
          more.push_back(config);
          more.back()[name] = value;
        }
      configs = std::move(more);
      m_best[name] = static_cast<std::int64_t>(m_random()) % values;
    }
    first = m_random() % configs.size();
    for (const Config& config : configs) {
      double cost = 100;
      for (const auto& [name, value] : config)
        cost += 10 * std::abs(static_cast<double>(value - m_best.at(name)));
      costs.push_back(one_valley ? cost : 100 + static_cast<double>(m_random() % 1000));
      fails.push_back(static_cast<double>(m_random() % 1000) < 1000 * failing);
    }
    fails[first] = false;
  }

  std::vector<Config> configs;
  std::vector<double> costs;
  std::vector<bool> fails;
  std::size_t first = 0;

 private:
  std::mt19937 m_random;
  std::map<std::string, std::int64_t> m_best;
};

struct Course {
  std::vector<std::size_t> order;  // every proposed place, in turn
  std::set<std::size_t> tried;
  std::vector<std::size_t> last;  // what was proposed last
  std::size_t winner = 0;
  bool ended = false;
  std::vector<double> efforts;
};

// Without noise: a measured config has its cost.
Course drive(const Landscape& land, const SearchOptions& options) {
  const auto search = make_search({options, land.configs, land.first});
  std::vector<Trial> trials;
  for (const Config& config : land.configs)
    trials.push_back({config, {}, 0, 0, 0, 0});
  Course course;
  for (int round = 0; round < 10'000; ++round) {
    const Proposal next = search->next(trials);
    if (next.configs.empty()) {
      course.ended = true;
      break;
    }
    course.efforts.push_back(next.effort);
    course.last = next.configs;
    for (const std::size_t place : next.configs) {
      course.order.push_back(place);
      course.tried.insert(place);
      const double cost = land.costs.at(place);
      if (land.fails[place])
        trials[place].failure = "fails";
      else
        trials[place] = {land.configs[place], {}, cost, cost, cost, 7};
    }
  }
  course.winner = fastest_trial(trials).value_or(land.configs.size());
  return course;
}

double best_cost(const Landscape& land) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < land.costs.size(); ++i)
    if (!land.fails[i]) best = std::min(best, land.costs[i]);
  return best;
}

TEST(Searches, end_within_their_budget_and_never_leave_the_space) {
  for (unsigned seed = 1; seed <= 200; ++seed)
    for (const SearchStrategy strategy : all_strategies) {
      const Landscape land(seed, seed % 2 == 0, seed % 3 == 0 ? 0.4 : 0);
      for (const std::int64_t trials : {0, 1, 2, 7, 1000}) {
        SearchOptions options;
        options.strategy = strategy;
        options.trials = trials;
        options.seed = seed;
        const Course course = drive(land, options);
        const auto where = fmt::format("{} seed {} budget {}", name_of(strategy), seed, trials);
        EXPECT_TRUE(course.ended) << where;
        EXPECT_LE(course.tried.size(),
                  trials == 0 ? land.configs.size() : static_cast<std::size_t>(trials))
            << where;
        ASSERT_FALSE(course.tried.empty()) << where;
        EXPECT_LT(*course.tried.rbegin(), land.configs.size()) << where;
        EXPECT_EQ(course.order.front(), land.first) << where << ": the default config comes first";
      }
    }
}

TEST(Searches, that_need_no_second_look_try_nothing_twice) {
  for (unsigned seed = 1; seed <= 100; ++seed)
    for (const SearchStrategy strategy :
         {SearchStrategy::exhaustive, SearchStrategy::random, SearchStrategy::coordinate_descent}) {
      SearchOptions options;
      options.strategy = strategy;
      options.seed = seed;
      options.trials = 20;
      const Course course = drive(Landscape(seed, true, 0.2), options);
      EXPECT_EQ(course.order.size(), course.tried.size()) << name_of(strategy) << ' ' << seed;
    }
}

TEST(Searches, exhaustive_and_halving_find_the_best_of_any_landscape) {
  for (unsigned seed = 1; seed <= 200; ++seed)
    for (const SearchStrategy strategy :
         {SearchStrategy::exhaustive, SearchStrategy::successive_halving}) {
      const Landscape land(seed, false, seed % 2 == 0 ? 0.3 : 0);
      SearchOptions options;
      options.strategy = strategy;
      const Course course = drive(land, options);
      EXPECT_EQ(land.costs.at(course.winner), best_cost(land)) << name_of(strategy) << ' ' << seed;
    }
}

TEST(Searches, halving_keeps_the_best_to_the_end) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const Landscape land(seed, false, seed % 2 == 0 ? 0.3 : 0);
    SearchOptions options;
    options.strategy = SearchStrategy::successive_halving;
    const Course course = drive(land, options);
    EXPECT_THAT(course.last, testing::Contains(course.winner)) << seed;
  }
}

TEST(Searches, a_descent_finds_the_floor_of_one_valley_with_few_trials) {
  std::size_t tried = 0;
  std::size_t all = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const Landscape land(seed, true, 0);
    SearchOptions options;
    options.strategy = SearchStrategy::coordinate_descent;
    const Course course = drive(land, options);
    EXPECT_EQ(land.costs.at(course.winner), best_cost(land)) << seed;
    tried += course.tried.size();
    all += land.configs.size();
  }
  EXPECT_LT(tried, all / 2);
}

TEST(Searches, a_descent_with_a_budget_starts_again_elsewhere) {
  int better = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const Landscape land(seed, false, 0);
    SearchOptions options;
    options.strategy = SearchStrategy::coordinate_descent;
    const Course once = drive(land, options);
    options.trials = static_cast<std::int64_t>(land.configs.size());
    const Course again = drive(land, options);
    EXPECT_LE(land.costs.at(again.winner), land.costs.at(once.winner)) << seed;
    better += land.costs.at(again.winner) < land.costs.at(once.winner) ? 1 : 0;
  }
  EXPECT_GT(better, 10);
}

TEST(Searches, halving_spends_more_on_fewer) {
  const Landscape land(4, false, 0);
  SearchOptions options;
  options.strategy = SearchStrategy::successive_halving;
  const Course course = drive(land, options);
  ASSERT_GT(course.efforts.size(), 1U);
  EXPECT_TRUE(std::is_sorted(course.efforts.begin(), course.efforts.end()));
  EXPECT_LT(course.efforts.front(), course.efforts.back());
  EXPECT_LE(course.efforts.back(), 1);
}

TEST(Searches, that_draw_are_the_same_again_from_the_same_seed_and_no_other) {
  unsigned large = 1;
  while (Landscape(large, false, 0).configs.size() <= 20)
    ++large;
  const Landscape land(large, false, 0);
  SearchOptions options;
  options.strategy = SearchStrategy::random;
  options.trials = 10;
  options.seed = 3;
  const Course course = drive(land, options);
  EXPECT_EQ(drive(land, options).order, course.order);
  options.seed = 4;
  EXPECT_NE(drive(land, options).order, course.order);
}

TEST(Searches, are_over_once_their_time_is_spent) {
  SearchOptions options;
  options.time = std::chrono::milliseconds(5);
  const Landscape land(1, true, 0);
  const auto search = make_search({options, land.configs, land.first});
  EXPECT_FALSE(search->is_over(std::chrono::milliseconds(5)));
  EXPECT_TRUE(search->is_over(std::chrono::milliseconds(6)));
  options.time = {};
  EXPECT_FALSE(make_search({options, land.configs, land.first})->is_over(std::chrono::hours(1)));
}

TEST(Searches, have_names_that_are_read_back) {
  for (const SearchStrategy strategy : all_strategies)
    EXPECT_EQ(parse_search_strategy(name_of(strategy)), strategy);
  EXPECT_FALSE(parse_search_strategy("annealing"));
}

}  // namespace
}  // namespace tunecheck
