#include "reports/matrix/matrix_json.hpp"

#include <nlohmann/json.hpp>

#include "reports/stored/json.hpp"
#include "reports/stored/json_document.hpp"

namespace tunecheck {
namespace {

using Json = nlohmann::ordered_json;

Json matrix_scenario_json(const MatrixScenario& scenario) {
  Json checks = Json::object();
  for (const auto& [check, verdict] : scenario.checks)
    checks[check] = name_of(verdict);
  Json json = {{"name", scenario.name},
               {"started", scenario.started},
               {"verdict", name_of(scenario.verdict)},
               {"message", scenario.message},
               {"lacks", scenario.lacks},
               {"checks", checks}};
  for (const MatrixScenario::Trouble& trouble : scenario.troubles)
    json["troubles"].push_back({{"check", trouble.check},
                                {"verdict", name_of(trouble.verdict)},
                                {"expected", trouble.expected},
                                {"observed", trouble.observed}});
  if (scenario.mark)
    json["known"] = {{"reason", scenario.mark->reason},
                     {"link", scenario.mark->link},
                     {"until", scenario.mark->until}};
  return json;
}

Json tuner_json(const MatrixTuner& tuner) {
  Json left_out = Json::array(), scenarios = Json::array();
  for (const auto& [name, scenario] : tuner.left_out)
    left_out.push_back({{"name", name}, {"reason", scenario.reason}, {"checks", scenario.checks}});
  for (const auto& [name, scenario] : tuner.scenarios)
    scenarios.push_back(matrix_scenario_json(scenario));
  return {{"adapter", tuner.adapter},
          {"tuner", tuner.tuner},
          {"backend", tuner.backend},
          {"device", tuner.device},
          {"tunecheck_version", tuner.tunecheck_version},
          {"first_started", tuner.first_started},
          {"last_started", tuner.last_started},
          {"trouble", tuner.trouble},
          {"pending", tuner.pending},
          {"left_out", left_out},
          {"scenarios", scenarios}};
}

Json cell_json(const MatrixCell& cell) {
  Json json = Json::object();
  for (const Verdict verdict :
       {Verdict::pass, Verdict::fail, Verdict::known, Verdict::unsupported, Verdict::error})
    json[std::string(name_of(verdict))] = cell.of(verdict);
  json["reason"] = cell.reason;
  return json;
}

Json row_json(const MatrixRow& row) {
  Json cells = Json::array();
  for (const MatrixCell& cell : row.cells)
    cells.push_back(cell_json(cell));
  return {{"family", row.family}, {"check", row.check}, {"cells", cells}};
}

}  // namespace

std::string to_json(const Matrix& matrix) {
  Json rows = Json::array(), tuners = Json::array();
  const MatrixTable table = table_of(matrix);
  for (const MatrixRow& row : table.rows)
    rows.push_back(row_json(row));
  for (const MatrixTuner& tuner : matrix.tuners)
    tuners.push_back(tuner_json(tuner));
  return json_document({{"schema", report_schema_version},
                        {"rows", rows},
                        {"not_asked", table.not_asked},
                        {"tuners", tuners}});
}

}  // namespace tunecheck
