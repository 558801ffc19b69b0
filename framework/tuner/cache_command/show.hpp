#pragma once
// A cache folder as text for a person, or as JSON for a program.
#include <string>

#include "tuner/cache_command/contents.hpp"

namespace tunecheck::cache {

/// A line an entry under a head, and their sum.
[[nodiscard]] std::string list_text(const Contents& contents, std::int64_t now_ns);
/// An array with an object for each entry.
[[nodiscard]] std::string list_json(const Contents& contents);

/// Everything that is known of one entry: key, winner, trials with their times or reasons.
[[nodiscard]] std::string show_text(const StoredEntry& entry, std::int64_t now_ns);

/// The axes in which two entries differ, with both values.
[[nodiscard]] std::string explain_text(const StoredEntry& one, const StoredEntry& other);

/// The other entry of the same kernel that differs in the fewest axes; null if there is none.
[[nodiscard]] const StoredEntry* nearest_to(const StoredEntry& entry, const Contents& contents);

}  // namespace tunecheck::cache
