#pragma once
// The run before one in the same folder: its page says what is new since then.
#include <filesystem>
#include <vector>

#include "result/verdict.hpp"

namespace tunecheck::cli {

/// Keeps a whole run's result.json in the folder as previous.json, because the next run replaces
/// it. One that was interrupted is not kept, and the one before it stays. What cannot be kept is
/// left: a page without it is as true.
void keep_run_before(const std::filesystem::path& out);

/// The run that was kept in `out`, where it was of the same adapter and backend as `run` and was
/// asked every scenario that fails in `run`; otherwise none, because what was not asked is not new.
[[nodiscard]] std::vector<RunResult> run_before(const std::filesystem::path& out,
                                                const RunResult& run);

}  // namespace tunecheck::cli
