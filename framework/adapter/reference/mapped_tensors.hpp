#pragma once
// Tensors in files, as a request describes them, where the backend's kernels find them.
#include <string>
#include <vector>

#include "adapter/protocol/messages.hpp"
#include "core/files.hpp"
#include "core/mapped_file.hpp"
#include "tuner/call_arguments.hpp"

namespace tunecheck {

/// Each file is mapped once, so that tensors which share bytes in a file share them in memory. In
/// the host's memory the tuner works on the file's bytes themselves; a device gets a copy of the
/// whole file. The views live as long as this object, and their names as long as `tensors`.
class MappedTensors {
 public:
  /// An error for a file that cannot be mapped, or that is too short for a tensor in it.
  [[nodiscard]] static Result<MappedTensors> open(const std::vector<protocol::Tensor>& tensors,
                                                  const TensorMemory& memory);

  /// Waits for the device and brings its copies back into the files. The error is what the device
  /// did not do.
  [[nodiscard]] Result<void> write_back() const;

  [[nodiscard]] const std::vector<NamedTensor>& tensors() const { return m_tensors; }
  [[nodiscard]] const TensorMemory& memory() const { return *m_memory; }
  /// On a device the whole content of each file; nothing in the host's memory.
  [[nodiscard]] std::span<const MemoryBlock> blocks() const { return m_blocks; }

 private:
  explicit MappedTensors(const TensorMemory& memory) : m_memory(&memory) {}

  const TensorMemory* m_memory;
  std::vector<MappedFile> m_files;
  std::vector<MemoryBlock> m_blocks;  // on the device, one a file; none in the host's memory
  std::vector<NamedTensor> m_tensors;
};

}  // namespace tunecheck
