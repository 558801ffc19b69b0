#pragma once
// The kernels that an adapter has bound, as a program that uses the tuner keeps them.
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "adapter/protocol/messages.hpp"
#include "tuner/tuner.hpp"

namespace tunecheck {

/// Users bind a kernel once and call it often, and from its second call on they are on the tuner's
/// fast path. So is a call here whose kernel, sources, settings, environment and compiler are those
/// of an earlier call. bind() may be called by several threads at once; a kernel lives as long as
/// somebody holds it, even if it is no longer among those that are kept. Owns the kernels, which
/// must not outlive their tuner.
class BoundKernels {
 public:
  /// Binds the kernel, or returns it as it was bound before. `request` is the call, of which
  /// tensors and scalars do not matter; `tune` is what the tuner is asked for. `backend` is the
  /// tuner's.
  [[nodiscard]] Result<std::shared_ptr<TunedKernel>> bind(Tuner& tuner, const Backend& backend,
                                                          const protocol::CallRequest& request,
                                                          TuneRequest tune);

 private:
  // More than a program with many shapes has at once; what is kept longest goes first.
  static constexpr std::size_t most = 64;
  struct Bound {
    std::string identity;
    std::shared_ptr<TunedKernel> kernel;
  };
  std::mutex m_mutex;
  std::deque<Bound> m_bound;
};

}  // namespace tunecheck
