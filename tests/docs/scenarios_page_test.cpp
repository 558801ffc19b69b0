// docs/scenarios.md: its examples are read and run, its tables are complete.
#include <gmock/gmock.h>

#include "core/text.hpp"
#include "example.hpp"
#include "judge/checks/table/check.hpp"
#include "judge/scenario/scenario_settings.hpp"
#include "page.hpp"

namespace tunecheck::test::scenarios_page {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

const Page& page() {
  static const Page the_page("scenarios.md");
  return the_page;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

TEST(ScenariosPage, its_example_passes_with_the_reference_tuner) {
  Example example;
  const auto reference = find_adapter("reference");
  ASSERT_TRUE(reference) << reference.error().text();
  const ScenarioResult result = example.run(page().file("my.info"), *reference);
  EXPECT_THAT(troubles(result), IsEmpty());
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_EQ(result.processes.size(), 4U);
}

TEST(ScenariosPage, its_example_catches_the_bugs_that_it_names) {
  Example example;
  const std::string text = page().file("my.info");
  const auto scenarios = example.read(text);
  ASSERT_TRUE(scenarios) << scenarios.error().text();
  ASSERT_FALSE(scenarios->at(0).catches.empty());
  for (const std::string& mutant : scenarios->at(0).catches) {
    const auto adapter = find_adapter("mutant:" + mutant);
    ASSERT_TRUE(adapter) << adapter.error().text();
    EXPECT_EQ(example.run(text, *adapter).verdict, Verdict::fail) << mutant;
  }
}

TEST(ScenariosPage, explains_its_example_by_lines_that_exist) {
  const std::vector<std::string> lines = lines_of(page().file("my.info"));
  EXPECT_EQ(lines.at(0).substr(0, 1), ";");
  // What the table says of these lines.
  const std::vector<std::pair<std::size_t, std::string>> explained = {{4, "name"},
                                                                      {5, "because"},
                                                                      {6, "kernel"},
                                                                      {7, "needs"},
                                                                      {8, "time_limit"},
                                                                      {11, "sizes"},
                                                                      {12, "process cold"},
                                                                      {14, "store.only_winner"},
                                                                      {15, "repeat 2"},
                                                                      {17, "touch comment"},
                                                                      {18, "cache move"},
                                                                      {19, "first second"},
                                                                      {23, "poisoned"},
                                                                      {24, "winner cold"},
                                                                      {29, "explained strides"},
                                                                      {30, "winner cold"},
                                                                      {33, "catches"}};
  const std::string table = page().section("An example");
  for (const auto& [line, words] : explained) {
    EXPECT_NE(lines.at(line - 1).find(words), std::string::npos) << line;
    EXPECT_TRUE(table.find("| " + std::to_string(line) + " |") != table.npos ||
                table.find(", " + std::to_string(line) + " |") != table.npos ||
                table.find("| " + std::to_string(line) + ", ") != table.npos)
        << line;
  }
}

TEST(ScenariosPage, its_shorter_examples_pass_with_the_reference_tuner) {
  const auto reference = find_adapter("reference");
  ASSERT_TRUE(reference) << reference.error().text();
  Example example;
  int fragments = 0;
  for (const Block& block : page().blocks("info")) {
    if (block.text.find("scenario\n") != block.text.npos) continue;
    ++fragments;
    const ScenarioResult result = example.run(scenario_with_steps(block.text), *reference);
    EXPECT_THAT(troubles(result), IsEmpty()) << "line " << block.line;
  }
  EXPECT_GE(fragments, 4);
}

TEST(ScenariosPage, shows_what_is_really_printed_for_each_mistake) {
  const Example example;
  std::vector<std::string> right;
  for (const Block& block : page().blocks("info"))
    if (block.section == "Mistakes") right = lines_of(block.text);
  ASSERT_GT(right.size(), 9U);
  std::string text;
  for (const std::string& line : right)
    text += line + '\n';
  EXPECT_EQ(example.mistake_in(text), "");
  ASSERT_EQ(page().blocks("mistakes").size(), 1U);
  std::vector<std::string> lines = lines_of(page().blocks("mistakes")[0].text);
  std::erase(lines, "");
  ASSERT_EQ(lines.size() % 2, 0U);
  for (std::size_t i = 0; i < lines.size(); i += 2) {
    right[8] = lines[i];
    text.clear();
    for (const std::string& line : right)
      text += line + '\n';
    EXPECT_EQ(example.mistake_in(text), lines[i + 1]) << lines[i];
  }
}

TEST(ScenariosPage, lists_every_key_of_a_scenario_and_no_other) {
  const std::string message =
      Example().mistake_in("scenario { name a.b because c kernel axpy_inplace steps { } x y }");
  EXPECT_THAT(page().names_in_table("The file", "key"),
              UnorderedElementsAreArray(words_expected(message)));
}

TEST(ScenariosPage, lists_every_setting_and_no_other) {
  EXPECT_THAT(page().names_in_table("Settings", "setting"),
              UnorderedElementsAreArray(setting_keys()));
}

TEST(ScenariosPage, lists_every_step_and_no_other) {
  const Example example;
  std::vector<std::string> known;
  for (const char* const steps :
       {"nonsense x", "process a { nonsense x }", "process a { call { nonsense x } }"})
    for (const std::string& word : words_expected(example.mistake_in(scenario_with_steps(steps))))
      known.push_back(word);
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (const std::string& setting : setting_keys())
    std::erase(known, setting);
  EXPECT_THAT(page().names_in_table("Steps", "step"), UnorderedElementsAreArray(known));
}

TEST(ScenariosPage, lists_every_compiler_mode_and_every_target_of_a_touch_and_no_other) {
  const Example example;
  for (const auto& [section, table, steps] :
       {std::tuple("Settings", "compiler", "compiler nonsense"),
        std::tuple("Touching the kernel", "target", "touch nonsense")}) {
    const std::string mistake = example.mistake_in(scenario_with_steps(steps));
    EXPECT_THAT(page().names_in_table(section, table),
                UnorderedElementsAreArray(words_expected(mistake)));
  }
}

TEST(ScenariosPage, lists_every_action_on_the_cache_and_no_other) {
  // "expected move, ..., or { WORD GLOB } with one of ..."
  std::string message = Example().mistake_in(scenario_with_steps("cache nonsense"));
  message = message.substr(message.find("expected ") + 9);
  message = message.substr(0, message.find(", or {"));
  EXPECT_THAT(page().names_in_table("The cache folder", "action"),
              UnorderedElementsAreArray(split_words(message)));
}

TEST(ScenariosPage, lists_every_damage_to_the_cache_and_no_other) {
  std::string message = Example().mistake_in(scenario_with_steps("cache nonsense"));
  message = message.substr(message.find("with one of ") + 12);
  message = message.substr(0, message.find(", or {"));
  EXPECT_THAT(page().names_in_table("The cache folder", "damage"),
              UnorderedElementsAreArray(split_words(message)));
}

TEST(ScenariosPage, lists_every_capability_and_no_other) {
  EXPECT_THAT(page().names_in_table("Capabilities", "capability"),
              UnorderedElementsAreArray(known_capabilities()));
}

TEST(ScenariosPage, lists_every_short_form_of_an_expectation_and_no_other) {
  const std::string message =
      Example().mistake_in(scenario_with_steps("process a { call { expect { nonsense yes } } }"));
  std::vector<std::string> known = words_expected(message);
  // Short forms come first, and the message is cut somewhere among the checks.
  std::erase_if(known, [](const std::string& word) {
    return find_check(word) != nullptr || word.ends_with("...");
  });
  std::vector<std::string> listed = page().names_in_table("Expectations", "written");
  listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
  EXPECT_THAT(listed, UnorderedElementsAreArray(known));
}

}  // namespace
}  // namespace tunecheck::test::scenarios_page
