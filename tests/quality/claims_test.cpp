// Every mutant that a scenario of quality says it catches, for nearly every seed: what is caught by
// luck is not caught.
#include <algorithm>

#include <gtest/gtest.h>

#include "mutants/mutant.hpp"
#include "play.hpp"

namespace tunecheck::test {
namespace {

// Caught by what only observers of a process see: which configs were launched.
bool shows_in_a_process_alone(const std::string& mutant) {
  return mutant == "failures_forgotten" || mutant == "searches_from_the_beginning" ||
         mutant == "believes_earlier_times";
}

std::vector<std::string> claims() {
  std::vector<std::string> names;
  for (const auto& [name, scenario] : quality_catalogue().scenarios)
    for (const std::string& mutant : scenario.catches)
      if (!shows_in_a_process_alone(mutant)) names.push_back(name.substr(8) + "__" + mutant);
  return names;
}

class Claims : public testing::TestWithParam<std::string> {};

TEST_P(Claims, hold_whatever_the_seed) {
  const std::size_t at = GetParam().find("__");
  const Scenario& scenario =
      quality_catalogue().scenarios.at("quality." + GetParam().substr(0, at));
  ReferenceAdapterSetup setup;
  const Mutant* const mutant = find_mutant(GetParam().substr(at + 2));
  ASSERT_NE(mutant, nullptr);
  mutant->plant(setup);
  std::uint64_t missed = 0;
  const std::uint64_t seeds = seeds_to_play(5);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const auto findings = play(scenario, seed, setup.parts);
    missed += std::all_of(findings.begin(), findings.end(),
                          [](const Finding& finding) { return finding.holds(); })
                  ? 1
                  : 0;
  }
  EXPECT_LE(missed, seeds / 100) << "of " << seeds << " seeds";
}

INSTANTIATE_TEST_SUITE_P(Quality, Claims, testing::ValuesIn(claims()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tunecheck::test
