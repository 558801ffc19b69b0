#pragma once
// The parts of an HTML report's data; reports/html/src/data.ts says what the page makes of them.
#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "reports/html/html_blocks.hpp"
#include "reports/html/html_report.hpp"

namespace tunecheck {

/// Names with their places, in the order in which they were seen.
class HtmlNames {
 public:
  [[nodiscard]] std::size_t place_of(const std::string& name);
  [[nodiscard]] const std::vector<std::string>& names() const { return m_names; }

 private:
  std::map<std::string, std::size_t> m_places;
  std::vector<std::string> m_names;
};

/// One row for each scenario, and one block for some of them at a time.
struct HtmlScenarios {
  HtmlNames families, kernels;
  HtmlNames checks;  ///< sets of checks that did not pass, separated by blanks
  HtmlNames marks;   ///< reasons and links of known failures
  HtmlJson rows = HtmlJson::array();
};
inline constexpr std::size_t html_scenarios_per_block = 128;
struct HtmlScenarioOptions {
  std::span<const RunResult> base = {};
  std::filesystem::path folder = {};  ///< of the page; "" if it is the working folder
};
[[nodiscard]] HtmlScenarios add_scenarios(const ReportSources& sources,
                                          const HtmlScenarioOptions& options, HtmlBlocks& blocks);

/// Ends of the logs of processes in which a scenario failed, of all scenarios together no more than
/// a page can carry. Each is a name and a text.
class HtmlExcerpts {
 public:
  [[nodiscard]] HtmlJson of(const ScenarioResult& scenario);

 private:
  std::size_t m_bytes = 0;  ///< given out so far
};

/// Why the runs failed, what is known of their failures, and what changed against their bases:
/// "causes", "known" and "changes" of the index. Scenarios are places of rows.
[[nodiscard]] HtmlJson html_causes(const ReportSources& sources);
[[nodiscard]] HtmlJson html_known(const ReportSources& sources);
[[nodiscard]] HtmlJson html_changes(const ReportSources& sources, std::span<const RunResult> base);

[[nodiscard]] HtmlJson html_verdict(const VerdictLine& verdict);
[[nodiscard]] HtmlJson html_brief(const Brief& brief);

/// A block for each kernel that was tuned; how many tunings there were, in the order of `kernels`.
[[nodiscard]] std::vector<std::size_t> add_kernels(const ReportSources& sources,
                                                   const std::vector<std::string>& kernels,
                                                   HtmlBlocks& blocks);

[[nodiscard]] HtmlJson html_gate(const gate::GateResult& gate, const std::string& file);
[[nodiscard]] HtmlJson html_watch(const WatchResult& watch, const std::string& file);
[[nodiscard]] HtmlJson html_audit(const AuditResult& audit, const std::string& file);

/// A block "history-NUMBER" of what all benchmarks have in common, and one for the series of each.
void add_history(const HistoryChanges& history, const std::string& file, std::size_t number,
                 HtmlBlocks& blocks);

/// Quantiles of what is sorted, from the least to the greatest; all where they are no more than
/// `most`.
template <class Number>
[[nodiscard]] std::vector<Number> html_quantiles(const std::vector<Number>& sorted,
                                                 std::size_t most) {
  std::vector<Number> quantiles;
  const std::size_t count = sorted.size() < most ? sorted.size() : most;
  for (std::size_t place = 0; place < count; ++place)
    quantiles.push_back(sorted[count == 1 ? 0 : place * (sorted.size() - 1) / (count - 1)]);
  return quantiles;
}

/// Quantiles of `sorted` times in ns, in us with four digits.
template <class Number>
[[nodiscard]] HtmlJson html_dots(const std::vector<Number>& sorted, std::size_t most) {
  HtmlJson dots = HtmlJson::array();
  for (const Number ns : html_quantiles(sorted, most))
    dots.push_back(html_microseconds(static_cast<double>(ns)));
  return dots;
}

}  // namespace tunecheck
