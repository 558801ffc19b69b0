#pragma once
// What `tunecheck kernels tune --emit FILE` writes: the winner of a tuning as an entry of an
// offline table.
#include <filesystem>

#include "proof/tune_kernel.hpp"
#include "result/kernel_tuning.hpp"

namespace tunecheck::cli {

/// Adds the winner to the table, with the time that was measured here, and makes the file where it
/// is missing. An error where there is no winner to be told: the tuning failed, or its result was
/// wrong.
[[nodiscard]] Result<void> emit_winner(const KernelDefinition& kernel, const TuneOptions& options,
                                       const KernelTuning& tuned,
                                       const std::filesystem::path& file);

}  // namespace tunecheck::cli
