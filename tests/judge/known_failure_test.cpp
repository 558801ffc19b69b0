// Marks of known failures: what a file may say, and what a mark makes of a result.
#include <gmock/gmock.h>

#include "core/files.hpp"
#include "judge/scenario/known_marks.hpp"
#include "result/verdict.hpp"

namespace tunecheck::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::chrono::sys_days today = 2026y / 6 / 15;

KnownFailure mark_until(const std::chrono::year_month_day& until,
                        const std::vector<std::string>& checks = {}) {
  KnownFailure mark;
  mark.scenario = "restore.x";
  mark.checks = checks;
  mark.reason = "the tuner restores nothing yet";
  mark.until = until;
  mark.file = "known.info";
  mark.line = 7;
  return mark;
}

ScenarioResult result_of(Verdict verdict, const std::vector<std::string>& failed = {}) {
  ScenarioResult result;
  result.verdict = verdict;
  for (const std::string& check : failed) {
    result.checks.emplace_back().check = check;
    result.checks.back().verdict = Verdict::fail;
  }
  result.checks.emplace_back().check = "guard.intact";
  result.checks.back().verdict = Verdict::pass;
  return result;
}

ScenarioResult judged(ScenarioResult result, const KnownFailure& mark) {
  apply_mark(mark, today, result);
  EXPECT_TRUE(result.known.has_value());
  return result;
}

TEST(KnownFailure, a_failure_in_the_named_checks_alone_is_known) {
  const ScenarioResult result =
      judged(result_of(Verdict::fail, {"inputs.pristine"}),
             mark_until(2026y / 12 / 31, {"inputs.pristine", "output.reference"}));
  EXPECT_EQ(result.verdict, Verdict::known);
  EXPECT_EQ(result.message, "");
}

TEST(KnownFailure, a_failure_in_any_check_is_known_where_none_is_named) {
  EXPECT_EQ(judged(result_of(Verdict::fail, {"inputs.pristine", "report.agrees"}),
                   mark_until(2026y / 12 / 31))
                .verdict,
            Verdict::known);
}

TEST(KnownFailure, a_failure_in_another_check_fails_and_names_it) {
  const ScenarioResult result =
      judged(result_of(Verdict::fail, {"inputs.pristine", "output.reference"}),
             mark_until(2026y / 12 / 31, {"inputs.pristine"}));
  EXPECT_EQ(result.verdict, Verdict::fail);
  EXPECT_EQ(result.message,
            "it fails in output.reference, which the mark in known.info:7 does not name");
}

TEST(KnownFailure, an_unexpected_pass_fails_and_asks_to_remove_the_mark) {
  const ScenarioResult result = judged(result_of(Verdict::pass), mark_until(2026y / 12 / 31));
  EXPECT_EQ(result.verdict, Verdict::fail);
  EXPECT_EQ(result.message,
            "it passes, but known.info:7 marks it as known to fail (the tuner restores nothing "
            "yet); remove the mark");
}

TEST(KnownFailure, what_fails_at_times_may_pass_until_the_last_day) {
  KnownFailure mark = mark_until(2026y / 6 / 15, {"inputs.pristine"});
  mark.at_times = "1 of 2";
  const ScenarioResult passed = judged(result_of(Verdict::pass), mark);
  EXPECT_EQ(passed.verdict, Verdict::pass);
  EXPECT_EQ(passed.message, "");
  EXPECT_EQ(judged(result_of(Verdict::fail, {"inputs.pristine"}), mark).verdict, Verdict::known);
  EXPECT_EQ(judged(result_of(Verdict::fail, {"output.reference"}), mark).verdict, Verdict::fail);
  mark.until = 2026y / 6 / 14;
  const ScenarioResult expired = judged(result_of(Verdict::pass), mark);
  EXPECT_EQ(expired.verdict, Verdict::fail);
  EXPECT_EQ(expired.message,
            "the mark in known.info:7 expired on 2026-06-14; it said: the tuner restores nothing "
            "yet");
}

TEST(KnownFailure, a_mark_holds_on_its_last_day_and_fails_on_the_next) {
  const ScenarioResult failed = result_of(Verdict::fail, {"inputs.pristine"});
  EXPECT_EQ(judged(failed, mark_until(2026y / 6 / 15)).verdict, Verdict::known);
  const ScenarioResult expired = judged(failed, mark_until(2026y / 6 / 14));
  EXPECT_EQ(expired.verdict, Verdict::fail);
  EXPECT_EQ(expired.message,
            "the mark in known.info:7 expired on 2026-06-14; it said: the tuner restores nothing "
            "yet");
}

