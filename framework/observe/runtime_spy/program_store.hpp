#pragma once
// Programs that a runtime compiler compiled earlier, by everything that decides what it makes of
// them. Shared by any number of processes; a damaged or vanished entry is a miss.
//
//   <store>/runtime/<key>      outputs and lowered names of one program, JSON
//   <store>/outputs/<SHA-256>  one output
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tunecheck::spy {

/// What is given to a runtime compiler.
struct ProgramText {
  std::string source;
  std::string name;                            ///< as messages call it
  std::map<std::string, std::string> headers;  ///< by the names by which they are included
  std::vector<std::string> expressions;        ///< whose lowered names will be asked for
  std::vector<std::string> options;
};

/// What a compile without any message made.
struct CompiledProgram {
  std::map<std::string, std::string> outputs;  ///< by kind: CUBIN, PTX, Code
  std::map<std::string, std::string> lowered;  ///< by expression
};

/// The key of a program for the compiler that `compiler` describes; nothing where it must not be
/// answered from a store: an option that is not known to be harmless, or a source that does not
/// tell what it depends on.
[[nodiscard]] std::optional<std::string> program_key(const std::string& compiler,
                                                     const ProgramText& text);

[[nodiscard]] std::optional<CompiledProgram> find_program_in(const std::filesystem::path& store,
                                                             const std::string& key);
/// What cannot be kept is silently not kept.
void add_program_to(const std::filesystem::path& store, const std::string& key,
                    const CompiledProgram& program);

}  // namespace tunecheck::spy
