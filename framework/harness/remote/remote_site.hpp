#pragma once
// What a scenario's processes share of remote caches: a server of each kind that is asked for, and
// the files with the keys.
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/command.hpp"
#include "harness/process/adapter_info.hpp"
#include "harness/remote/remote_server.hpp"
#include "harness/remote/remote_way.hpp"

namespace tunecheck {

/// May be used by several threads at once. Servers start when they are first needed, and end with
/// this object.
class RemoteSite {
 public:
  /// `folder` exists and takes the key files and the servers' logs.
  explicit RemoteSite(std::filesystem::path folder) : m_folder(std::move(folder)) {}

  /// A way to the server for one process.
  [[nodiscard]] Result<std::unique_ptr<RemoteProxy>> open_way(const RemoteChoice& choice);
  /// The variables that tell the adapter's tuner of it, as its adapter.info names them.
  [[nodiscard]] Result<Environment> variables_of(const AdapterInfo& adapter,
                                                 const RemoteChoice& choice,
                                                 const RemoteProxy& way) const;
  /// Of all servers that have been started.
  [[nodiscard]] Result<void> damage(RemoteDamage damage);

 private:
  std::filesystem::path m_folder;
  std::mutex m_mutex;
  std::map<RemoteServerKind, std::unique_ptr<RemoteServer>> m_servers;
};

}  // namespace tunecheck
