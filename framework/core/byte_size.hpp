#pragma once
// Sizes as people write them: 65536, 64K, 64M, 1G.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tunecheck {

/// Bytes. A whole number, alone or followed by K, M or G (powers of 1024); nothing for any other
/// text, and for what is more than 2^63.
[[nodiscard]] std::optional<std::uint64_t> parse_byte_size(std::string_view text);

/// For a person: "512 B", "63.4 KiB", "1.0 GiB".
[[nodiscard]] std::string byte_size_text(std::uint64_t bytes);

}  // namespace tunecheck
