#pragma once
// Kernels that tests write into temporary folders, and an environment that tests may change.
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "backend/cpu/cpu_backend.hpp"
#include "core/files.hpp"
#include "core/kernel.hpp"

namespace tunecheck {

/// The value, or std::runtime_error with the error's text: fails the test that called.
template <class T>
T value_of(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return std::move(result).value();
}

/// A folder with files in it, by relative path; removed with its content.
class KernelFolder {
 public:
  explicit KernelFolder(const std::map<std::string, std::string>& files);
  [[nodiscard]] const std::filesystem::path& path() const { return m_folder.path(); }
  void write(const std::string& name, const std::string& text) const;
  [[nodiscard]] KernelDefinition read() const { return value_of(read_kernel(path())); }

 private:
  TemporaryFolder m_folder;
};

/// A kernel.info with tensors x (read) and y (in place), both of `count` elements of dtype f32 or,
/// on demand, any other; the scalars `scalars` (INFO text); and the config parameter block.
[[nodiscard]] std::string kernel_info(const std::string& scalars = "",
                                      const std::string& cpu_options = "");

/// y += factor * x, in blocks of BLOCK.
[[nodiscard]] std::map<std::string, std::string> axpy_files();

/// What compile() is to be asked for: f32, block 4, the default arch.
[[nodiscard]] CompileRequest request_for(const KernelDefinition& kernel);

/// Sets an environment variable (removes it where there is no value) until the end of its life.
class ScopedVariable {
 public:
  ScopedVariable(std::string name, const std::optional<std::string>& value);
  ScopedVariable(const ScopedVariable&) = delete;
  ~ScopedVariable();

 private:
  void set(const std::optional<std::string>& value) const;
  std::string m_name;
  std::optional<std::string> m_before;
};

/// Writes an executable shell script.
void write_script(const std::filesystem::path& path, const std::string& body);

}  // namespace tunecheck
