#pragma once
// The folder of --out belongs to one command at a time: two runs in it would replace each other's
// workspaces, and blame the tuner for what they find.
#include <filesystem>

#include "core/files.hpp"
#include "core/result.hpp"

namespace tunecheck::cli {

enum class OutUse {
  alone,
  /// Further commands may have it that share it as well, and that know of each other.
  shared,
};
/// Makes the folder where it is missing, and locks it for as long as what is returned lives, or the
/// process. An error where another command has it. Nothing is left in the folder. A file system
/// that knows no locks locks nothing.
[[nodiscard]] Result<FileDescriptor> lock_out(const std::filesystem::path& out,
                                              OutUse use = OutUse::alone);

}  // namespace tunecheck::cli
