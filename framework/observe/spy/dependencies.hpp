#pragma once
// What a compile has read, and what it would have read had it been there.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "observe/spy/movable_paths.hpp"

namespace tunecheck::spy {

/// A file that was read: by its content where it is movable, else by size and time.
struct Dependency {
  Place place;
  std::string digest;  ///< of the content; "" where size and modified_ns stand for it
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;
};

struct Dependencies {
  std::vector<Dependency> present;
  /// Files that would have been found before one of those above: a new header that shadows another
  /// changes what is compiled.
  std::vector<Place> absent;
};

/// The prerequisites of the one rule that -MD wrote.
[[nodiscard]] std::vector<std::string> parse_make_rule(std::string_view rule);

/// Describes `files` (as the compiler spelled them), found through `search_folders`. Nothing where
/// the output depends on more than their content (the time, __has_include, ...), or a file has
/// changed since `started_ns` (CLOCK_REALTIME).
[[nodiscard]] std::optional<Dependencies> describe(
    const std::vector<std::string>& files, const std::vector<std::filesystem::path>& search_folders,
    const MovablePaths& paths, std::int64_t started_ns);

/// True where a compile would read the same again.
[[nodiscard]] bool still_hold(const Dependencies& dependencies, const MovablePaths& paths);

/// True where `source` asks for more than the content of files: time, own path, other files.
[[nodiscard]] bool asks_for_more(std::string_view source);

}  // namespace tunecheck::spy
