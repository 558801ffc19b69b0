#pragma once
// What may stand at the end of a command line: `tunecheck completion words`, which the scripts for
// shells ask. It reads the same description of commands and options that --help is made of.
#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace tunecheck::cli {

/// A word and what it means; a shell shows both, or the word alone.
struct CompletionWord {
  std::string word;
  std::string meaning;
};

/// What `words` may go on with, which are those behind "tunecheck"; the last one is what is being
/// typed, "" if nothing is yet. By name. None where any file may stand: shells know files better.
/// What cannot be read (an adapter whose file is broken) is no reason to say anything.
[[nodiscard]] std::vector<CompletionWord> completions_of(CLI::App& app,
                                                         const std::vector<std::string>& words);

}  // namespace tunecheck::cli
