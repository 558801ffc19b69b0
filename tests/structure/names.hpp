#pragma once
// Which names a file uses and declares, and whether it includes what declares them. The compiler
// says so as well and knows better, but where sources are compiled in batches it sees what the ones
// before have included.
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "source_tree.hpp"

namespace tunecheck::test {

struct Names {
  std::set<std::string> library;   ///< used ones with their namespace: "std::vector", "fmt::format"
  std::set<std::string> types;     ///< capital letters at their beginning, nothing in front of them
  std::set<std::string> declared;  ///< what follows "class", "struct", "enum", "using", "typename"
};

/// Of C++, without what stands in comments and literals.
[[nodiscard]] Names names_of(const std::string& text);

struct NamedFile {
  SourceFile file;
  Names names;
};

/// All sources below the folders, relative to `root`.
[[nodiscard]] std::vector<NamedFile> read_names(const std::filesystem::path& root,
                                                const std::vector<std::string>& folders);

/// "path: std::vector without <vector>" for each name of a library of which neither the file nor a
/// header of ours that it includes includes the header; "path: Layout without core/layout.hpp" for
/// each type that one header of ours declares and none does which the file includes.
[[nodiscard]] std::vector<std::string> names_without_headers(const std::vector<NamedFile>& files,
                                                             const std::filesystem::path& root);

}  // namespace tunecheck::test
