#pragma once
// Tables of other tuners, as they are: what each row is for, and what it says to do.
//
// AITER keeps a CSV for each operation (aiter/configs/*_tuned_*.csv): a row has the device (gfx,
// cu_num), the columns of the problem (M, N, K, dtypes, ...), the choice (libtype, kernelId,
// splitK, kernelName) and what was measured (us, errRatio). FlyDSL keeps a file of JSON for each
// call (artifact_name=, FLYDSL_AUTOTUNE_CONFIG_DIR): {"version", "identity": {"name", "key",
// "device"}, "config"}.
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/kernel.hpp"
#include "table/offline_table.hpp"

namespace tunecheck::table {

struct ForeignRow {
  std::string file;
  int line = 0;
  std::string name;  ///< of the operation; "" where the file does not say
  std::string arch;  ///< "" where it does not say
  std::string device_name;
  std::int64_t multiprocessors = 0;
  std::map<std::string, std::string> problem;  ///< columns that choose the row
  /// The shapes of tensors, by the name of the argument; only FlyDSL has them.
  std::map<std::string, std::vector<std::int64_t>> shapes;
  std::map<std::string, std::string> choice;
  std::optional<double> median_us;
};

/// The error has file, line and column.
[[nodiscard]] Result<std::vector<ForeignRow>> parse_aiter_table(std::string_view text,
                                                                const std::string& file);
[[nodiscard]] Result<std::vector<ForeignRow>> parse_flydsl_table(std::string_view text,
                                                                 const std::string& file);

/// By the name of the file: .csv is AITER's, .json FlyDSL's; a folder holds files of FlyDSL's.
[[nodiscard]] Result<std::vector<ForeignRow>> read_foreign_table(const std::filesystem::path& path);

/// A row as an entry for a kernel of ours. `dtypes` are those of the kernel's tensors. Sizes are
/// columns of these names, in any case, or follow from shapes; parameters of the config likewise.
/// An error names the first one that the row does not have.
[[nodiscard]] Result<Entry> entry_from(const ForeignRow& row, const KernelDefinition& kernel,
                                       const std::vector<DType>& dtypes);

}  // namespace tunecheck::table
