#include "reports/html/html_report.hpp"

#include <fmt/format.h>

#include "reports/html/html_parts.hpp"
#include "reports/html/html_template.hpp"

namespace tunecheck {
namespace {

constexpr std::string_view place_of_data = "<!--tunecheck:data-->";
constexpr std::size_t most_pending = 500;

HtmlJson html_index(const ReportSources& sources, const std::string& version,
                    const HtmlScenarios& scenarios, const std::vector<std::size_t>& tuned) {
  HtmlJson runs = HtmlJson::array();
  for (const RunResult& run : sources.runs)
    runs.push_back(html_run(run));
  return {{"version", version},
          {"runs", runs},
          {"families", scenarios.families.names()},
          {"kernels", scenarios.kernels.names()},
          {"scenarios", scenarios.rows},
          {"scenarios_per_block", html_scenarios_per_block},
          {"tuned", tuned},
          {"gates", sources.gates.size()},
          {"audits", sources.audits.size()},
          {"histories", sources.histories.size()}};
}

}  // namespace

std::size_t HtmlNames::place_of(const std::string& name) {
  const auto [found, added] = m_places.emplace(name, m_names.size());
  if (added) m_names.push_back(html_text(name, 200));
  return found->second;
}

HtmlJson html_stages(const Stages& stages) {
  return {stages.prepare_ns, stages.adapter_ns, stages.reference_ns, stages.evidence_ns,
          stages.check_ns};
}

HtmlJson html_run(const RunResult& run) {
  HtmlJson pending = HtmlJson::array(), left_out = HtmlJson::array();
  for (const std::string& name : run.pending)
    if (pending.size() < most_pending) pending.push_back(html_text(name, 200));
  for (const LeftOut& scenario : run.left_out)
    left_out.push_back(
        {{"name", html_text(scenario.name, 200)}, {"reason", html_text(scenario.reason)}});
  HtmlJson environment = HtmlJson::object();
  for (const auto& [name, value] : run.environment)
    environment[html_text(name, 200)] = html_text(value);
  const auto device = run.environment.find("device");
  return {{"file", html_text(run.file)},
          {"tunecheck_version", html_text(run.tunecheck_version, 200)},
          {"started", html_text(run.started, 200)},
          {"adapter", html_text(run.adapter, 200)},
          {"tuner", html_text(run.tuner, 200)},
          {"backend", html_text(run.backend, 200)},
          {"device", device == run.environment.end() ? "" : html_text(device->second, 200)},
          {"seed", run.seed},
          {"jobs", run.jobs},
          {"exit_status", run.exit_status()},
          {"wall_ns", run.wall_ns},
          {"judge_share", run.judge_share()},
          {"stages_ns", html_stages(run.stages)},
          {"trouble", html_text(run.trouble)},
          {"pending_left_out", run.pending.size() - pending.size()},
          {"pending", std::move(pending)},
          {"left_out", std::move(left_out)},
          {"environment", std::move(environment)}};
}

Result<std::string> html_report(const ReportSources& sources,
                                const std::string& tunecheck_version) {
  std::string page = html_template();
  const std::size_t place = page.find(place_of_data);
  if (place == std::string::npos)
    return failure(
        Error{ErrorKind::machine,
              "this tunecheck was built without the page of HTML reports; build it again "
              "where node and npm are: ci/bootstrap --html",
              {},
              0,
              {}});
  HtmlBlocks blocks;
  const HtmlScenarios scenarios = add_scenarios(sources, blocks);
  const std::vector<std::size_t> tuned = add_kernels(sources, scenarios.kernels.names(), blocks);
  for (std::size_t number = 0; number < sources.gates.size(); ++number)
    blocks.add(fmt::format("gate-{}", number),
               html_gate(sources.gates[number].content, sources.gates[number].file));
  for (std::size_t number = 0; number < sources.audits.size(); ++number)
    blocks.add(fmt::format("audit-{}", number),
               html_audit(sources.audits[number].content, sources.audits[number].file));
  for (std::size_t number = 0; number < sources.histories.size(); ++number)
    add_history(sources.histories[number].content, sources.histories[number].file, number, blocks);
  blocks.add("index", html_index(sources, tunecheck_version, scenarios, tuned));
  page.replace(place, place_of_data.size(), blocks.text());
  return page;
}

}  // namespace tunecheck
