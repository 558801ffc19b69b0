#pragma once
// What of a library is run.
#include <filesystem>
#include <string>

namespace tunecheck::watch {

/// A digest of its sections without symbols, notes and debug information: the same of two libraries
/// whose sources differ in comments alone. "" where it is no ELF file, or a damaged one. Reads the
/// file each time.
[[nodiscard]] std::string code_digest(const std::filesystem::path& library);

}  // namespace tunecheck::watch
