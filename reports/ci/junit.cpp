#include "reports/ci/junit.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/exit_status.hpp"
#include "core/files.hpp"
#include "core/plain_text.hpp"
#include "reports/ci/place.hpp"
#include "reports/summary/failures.hpp"
#include "reports/summary/gate_findings.hpp"
#include "reports/summary/verdict.hpp"
#include "reports/summary/watch_findings.hpp"

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

// Services keep the history of a test by this name: no version is in it, and what separates its
// parts is in none of them.
std::string class_name(std::initializer_list<std::string_view> parts) {
  std::string name = "tunecheck";
  for (const std::string_view part : parts) {
    name += '.';
    for (const char letter : part)
      name += letter == '.' || letter == '/' || letter == ' ' ? '_' : letter;
  }
  return name;
}

Tree test_case(const ScenarioResult& scenario, const std::string& class_name) {
  Tree element;
  set_attribute(element, "classname", class_name);
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
  std::string class_name;
  std::string file;  ///< where a reader looks, "" where that is nowhere
  Counts counts;
  std::vector<Tree> cases;
};

// Viewers take what is not there for what passed.
Tree& add_distrust(const std::string& what, const std::string& reason, Suite& suite) {
  ++suite.counts.tests;
  ++suite.counts.errors;
  Tree& element = suite.cases.emplace_back();
  set_attribute(element, "classname", suite.class_name);
  set_attribute(element, "name", what);
  set_attribute(element, "time", seconds(0));
  Tree& problem = element.add_child("error", Tree());
  set_attribute(problem, "message", shortened(xml_text(reason), 1000));
  set_attribute(problem, "type", "error");
  problem.data() = xml_text(reason);
  return problem;
}

// All suites of the document.
class Suites {
 public:
  void add(const std::string& name, const std::string& started, Suite& suite) {
    Tree& element = m_list.add_child("testsuite", Tree());
    set_attribute(element, "name", name);
    suite.counts.write_to(element);
    set_attribute(element, "skipped", std::to_string(suite.counts.skipped));
    set_attribute(element, "timestamp", started);
    if (!suite.file.empty()) set_attribute(element, "file", suite.file);
    for (Tree& each : suite.cases)
      element.push_back({"testcase", std::move(each)});
    m_all += suite.counts;
  }

  std::string text() {
    Tree document;
    Tree& suites = document.add_child("testsuites", Tree());
    set_attribute(suites, "name", "tunecheck");
    m_all.write_to(suites);
    for (auto& [tag, suite] : m_list)
      suites.push_back({tag, std::move(suite)});
    std::ostringstream text;
    boost::property_tree::write_xml(
        text, document, boost::property_tree::xml_writer_make_settings<std::string>(' ', 2));
    return text.str();
  }

  /// Two documents about the same would have test cases of one name: the second has a number.
  std::string own_class(std::string name) {
    const int earlier = m_classes[name]++;
    return earlier == 0 ? name : fmt::format("{}.{}", name, earlier + 1);
  }

 private:
  Counts m_all;
  Tree m_list;
  std::map<std::string, int> m_classes;
};

void add_run(const RunResult& run, const std::string& whose, const std::filesystem::path& root,
             Suites& suites) {
  std::map<std::string, Suite> families;
  const auto suite_of = [&](const std::string& family) -> Suite& {
    Suite& suite = families[whose + family];
    suite.class_name = class_name({run.adapter, run.backend, family});
    return suite;
  };
  for (const ScenarioResult& scenario : run.scenarios) {
    Suite& suite = suite_of(scenario.family);
    suite.file = place_of(run, scenario, nullptr, root).file;
    suite.counts.add(scenario);
    suite.cases.push_back(test_case(scenario, suite.class_name));
  }
  if (const std::string reason = why_not_trusted(run); !reason.empty()) {
    Tree& problem = add_distrust("the run is to be trusted", reason, suite_of("run"));
    for (const std::string& pending : run.pending)
      problem.data() += "\nnot run: " + xml_text(pending);
  }
  for (auto& [name, suite] : families)
    suites.add(name, run.started, suite);
}

void skip(Tree& element, const std::string& reason, Suite& suite) {
  ++suite.counts.skipped;
  set_attribute(element.add_child("skipped", Tree()), "message", shortened(xml_text(reason), 1000));
}

Tree& add_case(const std::string& what, Suite& suite) {
  ++suite.counts.tests;
  Tree& element = suite.cases.emplace_back();
  set_attribute(element, "classname", suite.class_name);
  set_attribute(element, "name", what);
  return element;
}

