#include "judge/scenario/coverage.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/info.hpp"
#include "core/text.hpp"
#include "judge/checks/table/check.hpp"
#include "judge/scenario/named_checks.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

bool is_issue(const std::string& word) {
  const std::size_t mark = word.find('#');
  return mark != word.npos && mark > 0 && parse_integer(word.substr(mark + 1)).has_value();
}

// Words of a sentence, without what stands around them.
std::set<std::string> words_of(const std::string& sentence) {
  std::set<std::string> words;
  for (std::string word : split_words(sentence)) {
    const std::size_t first = word.find_first_not_of("(\"'");
    const std::size_t last = word.find_last_not_of(").,:;\"'");
    if (first != word.npos && last != word.npos && first <= last)
      words.insert(word.substr(first, last - first + 1));
  }
  return words;
}

bool names(const Scenario& scenario, const UpstreamBug& bug) {
  const std::set<std::string> words = words_of(scenario.because);
  return std::any_of(bug.names.begin(), bug.names.end(),
                     [&](const std::string& name) { return words.contains(name); });
}

std::vector<const Scenario*> scenarios_for(const UpstreamBug& bug,
                                           const std::map<std::string, Scenario>& scenarios) {
  std::vector<const Scenario*> found;
  for (const auto& [name, scenario] : scenarios)
    if (names(scenario, bug)) found.push_back(&scenario);
  return found;
}

std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != text.npos; at += 2)
    text.insert(at, "\\");
  return text;
}

// In the order of the table of checks.
std::string checks_of(const Scenario& scenario) {
  const auto named = named_checks(scenario);
  std::vector<std::string_view> checks;
  for (const Check& check : all_checks())
    if (named.contains(check.name)) checks.push_back(check.name);
  return fmt::format("{}", fmt::join(checks, ", "));
}

std::string shown_table(const std::vector<UpstreamBug>& bugs,
                        const std::map<std::string, Scenario>& scenarios,
                        const std::string& family) {
  std::string text = fmt::format(
      "\n## {}\n\n| upstream | what happened | scenario | checks | mutants |\n"
      "|---|---|---|---|---|\n",
      family);
  for (const UpstreamBug& bug : bugs) {
    if (bug.family != family || !bug.not_shown.empty()) continue;
    std::string head = fmt::format("| {} | {} |", fmt::join(bug.names, ", "), cell(bug.happened));
    const auto showing = scenarios_for(bug, scenarios);
    if (showing.empty()) text += head + " **none yet** | | |\n";
    for (const Scenario* const scenario : showing) {
      text += fmt::format("{} `{}` | {} | {} |\n", head, scenario->name, checks_of(*scenario),
                          fmt::join(scenario->catches, ", "));
      head = "| | |";
    }
  }
  return text;
}

std::string not_shown_table(const std::vector<UpstreamBug>& bugs) {
  std::string text =
      "\n## What no scenario shows\n\n| family | upstream | what happened | why not |\n"
      "|---|---|---|---|\n";
  for (const UpstreamBug& bug : bugs)
    if (!bug.not_shown.empty())
      text += fmt::format("| {} | {} | {} | {} |\n", bug.family, fmt::join(bug.names, ", "),
                          cell(bug.happened), cell(bug.not_shown));
  return text;
}

constexpr std::string_view introduction =
    "# Coverage\n\n"
    "This page shows which scenario would have caught which bug of a real tuner, and which\n"
    "planted bug proves that. `repo#number` is the public issue or pull request. A name with\n"
    "hyphens is a bug found by reading the code, which nobody has reported. Checks that are asked\n"
    "of every call ([checks](checks.md)) appear here only if a scenario names them.\n\n"
    "`tunecheck scenarios coverage` prints this page, from `scenarios/upstream_bugs.info` and\n"
    "from what scenarios say in `because`, `expect` and `catches`. A test compares the two.\n";

}  // namespace

Result<std::vector<UpstreamBug>> read_upstream_bugs(const fs::path& file) {
  TUNECHECK_TRY(const InfoNode root, read_info_file(file));
  InfoErrors errors(file.string());
  std::vector<UpstreamBug> bugs;
  std::map<std::string, int> lines;
  for (const InfoNode& node : root.children) {
    if (node.key != "bug") {
      errors.add(node, fmt::format("expected \"bug\", found \"{}\"", node.key));
      continue;
    }
    InfoReader reader(node, errors);
    UpstreamBug& bug = bugs.emplace_back();
    bug.line = node.line;
    bug.family = reader.text("family");
    bug.names = split_words(reader.text("names"));
    bug.happened = reader.text("happened");
    bug.not_shown = reader.text_or("not_shown", "");
    reader.finish();
    for (const std::string& name : bug.names) {
      if (!is_issue(name) && name.find('-') == name.npos)
        errors.add(*node.child("names"),
                   fmt::format("expected repo#number, or words with hyphens, found \"{}\"", name));
      if (const auto [place, added] = lines.emplace(name, node.line); !added)
        errors.add(*node.child("names"),
                   fmt::format("\"{}\" is already in line {}", name, place->second));
    }
  }
  if (root.children.empty()) errors.add(1, "bug", "expected at least one");
  TUNECHECK_CHECK(errors.result());
  return bugs;
}

Coverage cover(const std::vector<UpstreamBug>& bugs, const fs::path& bugs_file,
               const std::map<std::string, Scenario>& scenarios) {
  Coverage coverage;
  coverage.markdown = introduction;
  std::vector<std::string> families;
  std::set<std::string> known;
  for (const UpstreamBug& bug : bugs) {
    if (std::find(families.begin(), families.end(), bug.family) == families.end())
      families.push_back(bug.family);
    known.insert(bug.names.begin(), bug.names.end());
    const auto showing = scenarios_for(bug, scenarios);
    const bool proved = std::any_of(showing.begin(), showing.end(), [](const Scenario* scenario) {
      return !scenario->catches.empty();
    });
    const auto gap = [&](std::string message) {
      coverage.gaps.push_back(
          {ErrorKind::bad_input, std::move(message), bugs_file.string(), bug.line, "bug"});
    };
    if (bug.not_shown.empty() && !proved)
      gap(
          fmt::format("expected a scenario that catches a mutant and whose `because` names one of "
                      "{}; or the reason in not_shown",
                      fmt::join(bug.names, ", ")));
    if (!bug.not_shown.empty() && !showing.empty())
      gap(fmt::format("expected no scenario for what is not_shown, found {}",
                      showing.front()->name));
  }
  for (const std::string& family : families)
    coverage.markdown += shown_table(bugs, scenarios, family);
  coverage.markdown += not_shown_table(bugs);
  for (const auto& [name, scenario] : scenarios)
    for (const std::string& word : words_of(scenario.because))
      if (is_issue(word) && !known.contains(word))
        coverage.gaps.push_back({ErrorKind::bad_input,
                                 fmt::format("\"{}\" is not in {}", word, bugs_file.string()),
                                 scenario.file.string(), scenario.line, "because"});
  return coverage;
}

}  // namespace tunecheck
