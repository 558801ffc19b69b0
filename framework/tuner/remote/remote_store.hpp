#pragma once
// What a remote cache is to the tuner: values under names, on a machine that nobody vouches for.
#include <chrono>
#include <optional>
#include <string>

#include "core/result.hpp"

namespace tunecheck {

/// Seam. Knows nothing of keys, entries or signatures: RemoteCache does, and believes no value. All
/// members may be called by several threads at once; each call has a connection of its own, which
/// is closed when it returns, so that no thread waits for another's and a fork finds none open.
class RemoteStore {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  virtual ~RemoteStore() = default;

  /// The value under a name, or nothing where there is none. An error, never later than shortly
  /// after `deadline`, where the store cannot be reached, refuses, or answers with something that
  /// its protocol does not know. `name` is 64 hex digits. A value with more than
  /// remote_value_limit bytes is returned cut to one byte more than that; the rest is not read.
  [[nodiscard]] virtual Result<std::optional<std::string>> get(const std::string& name,
                                                               Deadline deadline) = 0;
  /// Replaces what was there; as whole as the store itself does that.
  [[nodiscard]] virtual Result<void> put(const std::string& name, const std::string& value,
                                         Deadline deadline) = 0;

  /// Where it is, without user and password, for messages.
  [[nodiscard]] virtual const std::string& where() const = 0;
};

/// What a value may have at most: an entry and its artifact. One with more is refused.
inline constexpr std::size_t remote_value_limit = std::size_t{128} << 20;

}  // namespace tunecheck
