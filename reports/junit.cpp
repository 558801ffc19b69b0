#include "reports/junit.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/files.hpp"
#include "reports/plain_text.hpp"

namespace tunecheck {
namespace {

using Tree = boost::property_tree::ptree;

void set_attribute(Tree& element, const char* name, const std::string& value) {
  // An XML reader turns line ends within attributes into blanks anyway.
  element.put(std::string("<xmlattr>.") + name, printable_line(xml_text(value)));
}

std::string seconds(std::int64_t wall_ns) {
  return fmt::format("{:.6f}", static_cast<double>(wall_ns) / 1e9);
}

struct Counts {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
  std::int64_t wall_ns = 0;

  void add(const ScenarioResult& scenario) {
    ++tests;
    failures += scenario.verdict == Verdict::fail;
    errors += scenario.verdict == Verdict::error;
    skipped += scenario.verdict == Verdict::unsupported || scenario.verdict == Verdict::known;
    wall_ns += scenario.wall_ns;
  }

  void write_to(Tree& element) const {
    set_attribute(element, "tests", std::to_string(tests));
    set_attribute(element, "failures", std::to_string(failures));
    set_attribute(element, "errors", std::to_string(errors));
    set_attribute(element, "skipped", std::to_string(skipped));
    set_attribute(element, "time", seconds(wall_ns));
  }
};

bool is_bad(const CheckResult& check) {
  return check.verdict == Verdict::fail || check.verdict == Verdict::error;
}

// What a person needs to see who has nothing but the XML file.
std::string explanation(const ScenarioResult& scenario) {
  std::string text = fmt::format("\nbecause: {}\n", scenario.because);
  if (!scenario.message.empty()) text += fmt::format("message: {}\n", scenario.message);
  for (const CheckResult& check : scenario.checks) {
    if (!is_bad(check)) continue;
    text += fmt::format("\n{} {} ({}:{}, process {}, call {})\n  expected: {}\n  observed: {}\n",
                        check.check, name_of(check.verdict), scenario.file, check.line,
                        check.process, check.call, check.expected, check.observed);
    if (!check.evidence.empty())
      text += fmt::format("  evidence: {}\n", fmt::join(check.evidence, ", "));
  }
  return text + fmt::format("\nrepeat it with: {}\n", scenario.repro);
}

std::string short_message(const ScenarioResult& scenario) {
  // What a mark makes of a result is said first; the checks follow in the long text.
  if (scenario.known && !scenario.message.empty()) return scenario.message;
  const auto first = std::find_if(scenario.checks.begin(), scenario.checks.end(), is_bad);
  if (first == scenario.checks.end()) return scenario.message;
  const auto count = std::count_if(scenario.checks.begin(), scenario.checks.end(), is_bad);
  const std::string more = count > 1 ? fmt::format(" (and {} more)", count - 1) : "";
  return fmt::format("{}: expected {}; observed {}{}", first->check, first->expected,
                     first->observed, more);
}

Tree test_case(const ScenarioResult& scenario) {
  Tree element;
  set_attribute(element, "classname", scenario.family);
  set_attribute(element, "name", scenario.name);
  set_attribute(element, "time", seconds(scenario.wall_ns));
  set_attribute(element, "file", scenario.file);
  set_attribute(element, "line", std::to_string(scenario.line));
  if (scenario.verdict == Verdict::unsupported) {
    set_attribute(element.add_child("skipped", Tree()), "message", scenario.message);
  } else if (scenario.verdict == Verdict::known) {
    set_attribute(element.add_child("skipped", Tree()), "message",
                  fmt::format("known failure until {}: {} ({})", date_text(scenario.known->until),
                              scenario.known->reason, scenario.known->link));
  } else if (scenario.verdict != Verdict::pass) {
    const bool error = scenario.verdict == Verdict::error;
    Tree& problem = element.add_child(error ? "error" : "failure", Tree());
    set_attribute(problem, "message", shortened(xml_text(short_message(scenario)), 1000));
    set_attribute(problem, "type", std::string(name_of(scenario.verdict)));
    problem.data() = xml_text(explanation(scenario));
  }
  return element;
}

}  // namespace

std::string to_junit(const RunResult& result) {
  std::map<std::string, std::pair<Counts, Tree>> families;
  Counts all;
  for (const ScenarioResult& scenario : result.scenarios) {
    auto& [counts, suite] = families[scenario.family];
    counts.add(scenario);
    all.add(scenario);
    suite.add_child("testcase", test_case(scenario));
  }
  Tree document;
  Tree& suites = document.add_child("testsuites", Tree());
  set_attribute(suites, "name", fmt::format("tunecheck {}", result.adapter));
  all.write_to(suites);
  for (auto& [family, entry] : families) {
    auto& [counts, cases] = entry;
    Tree suite;
    set_attribute(suite, "name", family);
    counts.write_to(suite);
    set_attribute(suite, "timestamp", result.started);
    for (auto& [name, child] : cases)
      suite.add_child(name, child);
    suites.add_child("testsuite", suite);
  }
  std::ostringstream text;
  boost::property_tree::write_xml(
      text, document, boost::property_tree::xml_writer_make_settings<std::string>(' ', 2));
  return text.str();
}

Result<void> write_junit(const RunResult& result, const std::filesystem::path& file) {
  return write_file_atomically(file, to_junit(result));
}

}  // namespace tunecheck
