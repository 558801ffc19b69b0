#pragma once
// Parts of a run or an audit that was divided among machines (`--shard`), put together again.
#include <vector>

#include "core/result.hpp"
#include "reports/stored/report_sources.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// The whole run, or, of a matrix, the whole run of each tuner, in the order in which the matrix
/// names them. Its time is that of the part that took longest, as they run side by side. An error,
/// which is untrusted and names the file, where the parts do not make one whole: one is missing or
/// there twice, a tuner is missing, they were made by another version or commit of tunecheck, with
/// another seed, of another tuner or another commit of it, or from another selection of scenarios.
[[nodiscard]] Result<std::vector<RunResult>> join_shards(std::vector<RunResult> shards);

/// The whole audit, by the same rules.
[[nodiscard]] Result<AuditResult> join_audits(std::vector<ReportSource<AuditResult>> shards);

}  // namespace tunecheck
