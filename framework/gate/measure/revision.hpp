#pragma once
// A revision of a repository as a build of its own.
#include <filesystem>
#include <functional>
#include <string>

#include "core/result.hpp"

namespace tunecheck::gate {

struct RevisionBuild {
  std::string commit;
  std::filesystem::path folder;  ///< the build folder; open_build() takes it
};

/// Builds a revision of the repository in which the working folder lies: its files are written
/// below `builds`, in a folder with the commit's name, and built there with the CMake preset
/// `release` and the target tunecheck-programs. What is there already is taken as it is. Neither
/// the working tree nor the repository is touched. `progress` is called with one line before a
/// build. The error names the log of what failed.
[[nodiscard]] Result<RevisionBuild> build_revision(
    const std::string& revision, const std::filesystem::path& builds, int jobs,
    const std::function<void(const std::string&)>& progress);

}  // namespace tunecheck::gate
