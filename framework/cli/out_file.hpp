#pragma once
// The file that a command writes, looked at before anything is done for it.
#include <filesystem>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace tunecheck::cli {

/// An error where `out`, as --out gives it, would replace one of the files that the command reads
/// (also by another path), or is a pipe that nobody reads. `what` it is that is written: "report".
[[nodiscard]] Result<void> check_out_file(const std::string& out,
                                          const std::vector<std::string>& sources,
                                          const std::string& what);

/// An error where nothing can be written at `out`: a folder has its name, or the folder it is to be
/// in is not there, or closed to this user. `made` are folders that will be there by then.
[[nodiscard]] Result<void> check_can_write(const std::string& out,
                                           const std::vector<std::filesystem::path>& made);

}  // namespace tunecheck::cli
