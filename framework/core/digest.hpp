#pragma once
// Digests: XXH3 for keys and quick comparisons, SHA-256 for artifacts that are going to be
// executed.
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tunecheck {

/// 32 hex digits of XXH3-128; not for data that somebody might forge.
[[nodiscard]] std::string key_digest(std::string_view text);
/// 64 hex digits of SHA-256.
[[nodiscard]] std::string artifact_digest(std::span<const std::byte> bytes);

[[nodiscard]] inline std::string artifact_digest(std::string_view text) {
  return artifact_digest(std::as_bytes(std::span(text)));
}

/// 64 hex digits of HMAC-SHA-256: what only somebody who has the key can compute. "" where the key
/// cannot be used, which no signature fits.
[[nodiscard]] std::string signature_of(std::string_view text, std::string_view key);
/// True where `given` is signature_of() this. How long that takes says nothing of the signature.
[[nodiscard]] bool is_signature_of(std::string_view given, std::string_view text,
                                   std::string_view key);

}  // namespace tunecheck
