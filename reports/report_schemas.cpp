#include "reports/report_schemas.hpp"

#include "reports/fields/gate_fields.hpp"
#include "reports/fields/history_fields.hpp"
#include "reports/fields/list_fields.hpp"
#include "reports/fields/run_fields.hpp"
#include "reports/fields/schema.hpp"
#include "reports/fields/seeds_fields.hpp"
#include "reports/fields/typescript.hpp"
#include "reports/fields/watch_diff_fields.hpp"
#include "reports/fields/watch_fields.hpp"
#include "reports/matrix/matrix_fields.hpp"
#include "reports/stored/json_document.hpp"

namespace tunecheck {
namespace {

template <class T>
MadeFile schema(const std::string& name, const std::string& title) {
  const std::string file = name + ".schema.json";
  const ObjectDescription& described = fields_of(Of<T>{}).description();
  return {std::filesystem::path("reports") / "schema" / file,
          json_document(schema_of(described, file, title))};
}

}  // namespace

std::map<std::string, std::string> schema_versions() {
  const std::string gate(gate_schema_version), history(history_schema_version),
      list(list_schema_version), results(report_schema_version), watch(watch_schema_version);
  return {{"audit", results},
          {"gate", gate},
          {"history", history},
          {"lists", list},
          {"matrix", results},
          {"result", results},
          {"seeds", std::string(seeds_schema_version)},
          {"watch", watch},
          {"watch-diff", watch}};
}

std::vector<MadeFile> files_made_of_fields() {
  return {
      schema<RunResult>("result", "result.json: what `tunecheck run` found"),
      schema<AuditResult>("audit", "audit.json: what `tunecheck audit` found"),
      schema<gate::GateResult>("gate", "gate.json: what `tunecheck gate` found"),
      schema<WatchResult>("watch", "watch.json: what `tunecheck watch` found"),
      schema<WatchDiff>("watch-diff", "what `tunecheck watch --diff OLD NEW --format json` writes"),
      schema<Matrix>("matrix",
                     "what `tunecheck matrix --format json` writes: results of several tuners"),
      schema<history::ListDocument>("history-list",
                                    "what `tunecheck history list --format json` writes"),
      schema<history::RunDocument>("history-run",
                                   "what `tunecheck history show RUN --format json` writes"),
      schema<history::ComparisonDocument>(
          "history-comparison",
          "what `tunecheck history show RUN --against RUN --format json` writes"),
      schema<history::ChangesDocument>("history-changes",
                                       "what `tunecheck history changes --format json` writes"),
      schema<SeedsResult>("seeds", "seeds.json: what `tunecheck run --seeds` found"),
      schema<listed::Scenarios>("scenarios-list", "what `tunecheck scenarios list --json` writes"),
      schema<listed::Checks>("checks-list", "what `tunecheck checks list --json` writes"),
      schema<listed::Kernels>("kernels-list", "what `tunecheck kernels list --json` writes"),
      schema<listed::Adapters>("adapters-list", "what `tunecheck adapters list --json` writes"),
      schema<listed::Mutants>("mutants-list", "what `tunecheck mutants list --json` writes"),
      schema<listed::Version>("version", "what `tunecheck --version --json` writes"),
      {std::filesystem::path("reports") / "html" / "src" / "stored.ts",
       typescript_of({&fields_of(Of<RunResult>{}).description(),
                      &fields_of(Of<AuditResult>{}).description(),
                      &fields_of(Of<gate::GateResult>{}).description(),
                      &fields_of(Of<WatchResult>{}).description(),
                      &fields_of(Of<history::StoredRun>{}).description(),
                      &fields_of(Of<history::Change>{}).description()})}};
}

}  // namespace tunecheck
