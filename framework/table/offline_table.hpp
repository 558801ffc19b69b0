#pragma once
// An offline table: configs that were found before, by device, dtypes and sizes of a kernel. It is
// a text that people review and keep next to their program; docs/tables.md has the format.
//
//   {"schema": "1.0.0", "kind": "tunecheck table", "entries": [
//     {"kernel": "axpy_inplace", "device": {"arch": "x86-64-v3", "kind": ""}, "dtypes": {"x":
//     "f32"},
//      "sizes": {"n": 4096}, "config": {"block": 512, "unroll": 4}, "median_ns": 610.0,
//      "code": "<SHA-256>", "space": "<XXH3-128>"}]}
//
// A table has no digest, unlike an entry of the cache: people edit it. Nothing in it can do harm,
// as it holds no binary, and a config that is not in the kernel's space is not used.
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config.hpp"
#include "core/dtype.hpp"
#include "core/kernel.hpp"
#include "core/result.hpp"

namespace tunecheck::table {

inline constexpr std::string_view table_schema_version = "1.0.0";

/// What an entry holds for. Both texts are those of a backend.
struct Device {
  std::string arch;  ///< as the kernel is compiled for: x86-64-v3, sm_90
  std::string kind;  ///< "NVIDIA H200, 132 multiprocessors, warps of 32"; "" on a CPU

  auto operator<=>(const Device&) const = default;
};
/// "sm_90 on NVIDIA H200, ..."
[[nodiscard]] std::string text_of(const Device& device);

struct Entry {
  std::string kernel;
  Device device;
  std::map<std::string, DType> dtypes;  ///< by the tensor's name
  Sizes sizes;
  Config config;
  std::optional<double> median_ns;  ///< of one launch, when it won; none where nobody says
  std::string code;                 ///< code_digest() of the kernel then; "" where nobody says
  std::string space;                ///< space_digest() of its configs then; likewise
  int line = 0;                     ///< in the file that it was read from; 0 for a new one
  std::string further;              ///< its other members as JSON, which are kept; "" for none
};

/// Two entries for the same: only one of them can be in a table.
[[nodiscard]] bool same_question(const Entry& a, const Entry& b);

struct OfflineTable {
  std::vector<Entry> entries;
  std::string schema =
      std::string(table_schema_version);  ///< of the file, which may be a newer one
  std::string further = {};               ///< as of an entry
};

/// The error has the file's name, the line where it is known, and the key.
[[nodiscard]] Result<OfflineTable> parse_table(std::string_view text, const std::string& file);
[[nodiscard]] Result<OfflineTable> read_table(const std::filesystem::path& file);

/// Sorted by kernel, device, dtypes and sizes, so that a change shows as one in a diff.
[[nodiscard]] std::string to_json_text(OfflineTable table);

/// Adds the entries to the file, in place of those for the same, and makes it where it is missing.
/// Processes that do so at the same moment wait for each other. A file that is no table is an error
/// and stays as it is. Members that this version does not know stay, and so does the file's mode;
/// those of an entry that is replaced go with it.
[[nodiscard]] Result<void> merge_into_table(const std::filesystem::path& file,
                                            const std::vector<Entry>& entries);

/// The error that merge_into_table() would have, as far as that can be known before.
[[nodiscard]] Result<void> check_can_merge(const std::filesystem::path& file);

}  // namespace tunecheck::table
