#pragma once
// The texts around the command line: descriptions, examples, exit statuses, mistakes.
#include <string>

#include <CLI/App.hpp>

#include "core/result.hpp"

namespace tunecheck::cli {

/// The version of this program.
[[nodiscard]] std::string version();

/// The same for programs, with the versions of all that has one of its own:
/// version.schema.json.
[[nodiscard]] std::string version_json();

/// The program's own description, examples and options.
void describe_program(CLI::App& app);

/// Examples, one a line, as they stand below a subcommand's help.
void set_examples(CLI::App& command, const std::string& examples);

/// True where the command line ended before a command that must follow.
[[nodiscard]] bool lacks_command(CLI::App& app);

/// One line on what is wrong with the command line, with the nearest word where it looks like a
/// slip.
[[nodiscard]] Error usage_error(CLI::App& app, const CLI::ParseError& error);

}  // namespace tunecheck::cli
