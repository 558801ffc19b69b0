#pragma once
// Parts of sessions that were divided among machines (`tunecheck gate calibrate --real --shard`),
// put together again.
#include <filesystem>
#include <vector>

#include "core/result.hpp"
#include "gate/rule/real_session.hpp"

namespace tunecheck::gate {

/// The sessions of all files by number, of no part any more. An error, which is untrusted and names
/// the file, where they do not make one whole: a part or a session is missing or there twice, or
/// they are of another machine, build, question or seed. A last line that was cut is a session that
/// is missing.
[[nodiscard]] Result<std::vector<RealSession>> join_sessions(
    const std::vector<std::filesystem::path>& files);

}  // namespace tunecheck::gate
