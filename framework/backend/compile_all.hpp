#pragma once
// Compiling many configs at once.
#include <span>
#include <vector>

#include "backend/backend.hpp"

namespace tunecheck {

/// Compiles every request with at most `jobs` compilers at once (0: one for each core), and returns
/// what compile() said of each, in the order of `requests`. One failure does not stop the others.
[[nodiscard]] std::vector<Result<Artifact>> compile_all(const Backend& backend,
                                                        std::span<const CompileRequest> requests,
                                                        int jobs);

}  // namespace tunecheck
