// add_scenarios() of html_parts.hpp.
#include <fmt/format.h>

#include "reports/html/html_parts.hpp"
#include "reports/stored/json_document.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t most_scenario_dots = 5;  // of a config in a scenario

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
std::string html_reason(const ScenarioResult& scenario) {
  if (scenario.verdict == Verdict::pass) return {};
  for (const Verdict wanted : {Verdict::error, Verdict::fail})
    for (const CheckResult& check : scenario.checks)
      if (check.verdict == wanted)
        return html_text(fmt::format("{}: {}", check.check, check.observed), 160);
  return html_text(scenario.message.empty() ? scenario.lacks : scenario.message, 160);
}

HtmlJson html_strip(const ConfigSummary& config, HtmlTexts& texts) {
  const std::string& failure = config.failure.empty() ? config.own_failure : config.failure;
  return {texts.place_of(config.config),
          (config.is_winner ? 1 : 0) + (config.is_default ? 2 : 0),
          html_microseconds(config.median_ns),
          html_microseconds(config.own_median_ns),
          config.launches,
          texts.place_of(failure),
          html_dots(config.samples_ns, most_scenario_dots)};
}

HtmlJson html_event(const CallEvent& event, HtmlTexts& texts) {
  HtmlJson json = {texts.place_of(event.kind),
                   html_microseconds(static_cast<double>(event.at_ns)),
                   html_microseconds(static_cast<double>(event.wall_ns)),
                   texts.place_of(event.config),
                   event.count,
                   event.failed,
                   event.differing,
                   event.from_store ? 1 : 0,
                   texts.place_of(event.text)};
  while (json.back() == 0)
    json.erase(json.size() - 1);
  return json;
}

std::string sizes_text(const CallSummary& call) {
  std::string text;
  for (const auto& [name, size] : call.sizes)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, size);
  return text;
}

HtmlJson html_call(const CallSummary& call, HtmlTexts& texts) {
  return html_filled(
      {{"number", call.number},
       {"asked_ns", call.asked_ns},
       {"wall_ns", call.wall_ns},
       {"outcome", texts.place_of(call.outcome)},
       {"message", texts.place_of(call.message)},
       {"cache", texts.place_of(call.cache)},
       {"missed_axes", call.missed_axes},
       {"winner", texts.place_of(call.winner)},
       {"arch", texts.place_of(call.arch)},
       {"sizes", texts.place_of(sizes_text(call))},
       {"compiles", call.compiles},
       {"launches", call.launches},
       {"trial_launches", call.trial_launches},
       {"configs",
        json_list(call.configs,
                  [&](const ConfigSummary& config) { return html_strip(config, texts); })},
       {"configs_left_out", call.configs_left_out},
       {"events",
        json_list(call.events, [&](const CallEvent& event) { return html_event(event, texts); })},
       {"events_left_out", call.events_left_out}});
}

HtmlJson html_process(const ProcessSummary& process, HtmlTexts& texts) {
  return html_filled(
      {{"name", texts.place_of(process.name)},
       {"end", texts.place_of(process.end.text())},
       {"wall_ns", process.end.wall_ns},
       {"cpu_ns", process.end.cpu_ns},
       {"peak_memory_kib", process.end.peak_memory_kib},
       {"compiles", process.compiles},
       {"compiles_from_store", process.compiles_from_store},
       {"launches", process.launches},
       {"log", texts.place_of(process.log)},
       {"calls",
        json_list(process.calls, [&](const CallSummary& call) { return html_call(call, texts); })},
       {"calls_left_out", process.calls_left_out}});
}

HtmlJson html_check(const CheckResult& check, HtmlTexts& texts) {
  HtmlJson json = {texts.place_of(check.check),
                   number_of(check.verdict),
                   texts.place_of(check.process),
                   check.call,
                   check.line,
                   texts.place_of(check.expected),
                   texts.place_of(check.observed)};
  for (const std::string& file : check.evidence)
    json.push_back(texts.place_of(file));
  return json;
}

HtmlJson html_scenario(const ScenarioResult& scenario, HtmlTexts& texts) {
  HtmlJson json = html_filled(
      {{"file", texts.place_of(scenario.file)},
       {"line", scenario.line},
       {"because", texts.place_of(scenario.because)},
       {"message", texts.place_of(scenario.message)},
       {"lacks", texts.place_of(scenario.lacks)},
       {"workspace", texts.place_of(scenario.workspace)},
       {"repro", texts.place_of(scenario.repro)},
       {"stages_ns", html_stages(scenario.stages)},
       {"processes",
        json_list(scenario.processes,
                  [&](const ProcessSummary& process) { return html_process(process, texts); })},
       {"checks", json_list(scenario.checks,
                            [&](const CheckResult& check) { return html_check(check, texts); })},
       {"unanswered", scenario.unanswered}});
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
class ScenarioBlock {
 public:
  explicit ScenarioBlock(HtmlBlocks& blocks) : m_blocks(blocks) {}

  void add(const ScenarioResult& scenario) {
    m_scenarios.push_back(html_scenario(scenario, m_texts));
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
