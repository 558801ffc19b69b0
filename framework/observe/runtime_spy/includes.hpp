#pragma once
// Everything that a source includes, by its text alone: a runtime compiler does not say what it
// read.
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tunecheck::spy {

/// Where a compiler looks for what a source includes.
struct IncludePlaces {
  std::vector<std::filesystem::path> folders;   ///< of the command line, in order
  std::filesystem::path source_folder;          ///< of the source itself; empty: the working folder
  std::map<std::string, std::string> provided;  ///< headers that the caller gives, by their names
};

/// A text that differs where anything differs that the source could include, whatever conditions
/// the #include stands under: the content of each file by that name in each folder, or that there
/// is none. Folders count by their position. Nothing where the text does not tell: an #include of a
/// macro, or a source that asks for more than files.
[[nodiscard]] std::optional<std::string> included_content(std::string_view source,
                                                          const IncludePlaces& places);

}  // namespace tunecheck::spy
