#include "reports/stored/report_sources.hpp"

#include "reports/matrix/matrix_json.hpp"
#include "reports/stored/gate_json.hpp"
#include "reports/stored/json_file.hpp"
#include "reports/stored/result_reader.hpp"
#include "reports/stored/watch_json.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

void add_document(const fs::path& file, const JsonValue& json,
                  std::vector<ScenarioResult> scenarios, ReportSources& sources) {
  switch (kind_of(json)) {
    case JsonKind::audit:
      sources.audits.push_back({file.string(), audit_from(json)});
      return;
    case JsonKind::gate:
      sources.gates.push_back({file.string(), gate_from(json)});
      return;
    case JsonKind::history:
      sources.histories.push_back({file.string(), history_changes_from(json)});
      return;
    case JsonKind::watch:
      sources.watches.push_back({file.string(), watch_from(json)});
      return;
    case JsonKind::run:
      break;
  }
  if (json.field("tuners").exists()) {
    sources.matrices.push_back({file.string(), tuners_from(json)});
    return;
  }
  if (!json.field("scenarios").exists())
    throw JsonMistake{"/scenarios", "expected a file that tunecheck wrote, found nothing"};
  RunResult run = run_from(json, std::move(scenarios));
  name_files_from(file.parent_path(), run);
  name_scenarios_from_here(run);
  run.file = file.string();
  sources.runs.push_back(std::move(run));
}

}  // namespace

Result<ReportSources> read_report_sources(const std::vector<fs::path>& files) {
  ReportSources sources;
  for (const fs::path& file : files) {
    std::vector<ScenarioResult> scenarios;
    TUNECHECK_CHECK(read_json_file(
        file, [&](const JsonValue& json) { scenarios.push_back(scenario_from(json)); },
        [&](const JsonValue& json) { add_document(file, json, std::move(scenarios), sources); }));
  }
  sources.runs = merged(std::move(sources.runs));
  return sources;
}

}  // namespace tunecheck
