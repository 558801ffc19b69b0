#pragma once
// Any number of names in order, in a bounded amount of memory.
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace tunecheck::cache {

/// Takes names in any order and hands them out sorted, each once. What does not fit into memory
/// lies in sorted runs in a temporary file without a name, which goes with the object. One thread.
class SortedNames {
 public:
  /// Up to so many names are kept in memory.
  explicit SortedNames(std::size_t names_in_memory = 8192) : m_most(names_in_memory) {}

  /// Error: there is no room for the temporary file.
  [[nodiscard]] Result<void> add(std::string name);

  /// Called once, after the last add(). Ends with the first error that `visit` returns.
  using Visit = std::function<Result<void>(const std::string&)>;
  [[nodiscard]] Result<void> visit(const Visit& visit);

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct Run {
    std::int64_t begin = 0;  // in the file, bytes
    std::int64_t end = 0;
  };
  [[nodiscard]] Result<void> spill();

  std::size_t m_most;
  std::vector<std::string> m_names;
  std::unique_ptr<std::FILE, CloseFile> m_file;
  std::vector<Run> m_runs;
  std::int64_t m_written = 0;  // bytes of the file
};

}  // namespace tunecheck::cache
