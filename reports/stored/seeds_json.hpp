#pragma once
// seeds.json: which seed failed. reports/schema/seeds.schema.json describes it.
#include <filesystem>

#include "core/result.hpp"
#include "result/seeds_result.hpp"

namespace tunecheck {

/// Replaces the file as a whole.
[[nodiscard]] Result<void> write_seeds(const SeedsResult& seeds, const std::filesystem::path& file);

}  // namespace tunecheck
