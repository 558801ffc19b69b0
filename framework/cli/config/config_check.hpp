#pragma once
// What a tunecheck.info may say: its mistakes, whatever command is run, and the value that a line
// gives an option.
#include <filesystem>
#include <string>
#include <string_view>

#include <CLI/App.hpp>

#include "core/info.hpp"
#include "core/result.hpp"

namespace tunecheck::cli {

/// The section whose options are those of each command that has them.
inline constexpr std::string_view every_section = "every";

/// The first mistake of the whole file: names of commands and options, what stands twice or rules
/// each other out, and the form of each value. What a value names (a scenario, an adapter) is for
/// the command to say that uses it. An error has file, line and key.
[[nodiscard]] Result<void> check_config(const std::filesystem::path& file, const InfoNode& root,
                                        CLI::App& app);

/// The value that a line gives an option, as on a command line: a path is one from the file's
/// folder, and a flag is "true", or "" if it is off.
[[nodiscard]] Result<std::string> config_value(const CLI::Option& option,
                                               const std::filesystem::path& file,
                                               const InfoNode& node);

[[nodiscard]] tl::unexpected<Error> config_mistake(const std::filesystem::path& file,
                                                   const InfoNode& node, std::string message);

/// Null if the command has no such option. `name` has no dashes.
[[nodiscard]] CLI::Option* find_long_option(CLI::App& command, const std::string& name);

[[nodiscard]] bool may_be_repeated(const CLI::Option& option);

}  // namespace tunecheck::cli
