#pragma once
// Names that may stand in PATH and LD_PRELOAD, which are split at colons, and LD_PRELOAD at blanks
// too, and in which nothing can be quoted.
#include <filesystem>
#include <memory>

#include "core/files.hpp"
#include "core/result.hpp"

namespace tunecheck {

/// A file or folder under a name without blanks and colons: its own, or else that of a symbolic
/// link in a temporary folder, which goes with the last copy of this object. Threads may share
/// copies.
class ListedPath {
 public:
  ListedPath() = default;
  /// Takes an absolute path, which need not be there yet. Fails if the temporary folder's own name
  /// (TMPDIR) has a blank or a colon.
  [[nodiscard]] static Result<ListedPath> create(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  [[nodiscard]] std::string string() const { return m_path.string(); }

 private:
  std::filesystem::path m_path;
  std::shared_ptr<const TemporaryFolder> m_links;
};

}  // namespace tunecheck
