#pragma once
// Requests to write all entries of a cache folder to a file, and to read such a file: `export` and
// `import` of the adapter protocol.
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/result.hpp"

namespace tunecheck::protocol {

enum class ArchiveAction { export_entries, import_entries };
[[nodiscard]] std::string_view name_of(ArchiveAction action);

struct ArchiveRequest {
  ArchiveAction action = ArchiveAction::export_entries;
  std::filesystem::path file;
  std::filesystem::path key_file;  ///< with the secret that signs it; empty for none
};

/// The tuner's word.
struct ArchiveAnswer {
  bool done = false;
  std::string message;       ///< why it is not done, and what its caller would read
  std::int64_t entries = 0;  ///< that were written, or taken
};

/// As a line of JSON.
[[nodiscard]] std::string to_line(const ArchiveRequest& request);
[[nodiscard]] std::string to_line(const ArchiveAnswer& answer);
/// The error says what was expected.
[[nodiscard]] Result<ArchiveRequest> parse_archive_request(const std::string& line);
[[nodiscard]] Result<ArchiveAnswer> parse_archive_answer(const std::string& line);

}  // namespace tunecheck::protocol
