#pragma once
// Arguments that several subcommands share, and quoting them for a shell.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/App.hpp>

#include "core/device_kinds.hpp"
#include "core/result.hpp"
#include "reports/terminal/terminal.hpp"

namespace tunecheck::cli {

/// Accepts whole decimal numbers from `least` to `most` and says what it expected of others.
[[nodiscard]] CLI::Validator whole_number(std::int64_t least, std::int64_t most);

/// Accepts a percentage from `least` to `most`, "2", "2%" or "2 %", and makes a share of it: 0.02.
[[nodiscard]] CLI::Validator percentage(double least, double most);

/// Accepts one of two words.
[[nodiscard]] CLI::Validator one_of(const std::string& first, const std::string& second);

/// Accepts one of these words and says of others which is nearest: "unknown format ...". `what` is
/// the noun.
[[nodiscard]] CLI::Validator known_word(std::string what, std::vector<std::string> words);

/// Refuses "", and says what it expected: "a folder".
[[nodiscard]] CLI::Validator not_empty(const std::string& expected);

/// --jobs; 0 if it is not given, which means one per core.
void add_jobs(CLI::App& command, int& jobs);
/// --seed, 1 where it is not given.
void add_seed(CLI::App& command, std::uint64_t& seed);
/// --out, "out" where it is not given.
void add_out(CLI::App& command, std::string& out);
/// --backend: a kind of device that users may choose. Whether a tuner has it is another question.
void add_backend(CLI::App& command, DeviceKind& backend, const std::string& description);
/// The same for several, separated by commas.
void add_backends(CLI::App& command, std::vector<DeviceKind>& backends,
                  const std::string& description);
/// --keep.
void add_keep(CLI::App& command, bool& keep);

/// --quiet.
CLI::Option* add_quiet(CLI::App& command, Detail& detail);
/// --quiet and --verbose, of which one may be given.
void add_detail(CLI::App& command, Detail& detail);

/// A path that holds in the same folder of another machine too: relative to the working folder
/// where it is below it, else absolute.
[[nodiscard]] std::string portable_path(const std::string& path);

/// An option that takes one value each time it is given, and may be given several times.
CLI::Option* add_repeatable(CLI::App& command, const std::string& name,
                            std::vector<std::string>& values, const std::string& description,
                            const std::string& value_name);
/// " --kernels DIR --scenarios PATH" for a command that is run anywhere.
[[nodiscard]] std::string places_of(const std::vector<std::string>& kernels,
                                    const std::vector<std::string>& scenarios);

/// --kernels.
void add_kernel_folders(CLI::App& command, std::vector<std::string>& folders);

/// The options that a command line names, such as "--kernel".
[[nodiscard]] std::vector<std::string> given_options(const CLI::App& command);
/// An error for the first that is given and has no effect: `why` ends "expected ...". What has no
/// effect is a mistake of the user's, who believes that it has one.
[[nodiscard]] Result<void> check_effect(const std::vector<std::string>& given,
                                        const std::vector<std::string_view>& without_effect,
                                        std::string_view why);

[[nodiscard]] std::vector<std::filesystem::path> to_paths(const std::vector<std::string>& texts);

}  // namespace tunecheck::cli
