// docs/foreign-mutants.md: each mutant that an adapter can plant, with what must catch it. Whether
// it does is what `tunecheck audit --adapter` shows.
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include "core/files.hpp"
#include "core/resources.hpp"
#include "harness/process/adapter_info.hpp"
#include "harness/process/adapter_process.hpp"

namespace tunecheck::test::foreign_mutants_page {
namespace {

// As many as show that scenarios can fail for a tuner in each of its parts.
constexpr std::size_t least_mutants = 8;

std::string row_of(const MutantInfo& mutant) {
  std::vector<std::string> claims;
  for (const auto& [scenario, check] : mutant.caught_by)
    claims.push_back(fmt::format("`{}` in `{}`", check, scenario));
  return fmt::format("| `{}` | {} | {} |\n", mutant.name, mutant.summary, fmt::join(claims, ", "));
}

std::string section_of(const AdapterInfo& adapter, const std::vector<MutantInfo>& mutants) {
  std::string section =
      fmt::format("## {}\n\n| mutant | the bug | caught by |\n|---|---|---|\n", adapter.name);
  for (const MutantInfo& mutant : mutants)
    section += row_of(mutant);
  return section + "\n## ";
}

std::map<std::string, AdapterInfo> all_adapters() {
  return read_adapters(find_resources().adapters).value();
}

std::vector<std::string> adapters_with_mutants() {
  std::vector<std::string> found;
  for (const auto& [name, adapter] : all_adapters())
    if (adapter.has_mutants) found.push_back(name);
  return found;
}

// CubeCL's is built by a cargo, and FFTW's with a library, that not every machine has.
bool may_be_missing(const std::string& adapter) {
  return adapter == "cubecl" || adapter == "fftw";
}

TEST(ForeignMutants, are_planted_by_several_adapters) {
  EXPECT_GE(adapters_with_mutants().size(), 4U);
}

class ForeignMutantsPage : public testing::TestWithParam<std::string> {};

TEST_P(ForeignMutantsPage, lists_each_mutant_with_the_checks_that_catch_it) {
  const AdapterInfo adapter = all_adapters().at(GetParam());
  if (may_be_missing(adapter.name) && !find_adapter_program(adapter))
    GTEST_SKIP() << "the program of " << adapter.name << " is not built here";
  const std::string page =
      read_text_file(std::filesystem::path(TUNECHECK_DOCS) / "foreign-mutants.md").value();
  const auto mutants = list_mutants_of(adapter);
  ASSERT_TRUE(mutants) << mutants.error().text();
  EXPECT_GE(mutants->size(), least_mutants);
  EXPECT_THAT(page, testing::HasSubstr(section_of(adapter, *mutants)));
}

INSTANTIATE_TEST_SUITE_P(Each, ForeignMutantsPage, testing::ValuesIn(adapters_with_mutants()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tunecheck::test::foreign_mutants_page
