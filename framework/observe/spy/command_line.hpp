#pragma once
// A compiler's command line, as far as the spy must understand it.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tunecheck::spy {

/// One argument, with the next one where that is its value.
struct Argument {
  enum class Kind { option, input };
  Kind kind = Kind::option;
  std::string name;   ///< "-I", "-O2", "-ffile-prefix-map="; "" for an input
  std::string value;  ///< the folder, the macro, the input's path; "" where there is none
};

struct CommandLine {
  std::vector<Argument> arguments;
  std::vector<std::string> outputs;  ///< values of all -o
  bool query = false;                ///< asks for version or paths; compiles nothing
  bool asks_version = false;         ///< --version

  [[nodiscard]] std::vector<std::string> inputs() const;
  /// True where all inputs are objects and libraries.
  [[nodiscard]] bool only_links() const;
  /// True where the output depends on nothing but the arguments, the inputs' content, the headers
  /// that -MD names, and the compiler: one source, one -o, and only options known to be harmless.
  [[nodiscard]] bool is_reproducible() const;
  [[nodiscard]] bool has(std::string_view option) const;
};

/// `arguments` without the program. `null_input` says that stdin is the null device.
[[nodiscard]] CommandLine parse_command_line(const std::vector<std::string>& arguments,
                                             bool null_input);

}  // namespace tunecheck::spy
