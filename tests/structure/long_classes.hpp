#pragma once
// Classes so long that nobody sees at once what they are for.
#include <string>
#include <vector>

namespace tunecheck::test {

/// A class or struct of more lines than this has a comment.
inline constexpr int most_lines_without_comment = 40;

/// Each definition of a class or struct in `text` that has more lines and no comment in the line
/// directly above, as "path:line: explanation".
[[nodiscard]] std::vector<std::string> uncommented_classes(const std::string& path,
                                                           const std::string& text);

}  // namespace tunecheck::test
