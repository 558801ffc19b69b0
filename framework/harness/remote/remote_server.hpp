#pragma once
// A real server of a remote cache, started by the judge for one scenario: redis-server, or
// tunecheck-remote-store for HTTP. It listens on a socket in a folder of its own, which only this
// user may enter; processes of the tuner reach it by a RemoteProxy.
#include <filesystem>
#include <memory>

#include "core/command.hpp"
#include "harness/process/remote_words.hpp"

namespace tunecheck {

class RemoteServer {
 public:
  /// An error of the kind unsupported where this machine lacks the program. Its log goes to
  /// `folder`, which exists.
  [[nodiscard]] static Result<std::unique_ptr<RemoteServer>> start(
      RemoteServerKind kind, const std::filesystem::path& folder);
  virtual ~RemoteServer() = default;

  [[nodiscard]] virtual const std::filesystem::path& socket() const = 0;
  /// An error where there is no value to damage, or fewer than two to swap.
  [[nodiscard]] virtual Result<void> damage(RemoteDamage damage) = 0;
};

}  // namespace tunecheck
