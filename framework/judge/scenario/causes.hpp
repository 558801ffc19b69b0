#pragma once
// The causes of an adapter's known failures, read from its causes.info.
#include <filesystem>
#include <set>
#include <string>

#include "core/result.hpp"
#include "result/cause.hpp"

namespace tunecheck {

/// All of `file`. `scenarios` are the names that there are: a pattern that matches none of them is
/// a mistake. The error has file, line and key.
[[nodiscard]] Result<TunerCauses> read_causes(const std::filesystem::path& file,
                                              const std::set<std::string>& scenarios);

}  // namespace tunecheck
