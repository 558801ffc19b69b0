#pragma once
// The texts around the command line: descriptions, examples, exit statuses, mistakes.
#include <string>

#include <CLI/App.hpp>

#include "core/result.hpp"

namespace tunecheck::cli {

/// The version of this program.
[[nodiscard]] std::string version();

/// The program's own description, examples and options.
void describe_program(CLI::App& app);

/// Examples, one a line, as they stand below a subcommand's help.
void set_examples(CLI::App& command, const std::string& examples);

/// One line on what is wrong with the command line, with the nearest word where it looks like a
/// slip.
[[nodiscard]] Error usage_error(CLI::App& app, const CLI::ParseError& error);

}  // namespace tunecheck::cli