// What a finding means to a viewer of tests: a regression is a failure, and what nobody could tell
// is skipped unless the session was asked to fail there.
void add_finding(const GateFinding& finding, const gate::GateResult& session, Suite& suite) {
  Tree& element = add_case(finding.name, suite);
  if (finding.answer == gate::Answer::pass || finding.answer == gate::Answer::improved) return;
  if (finding.answer == gate::Answer::inconclusive && !session.fails_on_inconclusive)
    return skip(element, "inconclusive: " + finding.reason, suite);
  const bool is_error = finding.answer == gate::Answer::invalid;
  ++(is_error ? suite.counts.errors : suite.counts.failures);
  Tree& problem = element.add_child(is_error ? "error" : "failure", Tree());
  set_attribute(problem, "message", shortened(xml_text(finding.reason), 1000));
  set_attribute(problem, "type", std::string(to_string(finding.answer)));
  problem.data() = xml_text(finding.reason + '\n' + verdict_of(session).text());
}

void add_gate(const gate::GateResult& session, const std::string& name, Suites& suites) {
  Suite suite;
  suite.class_name = suites.own_class(session.adapter.empty()
                                          ? class_name({"gate"})
                                          : class_name({session.adapter, session.backend, "gate"}));
  suite.counts.wall_ns = session.wall_ns;
  for (const GateFinding& finding : findings_of(session))
    add_finding(finding, session, suite);
  for (const std::string& removed : session.removed)
    skip(add_case(removed, suite), "removed: only the base has it", suite);
  for (const gate::NotMeasured& each : session.not_measured)
    skip(add_case(each.name, suite), "not measured: " + each.reason, suite);
  if (const std::string reason = why_not_trusted(session); !reason.empty())
    add_distrust("the session is to be trusted", reason, suite);
  suites.add(name, session.started, suite);
}

using WatchFindings = std::vector<const WatchResult::Finding*>;

std::string sentence(const WatchResult::Finding& finding) {
  const std::string subject = subject_text(finding);
  return fmt::format("{}{}{}: {}", name_of(finding.word), subject.empty() ? "" : " ", subject,
                     finding.text);
}

// A test case has one problem: of the first finding that fails, and the text tells of all.
void add_findings(const std::string& what, const WatchFindings& findings, Suite& suite) {
  Tree& element = add_case(what, suite);
  const WatchResult::Finding* failing = nullptr;
  std::string all;
  for (const WatchResult::Finding* const finding : findings) {
    if (failing == nullptr && finding->fails()) failing = finding;
    all += '\n' + sentence(*finding);
    for (const std::string& detail : finding->details)
      all += "\n  " + detail;
  }
  if (findings.empty()) return;
  if (failing == nullptr) {
    const WatchResult::Finding& first = *findings.front();
    const char* const why = !first.is_certain  ? "unclear: "
                            : first.is_allowed ? "allowed: "
                                               : "in the baseline: ";
    return skip(element, why + sentence(first), suite);
  }
  ++suite.counts.failures;
  Tree& problem = element.add_child("failure", Tree());
  set_attribute(problem, "message", shortened(xml_text(sentence(*failing)), 1000));
  set_attribute(problem, "type", name_of(failing->word));
  problem.data() = xml_text(all + '\n');
}

void add_watch(const WatchResult& watch, const std::string& name, Suites& suites) {
  Suite suite;
  suite.class_name = suites.own_class(class_name({"watch", short_command(watch)}));
  std::map<std::string, WatchFindings> by_kernel;
  for (const WatchResult::Kernel& kernel : watch.kernels)
    by_kernel[kernel.name];
  by_kernel[""];  // what is of no kernel
  for (const WatchResult::Finding& finding : watch.findings)
    by_kernel[finding.kernel].push_back(&finding);
  for (const WatchResult::Run& run : watch.runs)
    suite.counts.wall_ns += run.wall_ns;
  for (const auto& [kernel, findings] : by_kernel)
    add_findings(kernel.empty() ? "the program" : kernel, findings, suite);
  if (const std::string reason = why_not_trusted(watch); !reason.empty())
    add_distrust("the watch is to be trusted", reason, suite);
  suites.add(name, watch.started, suite);
}

}  // namespace

std::string to_junit(std::span<const RunResult> runs, std::span<const GateSource> gates,
                     std::span<const WatchSource> watches, const std::filesystem::path& root) {
  Suites suites;
  for (const RunResult& run : runs)
    add_run(run, runs.size() == 1 ? "" : subject_of(run) + ": ", root, suites);
  for (const GateSource& gate : gates)
    add_gate(gate.content, gates.size() == 1 ? "gate" : subject_of(gate.content) + ": gate",
             suites);
  for (const WatchSource& watch : watches)
    add_watch(watch.content, watches.size() == 1 ? "watch" : watch.file + ": watch", suites);
  return suites.text();
}

Result<void> write_junit(const RunResult& result, const std::filesystem::path& file,
                         const std::filesystem::path& root) {
  return write_file_atomically(file, to_junit({&result, 1}, {}, {}, root));
}

}  // namespace tunecheck
