#pragma once
// A run's own copies of the compiler spy, to which the links in PATH lead: what an adapter does to
// one harms no other run.
#include <filesystem>

#include "core/result.hpp"

namespace tunecheck {

/// Copies the spy into the folder, which is created; replaces a copy of an earlier run. The result
/// is the copy's path.
[[nodiscard]] Result<std::filesystem::path> copy_of_spy(const std::filesystem::path& spy,
                                                        const std::filesystem::path& folder);

/// Likewise into the folder "rebuilt" below it. The copy is the same program with other content,
/// for a tuner that digests the file it finds.
[[nodiscard]] Result<std::filesystem::path> rebuilt_copy_of_spy(
    const std::filesystem::path& spy, const std::filesystem::path& folder);

/// Likewise into the folder "other" below it. The copy of a library has another build ID, for a
/// tuner that reads that alone; it does the same, and is the same file where it has none.
[[nodiscard]] Result<std::filesystem::path> copy_of_spy_with_another_build_id(
    const std::filesystem::path& spy, const std::filesystem::path& folder);

/// Puts programs into the folder, which is created, that do what those of the real compiler do and
/// are other files.
[[nodiscard]] Result<void> make_rebuilt_programs(const std::filesystem::path& folder,
                                                 const std::filesystem::path& real_compiler);

}  // namespace tunecheck
