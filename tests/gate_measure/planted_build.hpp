#pragma once
// Installations of tunecheck in miniature: its real programs and kernels, with a bug planted.
#include <filesystem>
#include <string>

#include "core/files.hpp"

namespace tunecheck::test {

/// Makes `folder` a build whose adapter "reference" is the reference tuner, with the bug `mutant`
/// where it is not "". All but the adapter.info are links.
void make_build(const std::filesystem::path& folder, const std::string& mutant);
/// The same with a program of its own in the place of the adapter.
void make_build_with(const std::filesystem::path& folder, const std::string& program,
                     const std::string& arguments);

/// The text of the adapter.info of such a build.
[[nodiscard]] std::string adapter_info(const std::string& program, const std::string& arguments);

/// The reference tuner, but processes start late by `late_s` seconds that find the cache of a
/// tuning for which `condition` of the shell's test holds; `$tunings` is how many there were, this
/// one included, of all builds that share the program. The path of the program, in `folder`.
std::string slow_after_tuning(const std::filesystem::path& folder, const std::string& condition,
                              const std::string& late_s = "0.04");

/// The reference tuner, but with the bug `mutant` in tunings for which `condition` of the shell's
/// test holds; `$tunings` as for slow_after_tuning(). The path of the program, in `folder`.
std::string unlucky_tuner(const std::filesystem::path& folder, const std::string& condition,
                          const std::string& mutant);

/// A tuner that chooses the default config in tunings for which `condition` of the shell's test
/// holds, and always the same other one in the rest; `$tunings` as for slow_after_tuning(). Each
/// process that finds a cache adds a line to the file "warm_starts" in `folder`, which says of
/// which of the two its cache is. The path of the program, in `folder`.
std::string tuner_of_two_minds(const std::filesystem::path& folder, const std::string& condition);

/// The reference tuner, but processes that find a cache end with status 7. The path of the program,
/// in `folder`.
std::string without_warm_starts(const std::filesystem::path& folder);

/// The reference tuner under a GPU probe that sees nothing and says so, in processes that find a
/// cache for which `condition` of the shell's test holds; `$cached` is how many files it has. The
/// path of the program, in `folder`.
std::string under_blind_probe(const std::filesystem::path& folder, const std::string& condition);

}  // namespace tunecheck::test
