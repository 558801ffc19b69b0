#pragma once
// Entries as text: JSON with a digest of itself, so that a torn or altered one is never believed.
// docs/cache-format.md has the format.
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "tuner/store.hpp"

namespace tunecheck {

inline constexpr int entry_format = 1;

[[nodiscard]] std::string to_json_text(const Entry& entry);

/// The error says what is wrong with the text: not JSON, a digest that does not match, another
/// format version, a missing part.
[[nodiscard]] Result<Entry> parse_entry(std::string_view text);

}  // namespace tunecheck
