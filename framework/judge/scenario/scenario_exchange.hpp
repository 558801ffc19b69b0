#pragma once
// The words of scenarios about files that processes hand to each other: the settings `table` and
// `bundle`, and the steps `table_files` and `bundle_files`.
#include "core/info.hpp"
#include "judge/scenario/scenario.hpp"

namespace tunecheck {

/// `export yes`, `import { key KEY }`.
[[nodiscard]] ArchiveStep read_archive_step(const InfoNode& node, InfoErrors& errors);

/// `write`, `read` or `none`.
[[nodiscard]] TableUse read_table_use(const InfoNode& node, InfoErrors& errors);
/// `yes`, `no`, or { key WORD }.
[[nodiscard]] std::optional<BundleChoice> read_bundle_choice(const InfoNode& node,
                                                             InfoErrors& errors);
/// A word such as "clear", or { WORD PERCENT } for a place in each file. `node` is an exchange
/// step.
[[nodiscard]] ExchangeStep read_exchange_step(const InfoNode& node, InfoErrors& errors);
[[nodiscard]] bool is_exchange_step(const InfoNode& node);

}  // namespace tunecheck
