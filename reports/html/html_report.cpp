#include "reports/html/html_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "reports/fields/run_fields.hpp"
#include "reports/html/html_pack.hpp"
#include "reports/html/html_parts.hpp"
#include "reports/html/html_template.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t most_pending = 500;

// A run as the page lists it: without its scenarios, which have blocks of their own.
HtmlJson html_run(const RunResult& run, HtmlTexts& texts) {
  HtmlJson json = HtmlJson::object();
  for (const Field<RunResult>& field : fields_of(Of<RunResult>{}).all())
    if (field.description.name != "scenarios") field.write(run, json);
  auto& pending = json["pending"].get_ref<HtmlJson::array_t&>();
  pending.resize(std::min(pending.size(), most_pending));
  const auto device = run.environment.find("device");
  return {{"file", html_text(run.file)},
          {"device", device == run.environment.end() ? "" : html_text(device->second, 200)},
          {"pending_left_out", run.pending.size() - pending.size()},
          {"run", html_pack(fields_of(Of<RunResult>{}).description(), json, texts)}};
}

HtmlJson html_index(const ReportSources& sources, const std::string& version,
                    const HtmlScenarios& scenarios, const std::vector<std::size_t>& tuned) {
  HtmlTexts texts;
  HtmlJson runs = HtmlJson::array();
  for (const RunResult& run : sources.runs)
    runs.push_back(html_run(run, texts));
  HtmlJson verdicts = HtmlJson::array();
  for (const auto& [verdict, word] : words_of(Of<Verdict>{}))
    verdicts.push_back(word);
  return {{"version", version},
          {"verdicts", verdicts},
          {"texts", texts.json()},
          {"runs", runs},
          {"families", scenarios.families.names()},
          {"kernels", scenarios.kernels.names()},
          {"scenarios", scenarios.rows},
          {"scenarios_per_block", html_scenarios_per_block},
          {"tuned", tuned},
          {"gates", sources.gates.size()},
          {"watches", sources.watches.size()},
          {"audits", sources.audits.size()},
          {"histories", sources.histories.size()}};
}

}  // namespace

std::size_t HtmlNames::place_of(const std::string& name) {
  const auto [found, added] = m_places.emplace(name, m_names.size());
  if (added) m_names.push_back(html_text(name, 200));
  return found->second;
}

Error built_without_pages() {
  return {ErrorKind::machine,
          "this tunecheck was built without the page of HTML reports; build it again where node "
          "and npm are: ci/bootstrap --html",
          {},
          0,
          {}};
}

bool has_html_reports() {
  return html_template().find(html_place_of_data) != std::string::npos;
}

Result<std::string> html_report(const ReportSources& sources,
                                const std::string& tunecheck_version) {
  std::string page = html_template();
  const std::size_t place = page.find(html_place_of_data);
  if (place == std::string::npos) return failure(built_without_pages());
  HtmlBlocks blocks;
  const HtmlScenarios scenarios = add_scenarios(sources, blocks);
  const std::vector<std::size_t> tuned = add_kernels(sources, scenarios.kernels.names(), blocks);
  for (std::size_t number = 0; number < sources.gates.size(); ++number)
    blocks.add(fmt::format("gate-{}", number),
               html_gate(sources.gates[number].content, sources.gates[number].file));
  for (std::size_t number = 0; number < sources.watches.size(); ++number)
    blocks.add(fmt::format("watch-{}", number),
               html_watch(sources.watches[number].content, sources.watches[number].file));
  for (std::size_t number = 0; number < sources.audits.size(); ++number)
    blocks.add(fmt::format("audit-{}", number),
               html_audit(sources.audits[number].content, sources.audits[number].file));
  for (std::size_t number = 0; number < sources.histories.size(); ++number)
    add_history(sources.histories[number].content, sources.histories[number].file, number, blocks);
  blocks.add("index", html_index(sources, tunecheck_version, scenarios, tuned));
  page.replace(place, html_place_of_data.size(), blocks.text());
  return page;
}

}  // namespace tunecheck
