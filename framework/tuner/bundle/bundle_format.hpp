#pragma once
// Entries with their binaries as one text, for another machine or another folder.
// docs/cache-format.md has the format. `tunecheck cache export` and the bundles of programs are of
// it.
//
//   {"tunecheck_bundle": 1}
//   {"entry": "<the text of the entry's file>", "artifact": "<base64>", "sha256": "<of both>"}
//   ...
//   {"entries": N, "sha256": "<of all lines before>", "hmac": "<with the key, where there is one>"}
//
// The last line covers all others, so that a text that was cut anywhere is none.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/store/store.hpp"

namespace tunecheck {

inline constexpr int bundle_format = 1;

struct PackedEntry {
  Entry entry;
  Artifact artifact;
};

/// Signed with `key`, unless that is "". No version reads a `format` other than its own.
[[nodiscard]] std::string to_bundle_text(std::span<const PackedEntry> entries, std::string_view key,
                                         int format = bundle_format);

/// All of it, or an error with `file` and the line. With a key, a text that was signed with another
/// one or not at all is an error, before anything but its first and its last line is looked at.
[[nodiscard]] Result<std::vector<PackedEntry>> parse_bundle(const std::string& text,
                                                            const std::string& file,
                                                            std::string_view key);

}  // namespace tunecheck
