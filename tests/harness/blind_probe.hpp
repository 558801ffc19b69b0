#pragma once
// A tuner that works, under a GPU probe that sees nothing of it and says so.
#include <filesystem>
#include <string>

#include "harness/process/adapter_info.hpp"

namespace tunecheck::test {

/// What the probe reports.
inline constexpr const char* blind_reason = "there is no CUPTI";
/// How everyone who watches a tuner refuses that.
inline constexpr const char* blind_refusal = "the probe sees no launch: there is no CUPTI";

/// A line of a shell script that tells of that as a probe does.
[[nodiscard]] std::string blind_command(const std::filesystem::path& folder);

/// The reference tuner, started by a script in `folder`. On the CPU, so that it works everywhere:
/// the probe of the CPU is left out, and the line of one on a GPU stands in the evidence.
[[nodiscard]] AdapterInfo adapter_with_blind_probe(const std::filesystem::path& folder);

}  // namespace tunecheck::test
