#pragma once
// The files that a scenario's processes hand to each other: each kind has a folder of its own,
// which no `cache` step touches.
#include <cstddef>
#include <filesystem>

#include "core/command.hpp"
#include "harness/process/adapter_info.hpp"
#include "harness/process/exchange_words.hpp"

namespace tunecheck {

/// May be used by several threads at once: processes of a group only read it.
class ExchangeSite {
 public:
  /// `folder` exists; what processes exchange goes into it, and the files with their keys.
  explicit ExchangeSite(std::filesystem::path folder) : m_folder(std::move(folder)) {}

  /// The variables that tell the adapter's tuner of the table, as its adapter.info names them.
  [[nodiscard]] Result<Environment> variables_of(const AdapterInfo& adapter, TableUse use) const;
  [[nodiscard]] Result<Environment> variables_of(const AdapterInfo& adapter,
                                                 const BundleChoice& choice) const;

  /// A file that nobody has exported is not there.
  [[nodiscard]] Result<ArchiveFiles> files_of(const AdapterInfo& adapter,
                                              const ArchiveChoice& choice) const;

  /// How many regular files processes have left there.
  [[nodiscard]] std::size_t count(ExchangeKind kind) const;

  /// An error where there is no file.
  [[nodiscard]] Result<void> damage(ExchangeKind kind, ExchangeDamage damage, int percent) const;

 private:
  [[nodiscard]] std::filesystem::path place_of(ExchangeKind kind) const;

  std::filesystem::path m_folder;
};

}  // namespace tunecheck
