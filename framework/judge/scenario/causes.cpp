#include "judge/scenario/causes.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/info.hpp"
#include "core/text.hpp"
#include "judge/checks/table/check.hpp"
#include "result/known_failure.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, CauseKind>, 3> kinds = {{
    {"broken_promise", CauseKind::broken_promise},
    {"other_policy", CauseKind::other_policy},
    {"never_said", CauseKind::never_said},
}};
constexpr std::array<std::string_view, 3> states = {"open", "closed", "merged"};

// Below a folder of pages, whatever is written in the file.
bool is_inside(const std::string& path) {
  const fs::path relative = path;
  return relative.is_relative() &&
         std::none_of(relative.begin(), relative.end(), [](const fs::path& part) {
           return part == ".." || part == "." || part.empty();
         });
}

/// Reads one cause, key by key; each member reports its own mistakes.
class CauseReader {
 public:
  CauseReader(const InfoNode& node, const std::set<std::string>& scenarios, InfoErrors& errors)
      : m_node(node), m_scenarios(scenarios), m_errors(errors), m_reader(node, errors) {}

  TunerCause read() {
    m_cause.name = m_reader.text("name");
    if (!m_cause.name.empty() && !is_identifier(m_cause.name))
      complain("name",
               fmt::format("expected a name such as no_digest, found \"{}\"", m_cause.name));
    m_cause.title = m_reader.text("title");
    read_kind();
    read_promise();
    m_cause.since = m_reader.text_or("since", "");
    m_cause.fixed_in = m_reader.text_or("fixed_in", "");
    read_what_it_explains();
    read_pages();
    read_upstream();
    m_reader.finish();
    return std::move(m_cause);
  }

 private:
  void complain(std::string_view key, std::string message) {
    const InfoNode* const child = m_node.child(key);
    m_errors.add(child == nullptr ? m_node : *child, std::move(message));
  }

  void read_kind() {
    const std::string word = m_reader.text("kind");
    const auto found = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const auto& kind) { return kind.first == word; });
    if (found != kinds.end())
      m_cause.kind = found->second;
    else if (!word.empty())
      complain(
          "kind",
          fmt::format("expected broken_promise, other_policy or never_said, found \"{}\"", word));
  }

  // A claim that a tuner breaks its promise, or decided otherwise, quotes that tuner.
  void read_promise() {
    m_cause.promise = m_reader.text_or("promise", "");
    if (m_cause.promise.empty() && m_cause.kind != CauseKind::never_said)
      complain("kind",
               "expected `promise` next to it: the tuner's own words, or what its source "
               "decides; without any it is never_said");
  }

  void read_what_it_explains() {
    m_cause.scenarios = m_reader.words_or_none("scenarios");
    if (m_cause.scenarios.empty() && m_cause.fixed_in.empty() && m_node.child("scripts") == nullptr)
      complain("scenarios",
               "expected names of scenarios, unless scripts alone show it or it is fixed_in a "
               "version");
    for (const std::string& pattern : m_cause.scenarios)
      if (std::none_of(m_scenarios.begin(), m_scenarios.end(),
                       [&](const std::string& name) { return matches_glob(pattern, name); }))
        complain("scenarios", fmt::format("\"{}\" names no scenario; `tunecheck scenarios list` "
                                          "shows them",
                                          pattern));
    m_cause.checks = m_reader.words_or_none("checks");
    std::vector<std::string> known;
    for (const Check& check : all_checks())
      known.emplace_back(check.name);
    for (const std::string& check : m_cause.checks)
      if (find_check(check) == nullptr)
        complain("checks", unknown_word_message("check", check, known));
  }

  void read_pages() {
    m_cause.finding = m_reader.text_or("finding", "");
    if (!m_cause.finding.empty() && !is_inside(m_cause.finding))
      complain("finding",
               fmt::format("expected a path below docs/findings, found \"{}\"", m_cause.finding));
    m_cause.scripts = m_reader.words_or_none("scripts");
    for (const std::string& script : m_cause.scripts)
      if (!is_inside(script))
        complain("scripts",
                 fmt::format("expected paths below docs/findings, found \"{}\"", script));
  }

  void read_upstream() {
    m_cause.looked_at = m_reader.text_or("looked_at", "");
    if (!m_cause.looked_at.empty() && !parse_date(m_cause.looked_at))
      complain("looked_at",
               fmt::format("expected a date such as 2027-03-31, found \"{}\"", m_cause.looked_at));
    const InfoNode* const section = m_reader.section("upstream", false);
    if (section == nullptr) return;
    for (const InfoNode& node : section->children)
      if (node.key == "issue")
        m_cause.upstream.push_back(read_issue(node));
      else
        m_errors.add(node, fmt::format("expected \"issue\", found \"{}\"", node.key));
    // A state is one of a day.
    if (m_cause.looked_at.empty())
      m_errors.add(*section, "expected looked_at next to it: the day on which somebody looked");
  }

  UpstreamIssue read_issue(const InfoNode& node) {
    InfoReader reader(node, m_errors);
    UpstreamIssue issue{reader.text("link"), reader.text_or("state", ""),
                        reader.text_or("says", "")};
    if (!issue.link.empty() && !issue.link.starts_with("https://"))
      m_errors.add(*node.child("link"),
                   fmt::format("expected a link (https://...), found \"{}\"", issue.link));
    if (!issue.state.empty() &&
        std::find(states.begin(), states.end(), issue.state) == states.end())
      m_errors.add(*node.child("state"),
                   fmt::format("expected open, closed or merged, found \"{}\"", issue.state));
    reader.finish();
    return issue;
  }

  const InfoNode& m_node;
  const std::set<std::string>& m_scenarios;
  InfoErrors& m_errors;
  InfoReader m_reader;
  TunerCause m_cause;
};

}  // namespace

Result<TunerCauses> read_causes(const fs::path& file, const std::set<std::string>& scenarios) {
  TUNECHECK_TRY(const InfoNode root, read_info_file(file));
  InfoErrors errors(file.string());
  TunerCauses causes;
  for (const InfoNode& node : root.children) {
    if (node.key != "cause") {
      errors.add(node, fmt::format("expected \"cause\", found \"{}\"", node.key));
      continue;
    }
    TunerCause cause = CauseReader(node, scenarios, errors).read();
    const std::string name = cause.name;
    if (!causes.emplace(name, std::move(cause)).second)
      errors.add(node, fmt::format("a cause \"{}\" is there already", name));
  }
  if (root.children.empty()) errors.add(1, "cause", "expected at least one");
  TUNECHECK_CHECK(errors.result());
  return causes;
}

}  // namespace tunecheck
