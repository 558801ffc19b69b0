#pragma once
// Which parameters of other tuners' kernels are tensors: a file that an adapter writes, since such
// a kernel gets plain pointers. docs/evidence.md has the format.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "core/layout.hpp"

namespace tunecheck::gpu {

/// A parameter that points at element [0, ..., 0] or at memory in front of it, or a binding of
/// Vulkan that holds it.
struct WatchedParameter {
  std::size_t parameter = 0;  ///< its number, from 0
  DType dtype = DType::f32;
  Layout layout;
  std::int64_t offset =
      0;  ///< elements from where it points to the first; of Vulkan, in the binding
  std::int64_t bound_bytes =
      0;  ///< of Vulkan alone: of the binding as a whole; 0 where that is not said
};

struct WatchedKernel {
  std::string as;  ///< the name under which its launches are recorded
  std::vector<WatchedParameter> tensors;
};

/// One thread at a time.
class WatchFile {
 public:
  /// An empty path: there is no file. A missing one is as one without lines, until it is there.
  explicit WatchFile(std::filesystem::path path) : m_path(std::move(path)) {}

  /// The kernel's last line, or else the last of those that end with "*" and begin as it does; null
  /// where it has none. Reads the file where it has changed since; a
  /// line that says nothing of a kernel is passed over. Valid until the next call.
  [[nodiscard]] const WatchedKernel* find(const std::string& kernel);
  /// The last line that `fits`, or else the last line, among those whose symbol is `kernel`, or
  /// ends with "*" and begins as it does. Null if there is none. Calls that are made at the same
  /// moment write lines of one kernel with different tensors. Valid as above.
  [[nodiscard]] const WatchedKernel* find_fitting(
      const std::string& kernel, const std::function<bool(const WatchedKernel&)>& fits);
  /// How many lines could not be understood when the file was last read.
  [[nodiscard]] int damaged_lines() const { return m_damaged_lines; }

 private:
  struct State {
    std::uint64_t inode = 0;
    std::int64_t size = -1;  // bytes
    std::int64_t modified_ns = 0;
    bool operator==(const State&) const = default;
  };
  struct Line {
    std::string symbol;
    WatchedKernel watched;
    [[nodiscard]] bool is_of(const std::string& kernel) const;
  };
  [[nodiscard]] State state() const;
  void read_if_changed();
  void read();

  std::filesystem::path m_path;
  State m_read;  // the file's state when it was read
  std::vector<Line> m_lines;
  std::map<std::string, std::size_t> m_last;  // by the symbol: the number of its last line
  int m_damaged_lines = 0;
};

}  // namespace tunecheck::gpu
