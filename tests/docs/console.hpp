#pragma once
// What a page shows of a terminal: commands after "$ ", each with its output below it.
#include <string>
#include <vector>

#include "core/files.hpp"

namespace tunecheck::test {

struct Command {
  std::string line;    ///< for a shell
  std::string output;  ///< "..." stands for anything, a line of its own for any lines
};

/// The commands of a block; throws where it does not begin with one.
[[nodiscard]] std::vector<Command> commands_of(const std::string& block);

/// A shell in a folder of its own, which finds the programs that were built beside this test.
class Console {
 public:
  Console();

  [[nodiscard]] const std::filesystem::path& folder() const { return m_folder.path(); }
  /// Writes a file, and the folders it is in.
  void write(const std::string& file, const std::string& text) const;
  /// stdout and stderr of a command line together; `status` is its exit status, if wanted.
  [[nodiscard]] std::string run(const std::string& line, int* status = nullptr) const;

 private:
  TemporaryFolder m_folder;
};

/// True where `text` is what a page shows as `shown`. Blanks and line ends are all alike: a page
/// breaks its lines where it has to.
[[nodiscard]] bool is_shown_as(const std::string& text, const std::string& shown);
/// True where a part of `text` is.
[[nodiscard]] bool has_shown(const std::string& text, const std::string& shown);

}  // namespace tunecheck::test
