#pragma once
// Text that others wrote (tuners, compilers, adapters, files) made safe to be shown: it may hold
// control characters, broken UTF-8 and any number of lines.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tunecheck {

/// One line of printable UTF-8: line ends and tabs become blanks, other control characters and
/// those that reverse the direction of writing become \x1b or \u202e, broken UTF-8 becomes U+FFFD.
[[nodiscard]] std::string printable_line(std::string_view text);

/// What an XML 1.0 document may contain: every other character becomes U+FFFD. Line ends and tabs
/// stay; nothing is escaped.
[[nodiscard]] std::string xml_text(std::string_view text);

/// The byte at which `text` ceases to be UTF-8; nothing where all of it is.
[[nodiscard]] std::optional<std::size_t> broken_utf8(std::string_view text);

/// Code points of valid UTF-8; the columns of a terminal, near enough.
[[nodiscard]] std::size_t width_of(std::string_view text);

/// The first `width` code points, the last of them "..." where something was cut off.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t width);

/// Lines of at most `width` (at least 1) code points, broken at blanks where there are any. Never
/// empty.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}  // namespace tunecheck
