#include "reports/junit.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/files.hpp"
#include "reports/failures.hpp"
#include "reports/plain_text.hpp"
#include "reports/verdict_text.hpp"

namespace tunecheck {
namespace {

using Tree = boost::property_tree::ptree;

void set_attribute(Tree& element, const char* name, const std::string& value) {
  // An XML reader turns line ends within attributes into blanks anyway.
  element.put(std::string("<xmlattr>.") + name, printable_line(xml_text(value)));
}

std::string seconds(std::int64_t wall_ns) {
  return fmt::format("{:.3f}", static_cast<double>(wall_ns) / 1e9);
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

  Counts& operator+=(const Counts& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
    wall_ns += other.wall_ns;
    return *this;
  }

  void write_to(Tree& element) const {
    set_attribute(element, "tests", std::to_string(tests));
    set_attribute(element, "failures", std::to_string(failures));
    set_attribute(element, "errors", std::to_string(errors));
    set_attribute(element, "time", seconds(wall_ns));
  }
};

// What a person needs to see who has nothing but the XML file.
std::string explanation(const ScenarioResult& scenario) {
  std::string text = fmt::format("\nscenario: {}:{} (kernel {})\nbecause: {}\n", scenario.file,
                                 scenario.line, scenario.kernel, scenario.because);
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

Tree test_case(const ScenarioResult& scenario, const std::string& suite) {
  Tree element;
  set_attribute(element, "classname", suite);
  set_attribute(element, "name", scenario.name);
  set_attribute(element, "time", seconds(scenario.wall_ns));
  if (scenario.verdict == Verdict::unsupported) {
    set_attribute(element.add_child("skipped", Tree()), "message", scenario.message);
  } else if (scenario.verdict == Verdict::known) {
    set_attribute(element.add_child("skipped", Tree()), "message",
                  fmt::format("known failure until {}: {} ({})", date_text(scenario.known->until),
                              scenario.known->reason, scenario.known->link));
  } else if (scenario.verdict != Verdict::pass) {
    const bool error = scenario.verdict == Verdict::error;
    Tree& problem = element.add_child(error ? "error" : "failure", Tree());
    set_attribute(problem, "message", shortened(xml_text(reason_of(scenario)), 1000));
    set_attribute(problem, "type", std::string(name_of(scenario.verdict)));
    problem.data() = xml_text(explanation(scenario));
  }
  return element;
}

struct Suite {
  Counts counts;
  std::vector<Tree> cases;
};

// Viewers take what is not there for what passed.
void add_distrust(const RunResult& run, const std::string& reason, const std::string& name,
                  Suite& suite) {
  ++suite.counts.tests;
  ++suite.counts.errors;
  Tree& element = suite.cases.emplace_back();
  set_attribute(element, "classname", name);
  set_attribute(element, "name", "the run is to be trusted");
  set_attribute(element, "time", seconds(0));
  Tree& problem = element.add_child("error", Tree());
  set_attribute(problem, "message", shortened(xml_text(reason), 1000));
  set_attribute(problem, "type", "error");
  problem.data() = xml_text(reason);
  for (const std::string& pending : run.pending)
    problem.data() += "\nnot run: " + xml_text(pending);
}

}  // namespace

std::string to_junit(std::span<const RunResult> runs) {
  Tree document;
  Tree& suites = document.add_child("testsuites", Tree());
  Counts all;
  Tree list;
  for (const RunResult& run : runs) {
    const std::string whose = runs.size() == 1 ? "" : subject_of(run) + ": ";
    std::map<std::string, Suite> families;
    for (const ScenarioResult& scenario : run.scenarios) {
      Suite& suite = families[whose + scenario.family];
      suite.counts.add(scenario);
      suite.cases.push_back(test_case(scenario, whose + scenario.family));
    }
    if (const std::string reason = why_not_trusted(run); !reason.empty())
      add_distrust(run, reason, whose + "run", families[whose + "run"]);
    for (auto& [name, suite] : families) {
      Tree& element = list.add_child("testsuite", Tree());
      set_attribute(element, "name", name);
      suite.counts.write_to(element);
      set_attribute(element, "skipped", std::to_string(suite.counts.skipped));
      set_attribute(element, "timestamp", run.started);
      for (Tree& each : suite.cases)
        element.push_back({"testcase", std::move(each)});
      all += suite.counts;
    }
  }
  set_attribute(suites, "name", "tunecheck");
  all.write_to(suites);
  for (auto& [tag, suite] : list)
    suites.push_back({tag, std::move(suite)});
  std::ostringstream text;
  boost::property_tree::write_xml(
      text, document, boost::property_tree::xml_writer_make_settings<std::string>(' ', 2));
  return text.str();
}

Result<void> write_junit(const RunResult& result, const std::filesystem::path& file) {
  return write_file_atomically(file, to_junit({&result, 1}));
}

}  // namespace tunecheck
