#pragma once
// An entry and its artifact as one value of a remote cache.
//
//   tunecheck-remote-1 {"artifact_bytes":N,"entry_bytes":N,"sha256":HEX,"hmac":HEX}
//   <the text of the entry's file><the artifact>
//
// `sha256` is that of all bytes behind the first line, and shows damage. `hmac` is there where the
// writer has a key: HMAC-SHA256 of the format, the name under which the value is stored, both
// lengths and all bytes behind the first line. A value that is moved to another name therefore does
// not fit. Without a key the value has no artifact. Discarded: two values, one for the entry and
// one for the artifact, as Bazel has them, because they can disagree, and a read would take two
// turns; Ed25519, because a machine that may only read is better served by a server that lets it
// only read.
#include <optional>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "tuner/store/store.hpp"

namespace tunecheck {

inline constexpr int remote_format = 1;

/// The name of a key's value, 64 hex digits: of the format, the salt and the key with all of its
/// axes. Nothing where this machine cannot tell an axis: it cannot know the name.
[[nodiscard]] std::optional<std::string> remote_name(const Key& key, std::string_view salt);

/// `key` is the secret; "" to leave out signature and artifact.
[[nodiscard]] std::string to_remote_value(const Entry& entry, const Artifact& artifact,
                                          std::string_view name, std::string_view key);

/// A value whose first line fits the rest of it; nothing else of it has been looked at.
struct RemoteRecord {
  std::string_view entry;     ///< points into the value, as does the next one
  std::string_view artifact;  ///< empty where it came without
  std::string hmac;           ///< "" where it is not signed
};
/// The error says what is wrong: another format, truncated, damaged.
[[nodiscard]] Result<RemoteRecord> split_remote_value(std::string_view value);

/// True where the record was signed with this key for this name. Takes equally long for every wrong
/// signature.
[[nodiscard]] bool is_signed_with(const RemoteRecord& record, std::string_view name,
                                  std::string_view key);

}  // namespace tunecheck
