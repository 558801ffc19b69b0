#include "judge/scenario/known_marks.hpp"

#include <algorithm>
#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/info.hpp"
#include "core/text.hpp"
#include "judge/checks/table/check.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

std::string unknown_scenario(const std::string& name, const std::set<std::string>& scenarios) {
  const std::vector<std::string> names(scenarios.begin(), scenarios.end());
  const auto nearest = nearest_word(name, names);
  return fmt::format("unknown scenario \"{}\"{}; `tunecheck scenarios list` shows them", name,
                     nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : "");
}

// What is wrong with the share of runs that failed, "" for nothing. "1 of 2": more than no run, and
// not all of them.
std::string mistake_in_share(const std::string& text) {
  static const std::regex form("([0-9]{1,6}) of ([0-9]{1,6})");
  std::smatch parts;
  if (!std::regex_match(text, parts, form))
    return fmt::format(
        "expected yes, no, or how many runs of how many failed, such as \"1 of 2\", "
        "found \"{}\"",
        text);
  const int failed = std::stoi(parts[1]), all = std::stoi(parts[2]);
  if (failed == 0) return fmt::format("expected at least 1 run that failed, found \"{}\"", text);
  if (failed > all)
    return fmt::format("expected fewer runs that failed than there were, found \"{}\"", text);
  if (failed == all)
    return fmt::format(
        "\"{}\" is every run, which is no (the default); expected fewer runs that "
        "failed than there were",
        text);
  return {};
}

// "https://", and then the name of a host at least.
bool is_link(const std::string& text) {
  static const std::regex form("https?://[^\\s/?#][^\\s]*");
  return std::regex_match(text, form);
}

// What is said once holds for each of the scenarios that it names.
std::vector<KnownFailure> read_marks(const InfoNode& node, const std::set<std::string>& scenarios,
                                     InfoErrors& errors) {
  KnownFailure mark;
  mark.file = errors.file();
  mark.line = node.line;
  InfoReader reader(node, errors);
  const std::string scenario = reader.text("scenario");
  const std::vector<std::string> names = split_words(scenario);
  if (names.empty() && !scenario.empty())
    errors.add(*node.child("scenario"), "expected names of scenarios, found none");
  for (const std::string& name : names)
    if (!scenarios.contains(name))
      errors.add(*node.child("scenario"), unknown_scenario(name, scenarios));
  mark.checks = reader.words_or_none("checks");
  if (node.child("checks") != nullptr && mark.checks.empty())
    errors.add(*node.child("checks"), "expected names of checks, found none");
  std::vector<std::string> known;
  for (const Check& check : all_checks())
    known.emplace_back(check.name);
  for (const std::string& check : mark.checks)
    if (find_check(check) == nullptr)
      errors.add(*node.child("checks"), unknown_word_message("check", check, known));
  mark.at_times = reader.text_or("at_times", "no");
  if (mark.at_times == "no") mark.at_times.clear();
  if (!mark.at_times.empty() && mark.at_times != "yes")
    if (std::string mistake = mistake_in_share(mark.at_times); !mistake.empty())
      errors.add(*node.child("at_times"), std::move(mistake));
  mark.reason = reader.text("reason");
  mark.link = reader.text("link");
  if (!mark.link.empty() && !is_link(mark.link))
    errors.add(*node.child("link"),
               fmt::format("expected a link (https://...), found \"{}\"", mark.link));
  const std::string until = reader.text("until");
  if (const auto date = parse_date(until))
    mark.until = *date;
  else if (!until.empty())
    errors.add(*node.child("until"),
               fmt::format("expected a date such as 2027-03-31, found \"{}\"", until));
  reader.finish();
  std::vector<KnownFailure> marks(names.size(), mark);
  for (std::size_t i = 0; i < names.size(); ++i)
    marks[i].scenario = names[i];
  return marks;
}

Result<void> read_file(const fs::path& file, const std::set<std::string>& scenarios,
                       KnownFailures& marks) {
  TUNECHECK_TRY(const InfoNode root, read_info_file(file));
  InfoErrors errors(file.string());
  for (const InfoNode& node : root.children) {
    if (node.key != "known") {
      errors.add(node, fmt::format("expected \"known\", found \"{}\"", node.key));
      continue;
    }
    for (const KnownFailure& mark : read_marks(node, scenarios, errors)) {
      const auto [place, added] = marks.emplace(mark.scenario, mark);
      if (!added)
        errors.add(*node.child("scenario"),
                   fmt::format("\"{}\" is already marked in {}:{}", mark.scenario,
                               place->second.file.string(), place->second.line));
    }
  }
  if (root.children.empty()) errors.add(1, "known", "expected at least one");
  return errors.result();
}

std::string place_of(const KnownFailure& mark) {
  return fmt::format("{}:{}", mark.file.string(), mark.line);
}

}  // namespace

Result<KnownFailures> read_known_failures(const std::vector<fs::path>& files,
                                          const std::set<std::string>& scenarios) {
  KnownFailures marks;
  for (const fs::path& file : files)
    TUNECHECK_CHECK(read_file(file, scenarios, marks));
  return marks;
}

void apply_mark(const KnownFailure& mark, std::chrono::sys_days today, ScenarioResult& result) {
  result.known = mark;
  if (result.verdict != Verdict::pass && result.verdict != Verdict::fail) return;
  const bool passes = result.verdict == Verdict::pass;
  const bool expired = today > std::chrono::sys_days(mark.until);
  if (passes && !mark.at_times.empty() && !expired) return;
  result.verdict = Verdict::fail;
  if (passes && mark.at_times.empty()) {
    result.message =
        fmt::format("it passes, but {} marks it as known to fail ({}); remove the mark",
                    place_of(mark), mark.reason);
    return;
  }
  if (expired) {
    result.message = fmt::format("the mark in {} expired on {}; it said: {}", place_of(mark),
                                 date_text(mark.until), mark.reason);
    return;
  }
  std::set<std::string> others;
  for (const CheckResult& check : result.checks)
    if (check.verdict == Verdict::fail && !mark.allows(check.check)) others.insert(check.check);
  if (others.empty())
    result.verdict = Verdict::known;
  else
    result.message = fmt::format("it fails in {}, which the mark in {} does not name",
                                 fmt::join(others, ", "), place_of(mark));
}

}  // namespace tunecheck
