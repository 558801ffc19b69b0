#pragma once
// Entries as text: JSON behind a digest of it, so that a torn or altered one is never believed, and
// not even parsed.
//
//   tunecheck-entry-2 HEX {"key": {AXIS: TEXT, ...}, "winner": CONFIG,
//     "artifact": {"bytes": N, "sha256": HEX}, "trials": [...], "created_ns": N,
//     "tuner_version": TEXT, "searched": {"configs": N, "time_ns": N, "with": TEXT}}
//
// One file per entry, indented for people. With six trials it has 2.3 KB; the artifact next to
// it has 15 KB. The digest (XXH3-128) is that of all bytes behind it and its blank. It shows
// damage, not an attack: an entry is trusted because of who could have written the file
// (safe_file.hpp), and the artifact by its SHA-256. The key is compared as a whole, although the
// file's name follows from it: a name is only a digest. docs/cache-format.md has an example.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "tuner/store/store.hpp"

namespace tunecheck {

inline constexpr int entry_format = cache_format;

/// A file with more is no entry; one with 10,000 trials has 3 MB.
inline constexpr std::uint64_t entry_size_limit = 64 << 20;

/// An entry that is still being written has a temporary name, which ends otherwise.
[[nodiscard]] bool is_entry_file(const std::filesystem::path& path);

[[nodiscard]] std::string to_json_text(const Entry& entry);

/// The error says what is wrong with the text: another format, a digest that does not match, a
/// missing part.
[[nodiscard]] Result<Entry> parse_entry(std::string_view text);

}  // namespace tunecheck
