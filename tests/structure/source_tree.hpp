#pragma once
// The sources of tunecheck as text: files, their lines, what they include.
#include <filesystem>
#include <string>
#include <vector>

namespace tunecheck::test {

struct Include {
  int line = 0;         ///< from 1
  std::string path;     ///< between the quotes or angle brackets
  bool quoted = false;  ///< "path", not <path>
};

struct SourceFile {
  std::string path;  ///< relative to the root, for example framework/core/files.hpp
  int lines = 0;
  bool guarded = false;  ///< it begins with #pragma once, or with #ifndef and #define of one name
  std::vector<Include> includes;
};

/// All .cpp, .hpp and .h files below the folders, which are relative to `root`; sorted by path.
[[nodiscard]] std::vector<SourceFile> read_sources(const std::filesystem::path& root,
                                                   const std::vector<std::string>& folders);

/// One file's text.
[[nodiscard]] SourceFile parse_source(const std::string& path, const std::string& text);

/// Where an include path leads, relative to the source root; "" if out of the project.
[[nodiscard]] std::string resolve(const Include& include, const std::filesystem::path& root);

/// The part that a path relative to the source root belongs to: "core", "adapter/protocol",
/// "adapter/reference", "reports"; "" for a file outside framework/ and reports/.
[[nodiscard]] std::string part_of(const std::string& path);

/// Each line of `file` that includes what its part may not use, as "path:line: explanation".
/// docs/architecture.md has the rule.
[[nodiscard]] std::vector<std::string> forbidden_includes(const SourceFile& file,
                                                          const std::filesystem::path& root);

/// The complaint that `file` does not begin with the header of its own name in its own folder,
/// which is what shows that this header compiles alone; none where there is no such header.
[[nodiscard]] std::vector<std::string> not_included_first(const SourceFile& file,
                                                          const std::filesystem::path& root);

}  // namespace tunecheck::test
