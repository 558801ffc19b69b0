// StateCauses and state_gaps() of html_state_parts.hpp.
#include <algorithm>

#include "reports/html/html_state_parts.hpp"

namespace tunecheck {
namespace {

std::string kind_word(CauseKind kind) {
  switch (kind) {
    case CauseKind::broken_promise:
      return "broken_promise";
    case CauseKind::other_policy:
      return "other_policy";
    case CauseKind::never_said:
      break;
  }
  return "never_said";
}

HtmlJson upstream_json(const TunerCause& cause) {
  HtmlJson list = HtmlJson::array();
  for (const UpstreamIssue& issue : cause.upstream)
    list.push_back({{"link", html_text(issue.link)},
                    {"state", html_text(issue.state)},
                    {"says", html_text(issue.says)}});
  return list;
}

}  // namespace

StateCauses::StateCauses(const Matrix& matrix) {
  for (std::size_t column = 0; column < matrix.tuners.size(); ++column)
    add(column, matrix.tuners[column]);
}

void StateCauses::add(std::size_t column, const MatrixTuner& tuner) {
  for (const auto& [name, scenario] : tuner.scenarios)
    for (const auto& [check, verdict] : scenario.checks)
      if (verdict == Verdict::known && was_reached(scenario, check))
        for (const TunerCause* const cause : causes_behind(tuner, name, check)) {
          Entry& entry = entry_of(tuner, *cause);
          entry.scenarios[column].insert(name);
          entry.checks.insert(check);
        }
  for (const TunerCause* const cause : causes_seen(tuner).apart)
    (void)entry_of(tuner, *cause);
}

StateCauses::Entry& StateCauses::entry_of(const MatrixTuner& tuner, const TunerCause& cause) {
  const auto [place, added] =
      m_places.emplace(std::pair{product_of(tuner).product, cause.name}, m_entries.size());
  if (added) m_entries.push_back({&tuner, &cause, {}, {}});
  return m_entries[place->second];
}

std::size_t StateCauses::place_of(const MatrixTuner& tuner, const TunerCause& cause) const {
  return m_places.at({product_of(tuner).product, cause.name});
}

std::vector<std::size_t> StateCauses::places_of(const MatrixTuner& tuner,
                                                const CausesOf& causes) const {
  std::vector<std::size_t> places;
  for (const TunerCause* const cause : causes)
    places.push_back(place_of(tuner, *cause));
  return places;
}

HtmlJson StateCauses::json() const {
  HtmlJson list = HtmlJson::array();
  for (const Entry& entry : m_entries) {
    const TunerCause& cause = *entry.cause;
    HtmlJson columns = HtmlJson::array();
    for (const auto& [column, scenarios] : entry.scenarios)
      columns.push_back({{"tuner", column}, {"scenarios", scenarios}});
    list.push_back({{"name", html_text(cause.name, 200)},
                    {"product", html_text(product_of(*entry.tuner).product, 200)},
                    {"title", html_text(cause.title)},
                    {"kind", kind_word(cause.kind)},
                    {"promise", html_text(cause.promise)},
                    {"finding", html_text(cause.finding, 200)},
                    {"scripts", cause.scripts},
                    {"upstream", upstream_json(cause)},
                    {"looked_at", html_text(cause.looked_at, 200)},
                    {"since", html_text(cause.since, 200)},
                    {"fixed_in", html_text(cause.fixed_in, 200)},
                    {"columns", columns},
                    {"checks", entry.checks}});
  }
  return list;
}

HtmlJson state_gaps(const Matrix& matrix) {
  std::map<std::string, std::vector<std::int64_t>> reasons;
  const auto add = [&](const std::string& reason, std::size_t column, std::int64_t scenarios = 1) {
    auto& counts = reasons[reason];
    counts.resize(matrix.tuners.size());
    counts[column] += scenarios;
  };
  for (std::size_t column = 0; column < matrix.tuners.size(); ++column) {
    const MatrixTuner& tuner = matrix.tuners[column];
    for (const auto& [name, scenario] : tuner.scenarios)
      if (scenario.verdict == Verdict::unsupported)
        add(scenario.lacks.empty() ? scenario.message : scenario.lacks, column);
    for (const auto& [name, scenario] : tuner.left_out)
      add(scenario.reason, column);
    if (const std::int64_t scenarios = scenarios_not_run(tuner); scenarios > 0)
      add("the run has not come to it yet", column, scenarios);
  }
  std::vector<std::pair<std::int64_t, HtmlJson>> rows;
  for (const auto& [reason, counts] : reasons) {
    std::int64_t total = 0;
    for (const std::int64_t count : counts)
      total += count;
    rows.emplace_back(total, HtmlJson{{"reason", html_text(reason)}, {"scenarios", counts}});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  HtmlJson list = HtmlJson::array();
  for (auto& [total, row] : rows)
    list.push_back(std::move(row));
  return list;
}

}  // namespace tunecheck
