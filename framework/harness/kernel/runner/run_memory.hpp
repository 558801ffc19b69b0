#pragma once
// The tensors of an isolated run where the backend's kernels find them.
#include <vector>

#include "core/mapped_file.hpp"
#include "harness/kernel/isolated_run.hpp"

namespace tunecheck {

/// Each file once, so that tensors in one file share memory. On the CPU, a launch whose result
/// counts works on the file itself; one that is measured works on memory of its own, because
/// writing to a file's pages costs more than many a kernel. A device gets a copy either way.
class RunMemory {
 public:
  /// `run` and `memory` outlive this object.
  [[nodiscard]] static Result<RunMemory> open(const IsolatedRun& run, const TensorMemory& memory);

  [[nodiscard]] const std::vector<TensorView>& views() const { return m_views; }

  /// Makes all bytes what they are in the files; only where the run is measured.
  void restore() const;
  /// After a launch: restore() leaves out from now on what that launch did not change. Writing a
  /// file's bytes anew brings them into the caches, so that kernels that read much look faster.
  void keep_unchanged();
  /// Brings what a device has into the files. The error is what the device did not do.
  [[nodiscard]] Result<void> write_back() const;

 private:
  // The bytes of a file that are in memory, and where.
  struct Part {
    MappedFile file;
    std::size_t offset = 0;  // of the first byte in the file
    TensorView bytes;        // as a tensor of u8
    MemoryBlock block = {};  // holds them, where they are not the file's own
    MemoryBlock initial = {};
    bool is_kept = false;  // not restored
  };

  RunMemory(const IsolatedRun& run, const TensorMemory& memory) : m_run(&run), m_memory(&memory) {}
  [[nodiscard]] Result<Part> open_part(const std::filesystem::path& path) const;
  [[nodiscard]] Result<MemoryBlock> allocate(std::size_t bytes) const;
  [[nodiscard]] ByteRange tight_range(const std::filesystem::path& path,
                                      std::span<std::byte> file) const;

  const IsolatedRun* m_run;
  const TensorMemory* m_memory;
  std::vector<Part> m_parts;
  std::vector<TensorView> m_views;
};

}  // namespace tunecheck
