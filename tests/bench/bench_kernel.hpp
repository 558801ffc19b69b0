#pragma once
// A real kernel that does next to nothing, so that what is around it can be measured.
#include <array>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "backend/cpu/cpu_backend.hpp"
#include "core/files.hpp"
#include "tuner/tuner.hpp"

namespace tunecheck::bench {

/// y[0] += x[0], two f32 tensors of 16 elements; both configs are the same.
class BenchKernel {
 public:
  /// Writes the kernel into `folder`.
  explicit BenchKernel(const std::filesystem::path& folder);

  [[nodiscard]] TuneRequest request() const;
  [[nodiscard]] LaunchArguments arguments() const { return {m_views, {}}; }

 private:
  std::filesystem::path m_folder;
  alignas(64) std::array<std::array<float, 16>, 2> m_values{};
  std::array<TensorView, 2> m_views;
};

/// What a process does that was started with the arguments `reload FOLDER`: one call, whose winner
/// must come from FOLDER/cache. The exit status.
[[nodiscard]] int reload_once(const std::filesystem::path& folder);

/// Ends the benchmark where setting it up failed.
inline void must(const Result<void>& done) {
  if (!done) throw std::runtime_error(done.error().text());
}

/// Half of `values` are smaller than it.
[[nodiscard]] double median_of(std::vector<double> values);

}  // namespace tunecheck::bench
