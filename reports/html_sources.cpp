// read_html_sources() of html_report.hpp.
#include "reports/audit_reader.hpp"
#include "reports/gate_json.hpp"
#include "reports/html_report.hpp"
#include "reports/result_reader.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

// Which program wrote a file is told by the fields that only its files have.
enum class Kind { run, gate, audit };

Kind kind_of(const JsonValue& json) {
  if (json.field("benchmarks").exists()) return Kind::gate;
  return json.field("kills").exists() ? Kind::audit : Kind::run;
}

Result<void> add_file(const fs::path& file, HtmlSources& sources) {
  Kind kind = Kind::run;
  std::vector<ScenarioResult> scenarios;
  TUNECHECK_CHECK(read_json_file(
      file, [&](const JsonValue& json) { scenarios.push_back(scenario_from(json)); },
      [&](const JsonValue& json) {
        kind = kind_of(json);
        if (kind == Kind::audit) sources.audits.push_back({file.string(), audit_from(json)});
        if (kind != Kind::run) return;
        RunResult run = run_from(json, std::move(scenarios));
        name_files_from(file.parent_path(), run);
        sources.runs.push_back({file.string(), std::move(run)});
      }));
  if (kind != Kind::gate) return {};
  TUNECHECK_TRY(gate::GateResult gate, read_gate(file));
  sources.gates.push_back({file.string(), std::move(gate)});
  return {};
}

// Parts of one run become one; then it is not told which is of which file.
void merge_runs(HtmlSources& sources) {
  std::vector<RunResult> results;
  std::vector<std::string> files;
  for (auto& run : sources.runs) {
    results.push_back(std::move(run.content));
    files.push_back(std::move(run.file));
  }
  sources.runs.clear();
  std::vector<RunResult> runs = merged(std::move(results));
  for (std::size_t place = 0; place < runs.size(); ++place) {
    std::string file;
    if (runs.size() == files.size())
      file = files[place];
    else
      for (const std::string& name : files)
        file += (file.empty() ? "" : ", ") + name;
    sources.runs.push_back({std::move(file), std::move(runs[place])});
  }
}

}  // namespace

Result<HtmlSources> read_html_sources(const std::vector<fs::path>& files) {
  HtmlSources sources;
  for (const fs::path& file : files)
    TUNECHECK_CHECK(add_file(file, sources));
  merge_runs(sources);
  return sources;
}

}  // namespace tunecheck
