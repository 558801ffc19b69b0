#pragma once
// Text that others wrote, made safe for GitHub's Markdown: it means nothing there but itself, and
// calls nobody.
#include <string>
#include <string_view>

namespace tunecheck {

/// One line of prose: every character that Markdown or HTML could take for something else is a
/// character reference; behind '@' and '#' stands U+200B, so that nobody is mentioned and no issue
/// is linked. Cut after `most` code points.
[[nodiscard]] std::string markdown_text(std::string_view text, std::size_t most = 1000);

/// The same as code, where '@' and '#' mean nothing: can be copied as it is.
[[nodiscard]] std::string markdown_code(std::string_view text, std::size_t most = 1000);

}  // namespace tunecheck
