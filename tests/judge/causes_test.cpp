// The questions of the checks, and causes.info: what a file may say, and that those of this source
// tree say enough.
#include "judge/scenario/causes.hpp"

#include <algorithm>

#include <gmock/gmock.h>

#include "core/files.hpp"
#include "judge/checks/table/check.hpp"
#include "judge/scenario/catalogue.hpp"
#include "judge/scenario/known_marks.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

const std::set<std::string> scenarios = {"faults.cut", "faults.flipped", "reload.fine"};

Result<TunerCauses> read(const std::string& text) {
  const auto folder = TemporaryFolder::create("causes").value();
  const fs::path file = folder.path() / "causes.info";
  if (!write_file(file, text)) throw std::runtime_error("cannot write");
  auto causes = read_causes(file, scenarios);
  if (!causes) causes.error().file = "causes.info";
  return causes;
}

// A cause with these keys beside those that must be there.
std::string cause(const std::string& keys) {
  return "cause\n{\n  name no_digest\n  title \"binaries are not checked\"\n" + keys + "\n}\n";
}

std::string mistake(const std::string& text) {
  const auto causes = read(text);
  return causes ? "no mistake" : causes.error().text();
}

TEST(Causes, say_whose_promise_it_is_what_it_explains_and_what_is_known_upstream) {
  const auto causes = read(cause(R"(  kind broken_promise
  promise "it says so"
  scenarios "faults.* reload.fine"
  checks "corrupt.is_miss key.must_hit"
  since 1.0
  finding toy/a.md
  scripts "toy/a.py toy/b.py"
  looked_at 2026-11-26
  upstream { issue { link https://example.org/1  state open  says "about it" }  issue { link https://example.org/2 } })"));
  ASSERT_TRUE(causes) << causes.error().text();
  const TunerCause& found = causes->at("no_digest");
  EXPECT_EQ(found.kind, CauseKind::broken_promise);
  EXPECT_EQ(found.since, "1.0");
  EXPECT_EQ(found.fixed_in, "");
  EXPECT_THAT(found.scripts, ElementsAre("toy/a.py", "toy/b.py"));
  ASSERT_EQ(found.upstream.size(), 2U);
  EXPECT_EQ(found.upstream[0].state, "open");
  EXPECT_EQ(found.upstream[1].state, "");
  EXPECT_TRUE(found.is_of("faults.cut"));
  EXPECT_TRUE(found.is_of("faults.cut", "key.must_hit"));
  EXPECT_FALSE(found.is_of("faults.cut", "output.reference"));
  EXPECT_FALSE(found.is_of("reload.finer"));
}

TEST(Causes, a_mistake_has_its_line_and_key) {
  const std::string fine = "  kind never_said\n  scenarios faults.cut\n";
  EXPECT_EQ(mistake(cause(fine)), "no mistake");
  for (const auto& [keys, expected] : std::vector<std::pair<std::string, std::string>>{
           {"  kind bad\n  scenarios faults.cut",
            "causes.info:5: kind: expected broken_promise, other_policy or never_said"},
           {"  kind other_policy\n  scenarios faults.cut",
            "causes.info:5: kind: expected `promise` next to it"},
           {"  kind broken_promise\n  scenarios faults.cut",
            "causes.info:5: kind: expected `promise` next to it"},
           {"  kind never_said", "cause: expected names of scenarios, unless scripts alone"},
           {"  kind never_said\n  scenarios \"faults.cut other.*\"",
            "causes.info:6: scenarios: \"other.*\" names no scenario"},
           {fine + "  checks corrupt.is_mis", "checks: unknown check \"corrupt.is_mis\""},
           {fine + "  finding ../../etc/passwd", "finding: expected a path below docs/findings"},
           {fine + "  finding /etc/passwd", "finding: expected a path below docs/findings"},
           {fine + "  scripts \"a.py ../b.py\"", "scripts: expected paths below docs/findings"},
           {fine + "  looked_at 2026-13-01", "looked_at: expected a date"},
           {fine + "  upstream { issue { link https://example.org/1 } }",
            "upstream: expected looked_at next to it"},
           {fine + "  looked_at 2026-11-26\n  upstream { issue { link ftp://example.org/1 } }",
            "link: expected a link (https://...)"},
           {fine + "  looked_at 2026-11-26\n  upstream { issue { link https://example.org/1  state "
                   "new } }",
            "state: expected open, closed or merged, found \"new\""},
           {fine + "  looked_at 2026-11-26\n  upstream { link x }",
            "link: expected \"issue\", found \"link\""},
           {fine + "  colour red", "colour"}})
    EXPECT_THAT(mistake(cause(keys)), HasSubstr(expected)) << keys;
  EXPECT_THAT(mistake(cause(fine) + cause(fine)), HasSubstr("\"no_digest\" is there already"));
  EXPECT_THAT(mistake(""), HasSubstr("expected at least one"));
  EXPECT_THAT(mistake("known { }\n"), HasSubstr("expected \"cause\", found \"known\""));
}

// Reports ask in these words, in which a reader finds no name that only tunecheck has.
TEST(ChecksTable, every_check_is_a_question_in_plain_words) {
  std::set<std::string_view> questions;
  for (const Check& check : all_checks()) {
    EXPECT_TRUE(check.question.ends_with('?')) << check.name;
    EXPECT_EQ(check.question.find(check.name), check.question.npos) << check.name;
    EXPECT_TRUE(questions.insert(check.question).second) << check.name;
  }
}

// The files of the adapters in this source tree.
class ShippedCauses : public testing::Test {
 protected:
  ShippedCauses() {
    for (const auto& entry : fs::recursive_directory_iterator(root / "framework/adapter"))
      if (entry.path().filename() == "causes.info") files.push_back(entry.path());
    const Catalogue catalogue = read_catalogue({}).value();
    for (const auto& [name, scenario] : catalogue.scenarios)
      names.insert(name);
  }
  const fs::path root = TUNECHECK_SOURCE_ROOT;
  std::vector<fs::path> files;
  std::set<std::string> names;
};

TEST_F(ShippedCauses, explain_every_mark_next_to_them) {
  ASSERT_GE(files.size(), 10U);
  for (const fs::path& file : files) {
    const auto causes = read_causes(file, names);
    ASSERT_TRUE(causes) << causes.error().text();
    const auto marks = read_known_failures({file.parent_path() / "known.info"}, names);
    ASSERT_TRUE(marks) << marks.error().text();
    for (const auto& [scenario, mark] : *marks)
      EXPECT_TRUE(
          std::any_of(causes->begin(), causes->end(),
                      [&name = scenario](const auto& each) { return each.second.is_of(name); }))
          << mark.file << ':' << mark.line << ": no cause of causes.info explains " << scenario;
  }
}

TEST_F(ShippedCauses, are_there_wherever_there_are_marks) {
  for (const auto& entry : fs::recursive_directory_iterator(root / "framework/adapter")) {
    if (entry.path().filename() != "known.info") continue;
    EXPECT_TRUE(fs::is_regular_file(entry.path().parent_path() / "causes.info")) << entry.path();
  }
}

TEST_F(ShippedCauses, name_pages_and_scripts_that_there_are) {
  for (const fs::path& file : files) {
    const TunerCauses causes = read_causes(file, names).value();
    for (const auto& [name, cause] : causes) {
      std::vector<std::string> paths = cause.scripts;
      if (!cause.finding.empty()) paths.push_back(cause.finding);
      for (const std::string& path : paths)
        EXPECT_TRUE(fs::is_regular_file(root / "docs/findings" / path)) << file << ": " << path;
    }
  }
}

}  // namespace
}  // namespace tunecheck::test
