#pragma once
// When the tensors of a launch are digested. A digest synchronises and brings the tensors into the
// GPU's cache: between the event that begins a measurement and the launch that is measured it would
// be a part of what is measured. So it is taken before that event, where the launch that follows
// can be foreseen: it is enqueued on the same stream with the same tensors as the last one.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "observe/gpu/tensor_argument.hpp"

namespace tunecheck::gpu {

/// A stream in its context.
using StreamKey = std::pair<std::uint64_t, std::uint64_t>;

/// What was taken for a launch before it.
struct Taken {
  std::vector<std::string> digests;  ///< of its tensors
  std::string stored;                ///< listing digest of the watched folder
  std::int64_t cost_ns = 0;
};

/// Follows what a process enqueues. One thread at a time.
class DigestPlan {
 public:
  /// An event is about to be recorded on `stream`: the tensors to digest before that, or null. The
  /// first event on a stream after a watched launch there ends a measurement, unless the process
  /// has waited for the GPU meanwhile: then null, too.
  [[nodiscard]] const Tensors* before_event(const StreamKey& stream);
  /// That was done.
  void keep(const StreamKey& stream, Taken taken);

  /// Anything was called that may enqueue work or change a tensor, but for events and watched
  /// launches.
  void other_work() { m_kept.reset(); }

  /// The process waits for work: no measurement goes on.
  void waited();

  /// A launch with these tensors begins: what was taken before the event right before it, or
  /// nothing: then it is to be taken now.
  [[nodiscard]] std::optional<Taken> at_launch(const StreamKey& stream, const Tensors& tensors);

  /// The stream is no more.
  void forget(const StreamKey& stream) { m_streams.erase(stream); }

 private:
  struct Stream {
    Tensors tensors;        // of the last watched launch
    bool launched = false;  // since the last event
  };
  std::map<StreamKey, Stream> m_streams;  // those with watched launches
  std::optional<std::pair<StreamKey, Taken>> m_kept;
};

}  // namespace tunecheck::gpu
