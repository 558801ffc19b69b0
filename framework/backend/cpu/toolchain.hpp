#pragma once
// The C++ compiler that makes artifacts for the CPU.
#include <filesystem>
#include <string>

#include "core/result.hpp"

namespace tunecheck {

/// A compiler of this machine. A plain value; all members may be called by several threads at once.
class Toolchain {
 public:
  /// The program that TUNECHECK_CXX names (a path, or a name in PATH) where it is set, else the
  /// first of c++, g++ and clang++ in PATH. The environment is read at each call and nothing is
  /// started.
  [[nodiscard]] static Result<Toolchain> find();

  /// Absolute, and as it was found: a link or a wrapper is not followed, since it may be what is to
  /// be run.
  [[nodiscard]] const std::filesystem::path& compiler() const { return m_compiler; }

  /// What decides whether two compilers make the same of a source: the version text and the content
  /// of the program that really compiles (cc1plus, clang), which a package update may change under
  /// an unchanged version. Neither the compiler's path nor its name is part of it. The compiler is
  /// asked (two runs, at most), so that a wrapper that passes questions on has the fingerprint of
  /// what it wraps. Asked once per process while the files stay as they are. The assembler and the
  /// linker are not part of it.
  [[nodiscard]] Result<std::string> fingerprint() const;

  /// The first line of `--version`, for people.
  [[nodiscard]] Result<std::string> version_line() const;

 private:
  explicit Toolchain(std::filesystem::path compiler) : m_compiler(std::move(compiler)) {}
  std::filesystem::path m_compiler;
};

}  // namespace tunecheck
