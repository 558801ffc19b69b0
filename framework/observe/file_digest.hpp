#pragma once
// SHA-256 of files, for programs that live a few milliseconds.
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace tunecheck {

/// artifact_digest of the file's content, read piece by piece; "" where it is no regular file or
/// cannot be read. A symbolic link is followed. If a file has holes of 64 MiB or more, the digest
/// is that of its size and of its data with their places: never an artifact's digest, and quick if
/// there are few data. If the file system does not tell where the holes of a file of more than
/// 1 GiB are, it is that of its size and times.
///
/// Nor does a file that takes more than `most_bytes` on the disk keep anybody waiting: its digest
/// is that of its size, its times and its two ends.
[[nodiscard]] std::string file_digest(const std::filesystem::path& path,
                                      std::uint64_t most_bytes = std::uint64_t{4} << 30);

/// The same of bytes in memory.
[[nodiscard]] std::string bytes_digest(std::span<const std::byte> bytes);

}  // namespace tunecheck
