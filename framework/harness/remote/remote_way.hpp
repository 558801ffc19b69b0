#pragma once
// The way between one process of a tuner and a server: passes bytes on, misbehaves as it is told,
// and writes down when requests began and ended. The server itself is left as it is, so that what a
// process finds there is what a process put there.
#include <filesystem>
#include <memory>
#include <vector>

#include "core/result.hpp"
#include "harness/process/remote_words.hpp"

namespace tunecheck {

class RemoteProxy {
 public:
  /// Listens on a port of 127.0.0.1, and connects to the socket at `server` for each connection.
  /// Works in a thread of its own until the destructor, which ends all connections.
  [[nodiscard]] static Result<std::unique_ptr<RemoteProxy>> start(
      const std::filesystem::path& server, RemoteWay way);
  virtual ~RemoteProxy() = default;

  [[nodiscard]] virtual int port() const = 0;
  /// All requests so far, in the order of their first byte.
  [[nodiscard]] virtual std::vector<RemoteRequest> requests() const = 0;
};

}  // namespace tunecheck
