// add_scenarios() of html_parts.hpp.
#include <fmt/format.h>

#include "reports/fields/run_fields.hpp"
#include "reports/html/html_pack.hpp"
#include "reports/html/html_parts.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t most_scenario_dots = 5;  // of a config in a scenario

// As the page's words for a verdict are numbered: in the order of the field's.
std::size_t number_of(Verdict verdict) {
  const Words<Verdict>& words = words_of(Of<Verdict>{});
  std::size_t place = 0;
  while (words[place].first != verdict)
    ++place;
  return place;
}

// In a list there is room for one line.
std::string html_reason(const ScenarioResult& scenario) {
  if (scenario.verdict == Verdict::pass) return {};
  for (const Verdict wanted : {Verdict::error, Verdict::fail})
    for (const CheckResult& check : scenario.checks)
      if (check.verdict == wanted)
        return html_text(fmt::format("{}: {}", check.check, check.observed), 160);
  return html_text(scenario.message.empty() ? scenario.lacks : scenario.message, 160);
}

// Without what its row of the index says, and of times as many as can be drawn.
ScenarioResult in_short(ScenarioResult scenario) {
  for (std::string* const text : {&scenario.name, &scenario.family, &scenario.kernel,
                                  &scenario.adapter, &scenario.tuner, &scenario.device})
    text->clear();
  for (ProcessSummary& process : scenario.processes)
    for (CallSummary& call : process.calls)
      for (ConfigSummary& config : call.configs)
        config.samples_ns = html_quantiles(config.samples_ns, most_scenario_dots);
  return scenario;
}

// Scenarios that are read together.
class ScenarioBlock {
 public:
  explicit ScenarioBlock(HtmlBlocks& blocks) : m_blocks(blocks) {}

  void add(const ScenarioResult& scenario) {
    m_scenarios.push_back(html_packed(in_short(scenario), m_texts));
    if (m_scenarios.size() == html_scenarios_per_block) end();
  }
  void end() {
    if (m_scenarios.empty()) return;
    m_blocks.add(fmt::format("scenarios-{}", m_number++),
                 {{"texts", m_texts.json()}, {"scenarios", std::move(m_scenarios)}});
    m_scenarios = HtmlJson::array();
    m_texts = {};
  }

 private:
  HtmlBlocks& m_blocks;
  HtmlTexts m_texts;
  HtmlJson m_scenarios = HtmlJson::array();
  int m_number = 0;
};

}  // namespace

HtmlScenarios add_scenarios(const ReportSources& sources, HtmlBlocks& blocks) {
  HtmlScenarios result;
  ScenarioBlock block(blocks);
  for (std::size_t run = 0; run < sources.runs.size(); ++run)
    for (const ScenarioResult& scenario : sources.runs[run].scenarios) {
      result.rows.push_back({html_text(scenario.name, 200),
                             result.families.place_of(scenario.family), run,
                             number_of(scenario.verdict), result.kernels.place_of(scenario.kernel),
                             scenario.wall_ns, html_reason(scenario)});
      block.add(scenario);
    }
  block.end();
  return result;
}

}  // namespace tunecheck
