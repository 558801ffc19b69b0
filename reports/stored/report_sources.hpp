#pragma once
// What reports are made of: files that programs of tunecheck wrote, in any order.
#include <filesystem>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "gate/rule/gate_result.hpp"
#include "reports/matrix/matrix.hpp"
#include "reports/stored/history_reader.hpp"
#include "result/verdict.hpp"
#include "result/watch_result.hpp"

namespace tunecheck {

/// What was read, and the file that it was read from.
template <class Content>
struct ReportSource {
  std::string file;
  Content content;
};
using GateSource = ReportSource<gate::GateResult>;
using WatchSource = ReportSource<WatchResult>;

struct ReportSources {
  std::vector<RunResult> runs;  ///< parts of one run are merged
  std::vector<GateSource> gates;
  std::vector<ReportSource<AuditResult>> audits;
  std::vector<ReportSource<HistoryChanges>> histories;
  std::vector<WatchSource> watches;
  std::vector<ReportSource<std::vector<MatrixTuner>>> matrices;
};

/// Files that `tunecheck run`, `tunecheck gate`, `tunecheck audit`, `tunecheck history changes
/// --format json` and `tunecheck matrix --format json` wrote. Files that a result names are as they
/// are seen from the working folder. The first that cannot be read is an error.
[[nodiscard]] Result<ReportSources> read_report_sources(
    const std::vector<std::filesystem::path>& files);

}  // namespace tunecheck
