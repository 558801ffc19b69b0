#pragma once
// Compilers that answer from a store what they compiled before.
#include <filesystem>

#include "core/files.hpp"
#include "core/result.hpp"

namespace tunecheck {

/// While it lives, this process and those that it starts find other compilers in the places of the
/// machine's C++ compiler, NVRTC and HIPRTC: spies that record nothing, answer from `store` and
/// keep there what they compile anew. TUNECHECK_CXX, TUNECHECK_NVRTC and TUNECHECK_HIPRTC name
/// them, and still do so afterwards: for a command that ends with it.
///
/// It sets the environment, so no other thread may run when it begins. A process that judges a
/// tuner must not use one, because the tuner could write to the store.
class KeptCompilers {
 public:
  /// `store` is created. What the machine lacks is left as it is.
  [[nodiscard]] static Result<KeptCompilers> use(const std::filesystem::path& store);

 private:
  explicit KeptCompilers(TemporaryFolder folder) : m_folder(std::move(folder)) {}
  TemporaryFolder m_folder;
};

}  // namespace tunecheck
