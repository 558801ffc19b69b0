#pragma once
// A kernel bound to a tuner: called like a function.
#include <map>
#include <memory>
#include <span>
#include <string>

#include "backend/backend.hpp"
#include "tuner/call_arguments.hpp"
#include "tuner/call_report.hpp"

namespace tunecheck {

namespace detail {
struct TunerState;
class BoundKernel;
}  // namespace detail

/// May be called by several threads at once, on arguments that do not overlap in memory.
class TunedKernel {
 public:
  TunedKernel(TunedKernel&&) noexcept;
  TunedKernel& operator=(TunedKernel&&) noexcept;
  ~TunedKernel();

  /// Launches the winner for these arguments, in the order of the kernel file, after tuning where
  /// none is known. A winner in memory costs a comparison of dtypes, shapes, stride classes,
  /// alignments and key scalars, and no allocation.
  ///
  /// Errors: arguments that are not the kernel's; no config that compiles and runs. The caller's
  /// tensors are then as they were. A launch that is refused is a status in the report; if it
  /// followed a tuning, the tensors are as they were too.
  [[nodiscard]] Result<CallReport> call(const LaunchArguments& arguments);

  /// On a device with streams the winner is put into the stream of the arguments, and nobody waits
  /// for it. Nothing can be tuned while a graph is captured from that stream: the call is an error
  /// then, and the capture goes on; a winner that is known is captured.
  ///
  /// The same with named arguments in any order. Scalars that are not given have the kernel file's
  /// value.
  [[nodiscard]] Result<CallReport> call(std::span<const NamedTensor> tensors,
                                        const std::map<std::string, double>& scalars,
                                        Stream stream = nullptr);

 private:
  friend class Tuner;
  explicit TunedKernel(std::unique_ptr<detail::BoundKernel> bound);
  std::unique_ptr<detail::BoundKernel> m_bound;
};

}  // namespace tunecheck