TEST(KnownFailure, an_error_and_what_is_unsupported_stay_what_they_are) {
  for (const Verdict verdict : {Verdict::error, Verdict::unsupported})
    for (const auto& until : {2026y / 12 / 31, 2020y / 1 / 1}) {
      ScenarioResult result = result_of(verdict);
      result.message = "no evidence";
      result = judged(result, mark_until(until));
      EXPECT_EQ(result.verdict, verdict);
      EXPECT_EQ(result.message, "no evidence");
    }
}

class KnownFile : public testing::Test {
 protected:
  KnownFile() : m_folder(TemporaryFolder::create("tunecheck-known").value()) {}

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    const auto file = m_folder.path() / name;
    EXPECT_TRUE(write_file(file, text));
    return file;
  }
  // The mistake in a file with this text, without its folder.
  std::string mistake_in(const std::string& text) const {
    const auto marks = read_known_failures({write("known.info", text)}, scenarios);
    if (marks) return "";
    const std::string mistake = marks.error().text();
    return mistake.substr(m_folder.path().string().size() + 1);
  }

  const std::set<std::string> scenarios = {"restore.x", "restore.y"};

 private:
  TemporaryFolder m_folder;
};

std::string mark_text(const std::string& scenario) {
  return "known\n{\n  scenario  " + scenario +
         "\n  checks    \"inputs.pristine guard.intact\"\n  reason    \"not yet\"\n"
         "  link      https://example.org/issues/1\n  until     2027-03-31\n}\n";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST_F(KnownFile, says_everything_about_each_mark) {
  const auto file = write("known.info", mark_text("restore.x") + mark_text("restore.y"));
  const auto marks = read_known_failures({file}, scenarios);
  ASSERT_TRUE(marks) << marks.error().text();
  ASSERT_EQ(marks->size(), 2U);
  const KnownFailure& mark = marks->at("restore.y");
  EXPECT_THAT(mark.checks, ElementsAre("inputs.pristine", "guard.intact"));
  EXPECT_EQ(mark.reason, "not yet");
  EXPECT_EQ(mark.link, "https://example.org/issues/1");
  EXPECT_EQ(date_text(mark.until), "2027-03-31");
  EXPECT_EQ(mark.file, file);
  EXPECT_EQ(mark.line, 9);
}

TEST_F(KnownFile, may_say_the_same_of_several_scenarios) {
  const auto file = write("known.info", mark_text("\"restore.x restore.y\""));
  const auto marks = read_known_failures({file}, scenarios);
  ASSERT_TRUE(marks) << marks.error().text();
  ASSERT_EQ(marks->size(), 2U);
  for (const auto& [name, mark] : *marks) {
    EXPECT_EQ(mark.scenario, name);
    EXPECT_EQ(mark.reason, "not yet");
    EXPECT_EQ(mark.line, 1);
  }
  EXPECT_THAT(mistake_in(mark_text("\"restore.x restore.z\"")),
              HasSubstr("known.info:3: scenario: unknown scenario \"restore.z\""));
  EXPECT_THAT(mistake_in(mark_text("\"restore.x restore.x\"")),
              HasSubstr("known.info:3: scenario: \"restore.x\" is already marked in"));
  EXPECT_THAT(mistake_in(mark_text("\" \"")), HasSubstr("known.info:3: scenario: expected"));
}

TEST_F(KnownFile, may_say_that_it_fails_at_times) {
  const std::string right = mark_text("restore.x");
  for (const auto& [added, expected] :
       {std::pair(std::string(), std::string()),
        std::pair(std::string("  at_times no\n"), std::string()),
        std::pair(std::string("  at_times yes\n"), std::string("yes")),
        std::pair(std::string("  at_times \"1 of 20\"\n"), std::string("1 of 20"))}) {
    const auto marks = read_known_failures(
        {write("known.info", replaced(right, "  until", added + "  until"))}, scenarios);
    ASSERT_TRUE(marks) << marks.error().text();
    EXPECT_EQ(marks->at("restore.x").at_times, expected);
  }
  for (const auto& [wrong, message] :
       {std::pair(std::string("perhaps"), "expected yes, no, or how many runs"),
        std::pair(std::string("\"1 of many\""), "expected yes, no, or how many runs"),
        std::pair(std::string("\"3 of 3\""), "\"3 of 3\" is every run, which is no (the default)"),
        std::pair(std::string("\"3 of 2\""), "expected fewer runs that failed than there were"),
        std::pair(std::string("\"0 of 2\""), "expected at least 1 run that failed")})
    EXPECT_THAT(mistake_in(replaced(right, "  until", "  at_times " + wrong + "\n  until")),
                HasSubstr(std::string("known.info:7: at_times: ") + message));
}

TEST_F(KnownFile, a_link_leads_somewhere) {
  const std::string right = mark_text("restore.x");
  const std::size_t link = right.find("https://");
  const std::string whole = right.substr(link, right.find_first_of("\"\n", link) - link);
  for (const std::string wrong : {"https://", "http://", "https:///path", "https://?x"})
    EXPECT_THAT(mistake_in(replaced(right, whole, wrong)),
                HasSubstr("link: expected a link (https://...), found \"" + wrong + "\""));
}

TEST_F(KnownFile, may_leave_the_checks_out) {
  const auto marks = read_known_failures(
      {write("known.info",
             replaced(mark_text("restore.x"), "checks    \"inputs.pristine guard.intact\"", ""))},
      scenarios);
  ASSERT_TRUE(marks) << marks.error().text();
  EXPECT_THAT(marks->at("restore.x").checks, IsEmpty());
}

TEST_F(KnownFile, every_mistake_has_file_line_and_key) {
  const std::string right = mark_text("restore.x");
  EXPECT_EQ(mistake_in(right), "");
  EXPECT_EQ(mistake_in(replaced(right, "restore.x", "restore.z")),
            "known.info:3: scenario: unknown scenario \"restore.z\"; did you mean \"restore.x\"?; "
            "`tunecheck scenarios list` shows them");
  EXPECT_THAT(mistake_in(replaced(right, "guard.intact", "guard.intakt")),
              HasSubstr("known.info:4: checks: unknown check \"guard.intakt\"; did you mean"));
  EXPECT_EQ(mistake_in(replaced(right, "inputs.pristine guard.intact", "")),
            "known.info:4: checks: expected names of checks, found none");
  EXPECT_EQ(mistake_in(replaced(right, "https://example.org/issues/1", "issue_1")),
            "known.info:6: link: expected a link (https://...), found \"issue_1\"");
  for (const char* const date : {"2027-02-29", "2027-3-31", "31.03.2027", "2027-03-31x", "soon"})
    EXPECT_EQ(mistake_in(replaced(right, "2027-03-31", date)),
              "known.info:7: until: expected a date such as 2027-03-31, found \"" +
                  std::string(date) + "\"");
  for (const char* const key : {"scenario", "reason", "link", "until"})
    EXPECT_THAT(mistake_in(replaced(right, "  " + std::string(key) + " ", "  ; ")),
                HasSubstr(": " + std::string(key) + ": expected"));
  EXPECT_THAT(mistake_in(replaced(right, "reason", "raison")), HasSubstr("unknown key"));
  EXPECT_EQ(mistake_in(replaced(right, "known\n", "knwon\n")),
            "known.info:1: knwon: expected \"known\", found \"knwon\"");
  EXPECT_EQ(mistake_in("; nothing\n"), "known.info:1: known: expected at least one");
}

TEST_F(KnownFile, a_scenario_is_marked_once_in_all_files_together) {
  const std::string first = write("first.info", mark_text("restore.x")).string();
  const std::string second = write("second.info", mark_text("restore.x")).string();
  const auto marks = read_known_failures({first, second}, scenarios);
  ASSERT_FALSE(marks);
  EXPECT_EQ(marks.error().text(),
            second + ":3: scenario: \"restore.x\" is already marked in " + first + ":1");
  EXPECT_THAT(mistake_in(mark_text("restore.x") + mark_text("restore.x")),
              HasSubstr("known.info:11: scenario: \"restore.x\" is already marked in "));
}

TEST_F(KnownFile, that_is_not_there_is_an_error) {
  const auto marks = read_known_failures({"/nonexistent/known.info"}, scenarios);
  ASSERT_FALSE(marks);
  EXPECT_THAT(marks.error().text(), HasSubstr("/nonexistent/known.info"));
}

}  // namespace
}  // namespace tunecheck::test
