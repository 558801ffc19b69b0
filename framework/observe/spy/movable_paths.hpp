#pragma once
// Paths that name the same thing in two runs although they differ: copies of one source in two
// workspaces, temporary folders with random names.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tunecheck::spy {

/// A file by the folder of the command line that holds it and its path from there; with root -1 by
/// its absolute path.
struct Place {
  int root = -1;
  std::string name;
  auto operator<=>(const Place&) const = default;
};

/// The movable folders (below the workspace or a temporary folder) that one command line names,
/// numbered in the order in which they are first named.
class MovablePaths {
 public:
  explicit MovablePaths(const std::filesystem::path& workspace);

  /// What a key says of a folder, or of a file, of the command line: the number of its root where
  /// it is movable, its path otherwise; a relative path is told apart from an absolute one.
  [[nodiscard]] std::string name_folder(const std::string& path);
  [[nodiscard]] std::string name_file(const std::string& path);

  /// The absolute path of what the command line or the compiler spelled so.
  [[nodiscard]] std::filesystem::path absolute(const std::filesystem::path& path) const;
  [[nodiscard]] bool is_movable(const std::filesystem::path& absolute) const;
  /// The file as seen from each root above it; never empty.
  [[nodiscard]] std::vector<Place> places_of(const std::filesystem::path& absolute) const;
  [[nodiscard]] std::filesystem::path path_of(const Place& place) const;

  [[nodiscard]] const std::vector<std::filesystem::path>& roots() const { return m_roots; }
  [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }
  /// True where `bytes` contain a path that is not the same in each run.
  [[nodiscard]] bool occur_in(std::string_view bytes) const;
  /// The roots and the working folder: what an output is tied to that contains their names.
  [[nodiscard]] std::vector<std::string> all() const;

 private:
  [[nodiscard]] std::string name_root(const std::filesystem::path& folder, const std::string& rest,
                                      const std::string& spelled);

  std::filesystem::path m_folder;  // working folder
  std::filesystem::path m_workspace;
  std::vector<std::filesystem::path> m_movable;
  std::vector<std::filesystem::path> m_roots;
};

/// True where `path` is `folder` or lies below it; both absolute and normal.
[[nodiscard]] bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace tunecheck::spy
