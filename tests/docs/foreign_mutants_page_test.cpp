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

TEST(ForeignMutantsPage, lists_each_mutant_with_the_checks_that_catch_it) {
  const std::string page =
      read_text_file(std::filesystem::path(TUNECHECK_DOCS) / "foreign-mutants.md").value();
  const auto adapters = read_adapters(find_resources().adapters).value();
  int with_mutants = 0;
  for (const auto& [name, adapter] : adapters) {
    if (!adapter.has_mutants) continue;
    // CubeCL's is built by a cargo that not every machine has.
    if (name == "cubecl" && !find_adapter_program(adapter)) continue;
    ++with_mutants;
    const auto mutants = list_mutants_of(adapter);
    ASSERT_TRUE(mutants) << mutants.error().text();
    EXPECT_GE(mutants->size(), least_mutants) << name;
    EXPECT_THAT(page, testing::HasSubstr(section_of(adapter, *mutants)));
  }
  EXPECT_GE(with_mutants, 2);
}

}  // namespace
}  // namespace tunecheck::test::foreign_mutants_page
