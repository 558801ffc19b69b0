#pragma once
// Parts of a run that was divided among machines (`tunecheck run --shard`), put together again.
#include <vector>

#include "core/result.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// The whole run. Its time is that of the part that took longest, as they run side by side. An
/// error, which is untrusted and names the file, where the parts do not make one whole: one is
/// missing or there twice, they were made by another version of tunecheck, with another seed, of
/// another tuner, or from another selection of scenarios.
[[nodiscard]] Result<RunResult> join_shards(std::vector<RunResult> shards);

}  // namespace tunecheck
