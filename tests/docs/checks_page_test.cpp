// docs/checks.md says of every check what the table of checks says.
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/text.hpp"
#include "judge/checks/table/check.hpp"
#include "page.hpp"

namespace tunecheck::test::checks_page {
namespace {

using testing::ElementsAreArray;
using testing::HasSubstr;

std::string when(const Check& check) {
  const auto of = [](const std::string& calls) {
    return "Asked of every " + calls + "; in `expect`";
  };
  switch (check.always) {
    case Always::no:
      return "Asked where `expect` names it,";
    case Always::every_call:
      return of("call that is expected to succeed");
    case Always::single_call:
      return of("call that is expected to succeed and is no burst");
    case Always::tuned_call:
      return of("call that is expected to succeed and in which the tuner tried configs");
    case Always::watched_call:
      return of("call that is expected to succeed, unless the scenario says `watch no`");
    case Always::seen_call:
      return of("call that is expected to succeed, where the machine lets programs be seen");
    case Always::failed_call:
      return of("call that is expected to fail");
    case Always::every_process:
      return "Asked of every process.";
  }
  return {};
}

std::string parameter(const Check& check) {
  if (check.always == Always::every_process) return {};
  switch (check.parameter) {
    case CheckParameter::none:
      return " with `yes`.";
    case CheckParameter::process:
      return " with the name of an earlier process.";
    case CheckParameter::axis:
      return " with the name of a key axis.";
    case CheckParameter::percent:
      return " with a number of percent.";
    case CheckParameter::bytes:
      return " with a size such as 64K.";
    case CheckParameter::microseconds:
      return " with a number of microseconds.";
    case CheckParameter::seconds:
      return " with a number of seconds.";
    case CheckParameter::amount:
      return " with a whole number or a share such as 10%.";
  }
  return {};
}

std::string short_form(const Check& check) {
  static const std::map<CheckParameter, std::string> words = {{CheckParameter::process, "PROCESS"},
                                                              {CheckParameter::axis, "AXIS"}};
  const auto& [word, value] = check.short_form;
  return fmt::format("Written `{} {}` as well.", word,
                     value.empty() ? words.at(check.parameter) : std::string(value));
}

// "Explained by `a`, `b`."
std::string explained_by(const Check& check) {
  std::string text;
  for (const std::string& name : split_words(check.explained_by))
    text += fmt::format("{}`{}`", text.empty() ? "" : ", ", name);
  return "Explained by " + text + ".";
}

TEST(ChecksPage, says_of_each_check_how_else_it_is_written_and_what_it_needs) {
  const Page page("checks.md");
  const auto expect_said = [](const std::string& section, bool is_so, const std::string& sentence) {
    EXPECT_EQ(section.find(sentence) != section.npos, is_so) << sentence << "\n" << section;
  };
  for (const Check& check : all_checks()) {
    const std::string section = page.section(std::string(check.name));
    expect_said(section, !check.short_form.word.empty(),
                check.short_form.word.empty() ? "Written `" : short_form(check));
    expect_said(section, !check.capability.empty(),
                check.capability.empty()
                    ? "Needs the capability"
                    : fmt::format("Needs the capability `{}`.", check.capability));
    expect_said(section, !check.policy.empty(),
                check.policy.empty() ? "Judged by the policy"
                                     : fmt::format("Judged by the policy `{}`.", check.policy));
    expect_said(section, check.on == Devices::gpus, "On a GPU alone.");
    expect_said(section, !check.explained_by.empty(),
                check.explained_by.empty() ? "Explained by" : explained_by(check));
    expect_said(section, check.fails_on_silence,
                "An adapter that gives no answer has failed this check.");
    const bool measures = check.needs.evidence == ExtraEvidence::own_measurement;
    expect_said(section, measures && check.needs.on == Devices::all,
                "The judge measures every config itself.");
    expect_said(section, measures && check.needs.on == Devices::gpus,
                "On a GPU, the judge measures every config itself.");
  }
}

TEST(ChecksPage, describes_every_check_in_the_order_of_the_table_and_no_other) {
  std::vector<std::string> names;
  for (const Check& check : all_checks())
    names.emplace_back(check.name);
  EXPECT_THAT(Page("checks.md").headings(3), ElementsAreArray(names));
}

TEST(ChecksPage, has_a_chapter_for_each_family) {
  std::vector<std::string> families;
  for (const Check& check : all_checks())
    if (families.empty() || families.back() != check.family) families.emplace_back(check.family);
  EXPECT_THAT(Page("checks.md").headings(2), ElementsAreArray(families));
}

TEST(ChecksPage, says_of_each_check_what_is_asked_when_and_with_which_parameter) {
  const Page page("checks.md");
  for (const Check& check : all_checks()) {
    const std::string section = page.section(std::string(check.name));
    const bool judges_times = check.severity == Severity::statistical;
    EXPECT_THAT(section, HasSubstr("> " + std::string(check.summary) + " Asked")) << check.name;
    EXPECT_THAT(section, HasSubstr(when(check) + parameter(check))) << check.name;
    EXPECT_EQ(section.find("Judges times.") != section.npos, judges_times) << check.name;
    EXPECT_NE(section.find(" Reads "), section.npos) << check.name;
    EXPECT_NE(section.find("`error`"), section.npos) << check.name;
  }
}

}  // namespace
}  // namespace tunecheck::test::checks_page
