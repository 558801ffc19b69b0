#pragma once
// SHA-256 of files, for programs that live a few milliseconds.
#include <filesystem>
#include <span>
#include <string>

namespace tunecheck {

/// artifact_digest of the file's content, read piece by piece; "" where it is no regular file or
/// cannot be read. A symbolic link is followed. Of a file with holes of 64 MiB or more its size and
/// its data with their places: never an artifact's digest, and as quick as the data are few. Where
/// a file system does not say where the holes of more than 1 GiB are, of its size and times.
[[nodiscard]] std::string file_digest(const std::filesystem::path& path);

/// The same of bytes in memory.
[[nodiscard]] std::string bytes_digest(std::span<const std::byte> bytes);

}  // namespace tunecheck
