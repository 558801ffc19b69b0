// The table of upstream bugs: what its file may say, and what counts as shown.
#include "judge/scenario/coverage.hpp"

#include <gmock/gmock.h>

#include "scenario_folder.hpp"

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class CoverageCase : public testing::Test {
 protected:
  static std::string bug(const std::string& names, const std::string& further = "") {
    return "bug\n{\n  family    restore\n  names     \"" + names +
           "\"\n  happened  \"it broke | badly\"\n" + further + "}\n";
  }
  static std::string scenario(const std::string& because, const std::string& catches = "a_bug",
                              const std::string& name = "test.toy") {
    const std::string text = scenario_text("process a { call { expect { cache miss } } }",
                                           "catches \"" + catches + "\"", name);
    const std::size_t at = text.find("because ");
    return text.substr(0, at) + "because \"" + because + "\"" + text.substr(text.find('\n', at));
  }
  Result<std::vector<UpstreamBug>> read(const std::string& bugs) const {
    EXPECT_TRUE(write_file(bugs_file(), bugs));
    return read_upstream_bugs(bugs_file());
  }
  Coverage covered(const std::string& bugs, const std::string& scenarios) const {
    std::map<std::string, Scenario> by_name;
    for (const Scenario& each : folder.scenarios(scenarios))
      by_name.emplace(each.name, each);
    return cover(read(bugs).value(), "bugs.info", by_name);
  }
  std::vector<std::string> gaps(const std::string& bugs, const std::string& scenarios) const {
    std::vector<std::string> texts;
    for (const Error& gap : covered(bugs, scenarios).gaps)
      texts.push_back(gap.text());
    return texts;
  }
  std::string mistake_in(const std::string& bugs) const {
    const auto read_bugs = read(bugs);
    if (read_bugs) return "";
    return read_bugs.error().text().substr(folder.path().string().size() + 1);
  }
  std::filesystem::path bugs_file() const { return folder.path() / "bugs.info"; }

  ScenarioFolder folder;
};

TEST_F(CoverageCase, a_bug_is_shown_by_the_scenarios_that_name_it) {
  const Coverage coverage =
      covered(bug("triton#54 flydsl-of-old") + bug("pytorch#1"),
              scenario("triton#54: it ran on its own output", "no_restore", "test.a") +
                  scenario("(pytorch#1, flydsl-of-old)", "no_restore other", "test.b"));
  EXPECT_THAT(coverage.gaps, IsEmpty());
  EXPECT_THAT(coverage.markdown,
              HasSubstr("\n## restore\n\n| upstream | what happened | scenario | checks | mutants "
                        "|\n|---|---|---|---|---|\n"
                        "| triton#54, flydsl-of-old | it broke \\| badly | `test.a` | "
                        "key.must_miss | no_restore |\n"
                        "| | | `test.b` | key.must_miss | no_restore, other |\n"
                        "| pytorch#1 | it broke \\| badly | `test.b` | key.must_miss | "
                        "no_restore, other |\n"));
}

TEST_F(CoverageCase, a_bug_that_no_scenario_names_is_a_gap) {
  EXPECT_THAT(gaps(bug("triton#54") + bug("triton#543 triton#5"), scenario("triton#54: x")),
              ElementsAre("bugs.info:7: bug: expected a scenario that catches a mutant and whose "
                          "`because` names one of triton#543, triton#5; or the reason in "
                          "not_shown"));
}

TEST_F(CoverageCase, a_scenario_that_catches_nothing_proves_nothing) {
  EXPECT_THAT(gaps(bug("triton#54"), scenario("triton#54: x", "")),
              ElementsAre(HasSubstr("bugs.info:1: bug: expected a scenario that catches")));
}

TEST_F(CoverageCase, what_cannot_be_shown_says_why_and_is_not_named) {
  const std::string bugs = bug("triton#54", "  not_shown \"needs a GPU\"\n");
  const Coverage coverage = covered(bugs, scenario("no bug at all"));
  EXPECT_THAT(coverage.gaps, IsEmpty());
  EXPECT_THAT(coverage.markdown,
              HasSubstr("| restore | triton#54 | it broke \\| badly | needs a GPU |\n"));
  EXPECT_THAT(gaps(bugs, scenario("triton#54: x")),
              ElementsAre("bugs.info:1: bug: expected no scenario for what is not_shown, found "
                          "test.toy"));
}

TEST_F(CoverageCase, an_issue_that_is_not_in_the_list_is_a_gap) {
  EXPECT_THAT(gaps(bug("triton#54"), scenario("triton#54, triton#55: x")),
              ElementsAre(HasSubstr(":1: because: \"triton#55\" is not in bugs.info")));
}

TEST_F(CoverageCase, every_mistake_in_the_list_has_file_line_and_key) {
  EXPECT_EQ(mistake_in(bug("triton#54")), "");
  EXPECT_EQ(mistake_in(bug("triton#54") + bug("triton#54")),
            "bugs.info:10: names: \"triton#54\" is already in line 1");
  EXPECT_EQ(mistake_in(bug("triton")),
            "bugs.info:4: names: expected repo#number, or words with hyphens, found \"triton\"");
  EXPECT_EQ(mistake_in(bug("a-b #5")),
            "bugs.info:4: names: expected repo#number, or words with hyphens, found \"#5\"");
  EXPECT_THAT(mistake_in(bug("a-b", "  reason x\n")), HasSubstr("bugs.info:6: reason: "));
  EXPECT_EQ(mistake_in("bgu { }\n"), "bugs.info:1: bgu: expected \"bug\", found \"bgu\"");
  EXPECT_EQ(mistake_in("; none\n"), "bugs.info:1: bug: expected at least one");
}

}  // namespace
}  // namespace tunecheck::test
