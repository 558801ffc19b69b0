#pragma once
// Pages for man(1), from the same description of commands and options that --help is made of.
#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace tunecheck::cli {

/// "tunecheck", "tunecheck-run", "tunecheck-kernels-prove": the command with those around it.
[[nodiscard]] std::string man_page_name(const CLI::App& command);

/// The command and all within it, outermost first. Each has a page.
[[nodiscard]] std::vector<CLI::App*> all_commands(CLI::App& app);

/// In the macros of man(7), for section 1.
[[nodiscard]] std::string man_page(const CLI::App& command);

}  // namespace tunecheck::cli
