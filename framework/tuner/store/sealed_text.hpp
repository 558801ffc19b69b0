#pragma once
// Texts behind a digest of themselves, which is compared before any of the text is looked at: what
// parses a torn or altered one has no say in what happens.
#include <optional>
#include <string>
#include <string_view>

namespace tunecheck {

/// 32 hex digits (XXH3-128 of the text), a blank and the text.
[[nodiscard]] std::string sealed(std::string_view text);
/// The text of what sealed() made, and points into it; nothing where a byte is another.
[[nodiscard]] std::optional<std::string_view> unsealed(std::string_view sealed);

}  // namespace tunecheck
