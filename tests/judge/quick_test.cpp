// The selection that is run while working: of the toy's scenarios, and of tunecheck's own.
#include "judge/scenario/quick.hpp"

#include <gmock/gmock.h>

#include "judge/checks/table/check.hpp"
#include "judge/scenario/named_checks.hpp"
#include "scenario_folder.hpp"

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

class QuickCase : public testing::Test {
 protected:
  // The names of the quick selection of these scenarios.
  std::vector<std::string> quick(const std::string& scenarios,
                                 const std::set<std::string_view>& not_asked = {}) {
    Catalogue catalogue;
    catalogue.kernels = folder.kernels();
    for (const Scenario& scenario : folder.scenarios(scenarios))
      catalogue.scenarios.emplace(scenario.name, scenario);
    std::vector<std::string> names;
    for (const Scenario* const scenario :
         quick_selection(catalogue, select_scenarios(catalogue, {}).value(), not_asked))
      names.push_back(scenario->name);
    return names;
  }
  static std::string scenario(const std::string& name, const std::string& expectations,
                              const std::string& head = "") {
    return scenario_text("process a { call { expect { " + expectations + " } } }", head, name);
  }

  ScenarioFolder folder;
};

TEST_F(QuickCase, of_scenarios_that_ask_the_same_one_is_enough) {
  EXPECT_THAT(quick(scenario("a.one", "cache miss") + scenario("a.two", "cache miss")),
              ElementsAre("a.one"));
}

TEST_F(QuickCase, for_a_check_that_the_tuner_is_not_asked_nothing_is_added) {
  const std::string both =
      scenario("a.one", "cache miss") + scenario("a.two", "cache miss  guard.intact yes");
  EXPECT_THAT(quick(both), testing::Contains("a.two"));
  EXPECT_THAT(quick(both, {"guard.intact"}), ElementsAre("a.one"));
}

TEST_F(QuickCase, every_family_and_every_check_that_is_named_is_there) {
  EXPECT_THAT(quick(scenario("a.one", "cache miss") + scenario("b.one", "cache miss") +
                    scenario("b.two", "cache miss  guard.intact yes") +
                    scenario("b.three", "reset.policy yes")),
              ElementsAre("a.one", "b.three", "b.two"));
}

TEST_F(QuickCase, the_cheaper_of_two_is_taken) {
  EXPECT_THAT(
      quick(scenario("a.dear", "cache miss", "measures yes") + scenario("a.near", "cache miss")),
      ElementsAre("a.near"));
  EXPECT_THAT(
      quick(scenario_text("process a { repeat 3 { call { expect { cache miss } } } }", "", "a.a") +
            scenario("a.b", "cache miss")),
      ElementsAre("a.b"));
}

TEST_F(QuickCase, one_in_which_a_tuner_may_stand_still_until_its_time_is_over_is_dear) {
  EXPECT_THAT(quick(scenario("a.hang", "cache miss", "time_limit 30") +
                    scenario("a.near", "cache miss  output.reference yes")),
              ElementsAre("a.near"));
  EXPECT_THAT(
      quick(scenario("a.hang", "cache miss", "time_limit 30") + scenario("a.other", "cache miss")),
      ElementsAre("a.other"));
}

TEST_F(QuickCase, a_call_that_hits_costs_less_than_one_that_tunes) {
  const auto cost = [&](const std::string& expectation) {
    const auto scenarios = folder.scenarios(scenario("a.a", expectation));
    return cost_of(scenarios.at(0), folder.kernels().at("toy"));
  };
  EXPECT_LT(cost("cache hit"), cost("cache miss"));
  EXPECT_EQ(cost("trials 0"), cost("cache hit"));
}

TEST_F(QuickCase, names_each_check_once_whoever_asks) {
  const auto scenarios =
      folder.scenarios(scenario_text("process a { call { expect { cache miss } } } "
                                     "process b { call { expect { cache hit  winner a } } "
                                     "call { expect { cache hit } } }"));
  EXPECT_THAT(named_checks(scenarios.at(0)),
              UnorderedElementsAre("key.must_miss", "key.must_hit", "reload.same_winner"));
}

// The promise of `--quick`, held against tunecheck's own scenarios.
TEST(QuickSelection, of_all_scenarios_asks_every_check_in_every_family_at_a_quarter_of_the_cost) {
  const auto catalogue = read_catalogue({});
  ASSERT_TRUE(catalogue) << catalogue.error().text();
  const auto all = select_scenarios(*catalogue, {}).value();
  std::set<std::string> families, quick_families;
  std::set<std::string_view> named, quick_named;
  std::int64_t cost = 0, quick_cost = 0;
  for (const Scenario* const scenario : all) {
    families.insert(scenario->family);
    named.merge(named_checks(*scenario));
    cost += cost_of(*scenario, catalogue->kernel_of(*scenario));
  }
  for (const Scenario* const scenario : quick_selection(*catalogue, all)) {
    quick_families.insert(scenario->family);
    quick_named.merge(named_checks(*scenario));
    quick_cost += cost_of(*scenario, catalogue->kernel_of(*scenario));
  }
  EXPECT_EQ(quick_families, families);
  EXPECT_EQ(quick_named, named);
  EXPECT_LT(4 * quick_cost, cost);
  for (const Check& check : all_checks())
    EXPECT_TRUE(check.judge == nullptr || check.always == Always::seen_call ||
                quick_named.contains(check.name))
        << check.name;
}

}  // namespace
}  // namespace tunecheck::test
