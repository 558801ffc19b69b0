#pragma once
// Tensors in files, as a request describes them, mapped so that the tuner works on the caller's
// bytes.
#include <string>
#include <vector>

#include "adapter/protocol/messages.hpp"
#include "core/files.hpp"
#include "core/mapped_file.hpp"
#include "tuner/call_arguments.hpp"

namespace tunecheck {

/// Each file is mapped once, so that tensors which share bytes in a file share them in memory. The
/// views live as long as this object, and their names as long as `tensors`.
class MappedTensors {
 public:
  /// An error for a file that cannot be mapped, or that is too short for a tensor in it.
  [[nodiscard]] static Result<MappedTensors> open(const std::vector<protocol::Tensor>& tensors);

  [[nodiscard]] const std::vector<NamedTensor>& tensors() const { return m_tensors; }

 private:
  std::vector<MappedFile> m_files;
  std::vector<NamedTensor> m_tensors;
};

}  // namespace tunecheck
