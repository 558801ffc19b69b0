// add_scenarios() of html_parts.hpp.
#include <algorithm>

#include <fmt/format.h>

#include "reports/html_parts.hpp"
#include "reports/json_document.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t most_dots = 15;  // of a config in a scenario

// As data.ts numbers them.
int number_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return 0;
    case Verdict::fail:
      return 1;
    case Verdict::unsupported:
      return 2;
    case Verdict::error:
      return 3;
    case Verdict::known:
      return 4;
  }
  return 3;
}

// In a list there is room for one line.
std::string reason_of(const ScenarioResult& scenario) {
  if (scenario.verdict == Verdict::pass) return {};
  for (const Verdict wanted : {Verdict::error, Verdict::fail})
    for (const CheckResult& check : scenario.checks)
      if (check.verdict == wanted)
        return html_text(fmt::format("{}: {}", check.check, check.observed), 160);
  return html_text(scenario.message.empty() ? scenario.lacks : scenario.message, 160);
}

HtmlJson strip_json(const ConfigSummary& config) {
  const std::string& failure = config.failure.empty() ? config.own_failure : config.failure;
  return {{"config", html_text(config.config)},
          {"flags", (config.is_winner ? 1 : 0) + (config.is_default ? 2 : 0)},
          {"median_ns", html_time(config.median_ns)},
          {"own_ns", html_time(config.own_median_ns)},
          {"launches", config.launches},
          {"dots_ns", html_dots(config.samples_ns, most_dots)},
          {"failure", html_text(failure)}};
}

HtmlJson event_json(const CallEvent& event) {
  return {{"kind", html_text(event.kind, 200)},
          {"at_ns", event.at_ns},
          {"wall_ns", event.wall_ns},
          {"config", html_text(event.config)},
          {"count", event.count},
          {"failed", event.failed},
          {"differing", event.differing},
          {"from_store", event.from_store},
          {"text", html_text(event.text)}};
}

std::string sizes_text(const CallSummary& call) {
  std::string text;
  for (const auto& [name, size] : call.sizes)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, size);
  return text;
}

HtmlJson call_json(const CallSummary& call) {
  return {{"number", call.number},
          {"line", call.line},
          {"asked_ns", call.asked_ns},
          {"wall_ns", call.wall_ns},
          {"outcome", html_text(call.outcome, 200)},
          {"message", html_text(call.message)},
          {"cache", html_text(call.cache, 200)},
          {"missed_axes", call.missed_axes},
          {"winner", html_text(call.winner)},
          {"arch", html_text(call.arch)},
          {"sizes", html_text(sizes_text(call))},
          {"compiles", call.compiles},
          {"launches", call.launches},
          {"trial_launches", call.trial_launches},
          {"configs", json_list(call.configs, strip_json)},
          {"configs_left_out", call.configs_left_out},
          {"events", json_list(call.events, event_json)},
          {"events_left_out", call.events_left_out}};
}

HtmlJson process_json(const ProcessSummary& process) {
  return {{"name", html_text(process.name, 200)},
          {"end", html_text(process.end.text())},
          {"timed_out", process.end.timed_out},
          {"signal", process.end.signal},
          {"wall_ns", process.end.wall_ns},
          {"cpu_ns", process.end.cpu_ns},
          {"peak_memory_kib", process.end.peak_memory_kib},
          {"compiles", process.compiles},
          {"compiles_from_store", process.compiles_from_store},
          {"launches", process.launches},
          {"log", html_text(process.log)},
          {"calls", json_list(process.calls, call_json)},
          {"calls_left_out", process.calls_left_out}};
}

HtmlJson scenario_json(const ScenarioResult& scenario, HtmlTexts& texts) {
  HtmlJson checks = HtmlJson::array();
  for (const CheckResult& check : scenario.checks) {
    HtmlJson evidence = HtmlJson::array();
    for (const std::string& file : check.evidence)
      evidence.push_back(texts.place_of(file));
    checks.push_back({texts.place_of(check.check), number_of(check.verdict),
                      texts.place_of(check.process), check.call, check.line,
                      texts.place_of(check.expected), texts.place_of(check.observed),
                      std::move(evidence)});
  }
  HtmlJson json = {{"file", html_text(scenario.file)},
                   {"line", scenario.line},
                   {"because", html_text(scenario.because)},
                   {"message", html_text(scenario.message)},
                   {"lacks", html_text(scenario.lacks)},
                   {"workspace", html_text(scenario.workspace)},
                   {"repro", html_text(scenario.repro)},
                   {"stages_ns", html_stages(scenario.stages)},
                   {"processes", json_list(scenario.processes, process_json)},
                   {"checks", std::move(checks)},
                   {"unanswered", scenario.unanswered}};
  if (scenario.known)
    json["known"] = {{"checks", scenario.known->checks},
                     {"reason", html_text(scenario.known->reason)},
                     {"link", html_text(scenario.known->link)},
                     {"until", date_text(scenario.known->until)},
                     {"file", html_text(scenario.known->file.string())},
                     {"line", scenario.known->line}};
  return json;
}

// Scenarios that are read together.
class Block {
 public:
  explicit Block(HtmlBlocks& blocks) : m_blocks(blocks) {}

  void add(const ScenarioResult& scenario) {
    m_scenarios.push_back(scenario_json(scenario, m_texts));
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

HtmlScenarios add_scenarios(const HtmlSources& sources, HtmlBlocks& blocks) {
  HtmlScenarios result;
  Block block(blocks);
  for (std::size_t run = 0; run < sources.runs.size(); ++run)
    for (const ScenarioResult& scenario : sources.runs[run].content.scenarios) {
      result.rows.push_back({html_text(scenario.name, 200),
                             result.families.place_of(scenario.family), run,
                             number_of(scenario.verdict), result.kernels.place_of(scenario.kernel),
                             scenario.wall_ns, reason_of(scenario)});
      block.add(scenario);
    }
  block.end();
  return result;
}

}  // namespace tunecheck
