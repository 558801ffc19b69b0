#pragma once
// The program `tunecheck`, run as a user would.
#include <filesystem>
#include <string>
#include <vector>

#include "core/command.hpp"
#include "core/files.hpp"

namespace tunecheck::test {

struct Ran {
  int status = -1;  ///< -1 where a signal ended it
  std::string out;
  std::string err;
};

/// False where the system has no pseudo-terminals, as in a bare chroot: nothing can be seen of one.
[[nodiscard]] bool has_terminals();

/// A folder of the test's own to run the program in. What it leaves is gone with the test.
class Place {
 public:
  Place();

  [[nodiscard]] const std::filesystem::path& path() const { return m_folder.path(); }
  [[nodiscard]] bool has(const std::string& file) const;
  [[nodiscard]] std::string read(const std::string& file) const;
  /// Writes a file, and the folders it is in; returns its path.
  std::string write(const std::string& file, const std::string& text) const;

  /// Makes a root (TUNECHECK_ROOT) with tunecheck's own kernels, this one file of scenarios and
  /// this one adapter.info (the reference tuner's if ""); returns the environment that names it.
  [[nodiscard]] Environment make_root(const std::string& scenarios,
                                      const std::string& adapter = "") const;

  /// The headers that kernels include, in that root.
  void link_headers() const;

  /// Runs `tunecheck ARGUMENTS...` here, its stdout a pipe. That results it leaves are as their
  /// schema says is expected of every run.
  [[nodiscard]] Ran run(const std::vector<std::string>& arguments,
                        const Environment& further = {}) const;
  /// Runs a line of shell here.
  [[nodiscard]] Ran shell(const std::string& line, const Environment& further = {}) const;
  /// As run, its stdout a terminal; `out` is what a person's terminal got.
  [[nodiscard]] Ran run_on_terminal(const std::vector<std::string>& arguments,
                                    const Environment& further = {}) const;

 private:
  TemporaryFolder m_folder;
};

/// A scenario that passes with the reference tuner and that its mutant no_restore fails.
[[nodiscard]] std::string axpy_scenario(const std::string& name);

[[nodiscard]] std::string tunecheck_program();

}  // namespace tunecheck::test
