#pragma once
// How scenario files say what happens to the cache folder between processes.
#include <set>
#include <string>

#include "core/info.hpp"
#include "judge/scenario/scenario.hpp"

namespace tunecheck {

/// A word such as "read_only", { WORD GLOB } or { room KIB }. `processes` are the names of the
/// processes before it, which `of` may name. A mistake goes to `errors`.
[[nodiscard]] CacheStep read_cache_step(const InfoNode& node,
                                        const std::set<std::string>& processes, InfoErrors& errors);

}  // namespace tunecheck
