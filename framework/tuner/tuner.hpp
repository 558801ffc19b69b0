#pragma once
// The reference tuner: finds the fastest config of a kernel, keeps it, and launches it.
#include <memory>
#include <string>

#include "backend/backend.hpp"
#include "tuner/parts.hpp"
#include "tuner/request.hpp"
#include "tuner/tuned_kernel.hpp"

namespace tunecheck {

inline constexpr std::string_view tuner_version = "0.1.0";

/// Owns the loaded winners. All members may be called by several threads at once; one tuning per
/// key runs at a time, and whoever else wants the key waits for it.
class Tuner {
 public:
  /// `backend` outlives the tuner.
  Tuner(const Backend& backend, TunerOptions options, TunerParts parts = TunerParts::standard());
  ~Tuner();
  Tuner(const Tuner&) = delete;
  Tuner& operator=(const Tuner&) = delete;

  /// Collects everything that stays the same from call to call: sources, arch, toolchain,
  /// environment, space. A later change of these is seen by the next bind(). The result must not
  /// outlive the tuner. Errors: a space or sizes that make no sense, an unknown arch, sources that
  /// cannot be read.
  [[nodiscard]] Result<TunedKernel> bind(TuneRequest request);

  /// Begins a program: loads its bundle into the cache folder, before any key of it is asked for.
  /// Once for a tuner, by one thread. An error where there is no cache folder, or where a source of
  /// the program cannot be read; a bundle that must not be used is told of in the result.
  [[nodiscard]] Result<BundleBegun> begin_program(const BundleOptions& options);
  /// Ends it: writes what this tuner found in the cache folder or put there since it was made.
  /// Nothing is written if that is nothing. How many entries were written.
  [[nodiscard]] Result<std::size_t> end_program();

 private:
  std::unique_ptr<detail::TunerState> m_state;
};

}  // namespace tunecheck
