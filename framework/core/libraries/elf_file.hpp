#pragma once
// What an ELF file says about itself, read without mapping or loading it.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace tunecheck {

/// A shared library's own statements. Only headers and small tables are read, whatever the file's
/// size.
struct ElfFile {
  std::string build_id;               ///< GNU build ID in hexadecimal digits; "" without one
  std::uint64_t build_id_offset = 0;  ///< of its bytes in the file
  std::string soname;                 ///< "libnvrtc.so.13"; "" without one
  std::vector<std::string> needed;    ///< sonames of what it is linked with
  std::vector<std::string> symbols;   ///< names of the dynamic symbols that it defines

  /// An error for what is no complete shared library of this program's class and byte order.
  [[nodiscard]] static Result<ElfFile> read(const std::filesystem::path& path);
};

/// True for a shared library whose file ends before its segments do, as a download that broke off.
/// The loader maps what is not there, and ends the process with SIGBUS; so a file is asked before.
[[nodiscard]] bool is_cut_off(const std::filesystem::path& path);

/// The GNU build ID among the notes of a segment in hexadecimal digits, and where its bytes begin;
/// "" without one.
struct BuildIdNote {
  std::string id;
  std::size_t offset = 0;
};
[[nodiscard]] BuildIdNote build_id_in(std::string_view notes);

}  // namespace tunecheck
