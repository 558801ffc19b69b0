// add_scenarios() of html_parts.hpp.
#include <fmt/format.h>

#include "reports/fields/run_fields.hpp"
#include "reports/html/html_pack.hpp"
#include "reports/html/html_parts.hpp"
#include "reports/summary/causes.hpp"
#include "reports/summary/changes.hpp"

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
  const std::vector<const CheckResult*> checks = causes_first(scenario);
  if (!checks.empty())
    return html_text(fmt::format("{}: {}", checks.front()->check, checks.front()->observed), 160);
  return html_text(scenario.message.empty() ? scenario.lacks : scenario.message, 160);
}

// What did not pass, what explains the others first.
std::string checks_text(const ScenarioResult& scenario) {
  std::string text;
  for (const CheckResult* const check : causes_first(scenario))
    if (text.empty() || text.find(check->check) == text.npos)
      text += (text.empty() ? "" : " ") + check->check;
  return text;
}

std::string mark_text(const ScenarioResult& scenario) {
  return scenario.known ? scenario.known->reason + " " + scenario.known->link : "";
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

// With files named as the page finds them: it and its evidence may be moved together.
ScenarioResult seen_from(const std::filesystem::path& folder, ScenarioResult scenario) {
  namespace fs = std::filesystem;
  if (folder.empty()) return scenario;
  const auto move = [&](std::string& file) {
    if (file.empty()) return;
    const fs::path relative = fs::absolute(file).lexically_normal().lexically_relative(folder);
    if (!relative.empty()) file = relative.string();
  };
  move(scenario.workspace);
  for (ProcessSummary& process : scenario.processes)
    move(process.log);
  for (CheckResult& check : scenario.checks)
    for (std::string& file : check.evidence)
      move(file);
  return scenario;
}

// Scenarios that are read together.
class ScenarioBlock {
 public:
  ScenarioBlock(const std::filesystem::path& folder, HtmlBlocks& blocks)
      : m_folder(folder), m_blocks(blocks) {}

  void add(const ScenarioResult& scenario) {
    if (HtmlJson excerpts = m_excerpts.of(scenario); !excerpts.empty())
      m_found[std::to_string(m_scenarios.size())] = std::move(excerpts);
    m_scenarios.push_back(html_packed(seen_from(m_folder, in_short(scenario)), m_texts));
    if (m_scenarios.size() == html_scenarios_per_block) end();
  }
  void end() {
    if (m_scenarios.empty()) return;
    m_blocks.add(fmt::format("scenarios-{}", m_number++), {{"texts", m_texts.json()},
                                                           {"scenarios", std::move(m_scenarios)},
                                                           {"excerpts", std::move(m_found)}});
    m_found = HtmlJson::object();
    m_scenarios = HtmlJson::array();
    m_texts = {};
  }

 private:
  const std::filesystem::path& m_folder;
  HtmlBlocks& m_blocks;
  HtmlExcerpts m_excerpts;
  HtmlJson m_found = HtmlJson::object();  // excerpts, by places of scenarios in the block
  HtmlTexts m_texts;
  HtmlJson m_scenarios = HtmlJson::array();
  int m_number = 0;
};

// What became of a scenario since the base: new, failing and not asked there, still failing, fixed,
// or of another verdict.
std::map<const ScenarioResult*, char> since_of(const RunResult& run,
                                               std::span<const RunResult> base) {
  std::map<const ScenarioResult*, char> since;
  const RunResult* const before = base_of(run, base);
  if (before == nullptr) return since;
  const Changes changes = changes_between(*before, run);
  for (const auto& [scenarios, letter] :
       {std::pair(&changes.broken, 'n'), std::pair(&changes.unasked, 'u'),
        std::pair(&changes.as_bad, 's'), std::pair(&changes.mended, 'f'),
        std::pair(&changes.others, 'o')})
    for (const ScenarioResult* const scenario : *scenarios)
      since[scenario] = letter;
  return since;
}

}  // namespace

HtmlScenarios add_scenarios(const ReportSources& sources, const HtmlScenarioOptions& options,
                            HtmlBlocks& blocks) {
  HtmlScenarios result;
  ScenarioBlock block(options.folder, blocks);
  for (std::size_t run = 0; run < sources.runs.size(); ++run) {
    const std::map<const ScenarioResult*, char> since = since_of(sources.runs[run], options.base);
    for (const ScenarioResult& scenario : sources.runs[run].scenarios) {
      const auto found = since.find(&scenario);
      result.rows.push_back(
          {html_text(scenario.name, 200), result.families.place_of(scenario.family), run,
           number_of(scenario.verdict), result.kernels.place_of(scenario.kernel), scenario.wall_ns,
           html_reason(scenario), result.checks.place_of(checks_text(scenario)),
           result.marks.place_of(mark_text(scenario)),
           found == since.end() ? "" : std::string(1, found->second)});
      block.add(scenario);
    }
  }
  block.end();
  return result;
}

}  // namespace tunecheck
