#pragma once
// What the program tunecheck-gpu-compiler and its parent say to each other: one JSON object a line.
// The program greets with its compiler's version, then answers each request by its number, in
// whatever order they are done.
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace tunecheck {

struct CompileLine {
  std::size_t number = 0;
  std::filesystem::path source;
  std::string arch;
  std::vector<std::string> options;
  std::filesystem::path out;  ///< where the artifact goes
};

[[nodiscard]] std::string to_line(const CompileLine& request);
[[nodiscard]] Result<CompileLine> parse_compile_line(const std::string& line);

/// The version, or what is missing.
[[nodiscard]] std::string greeting_line(const Result<std::string>& version);
[[nodiscard]] Result<std::string> parse_greeting(const std::string& line);

struct CompileOutcome {
  std::size_t number = 0;  ///< of the request
  Result<void> done;
};
[[nodiscard]] std::string to_line(const CompileOutcome& outcome);
[[nodiscard]] Result<CompileOutcome> parse_outcome(const std::string& line);

}  // namespace tunecheck
