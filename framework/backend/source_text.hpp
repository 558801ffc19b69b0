#pragma once
// Reading C++ and CUDA sources just far enough for cache keys: comments and #include lines.
#include <string>
#include <string_view>
#include <vector>

namespace tunecheck {

/// `text` with every comment replaced by one blank (line breaks inside comments are dropped with
/// them). String literals, raw ones too, and character literals are left as they are.
[[nodiscard]] std::string without_comments(std::string_view text);

/// One #include line.
struct Include {
  std::string name;
  bool quoted = false;  ///< "name"; else <name>
  bool operator==(const Include&) const = default;
};

/// The includes of a source in their order. Those in comments do not count; those that conditional
/// compilation would skip do. A name that is itself a macro is not seen.
[[nodiscard]] std::vector<Include> includes_of(std::string_view text);

}  // namespace tunecheck
