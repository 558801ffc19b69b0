#include "harness/remote/remote_site.hpp"

#include <fmt/format.h>

#include "harness/remote/key_files.hpp"

namespace tunecheck {
namespace {

std::string with_place(std::string text, int port) {
  for (const auto& [word, value] :
       {std::pair<std::string, std::string>("HOST", "127.0.0.1"), {"PORT", std::to_string(port)}})
    if (const std::size_t at = text.find(word); at != text.npos)
      text.replace(at, word.size(), value);
  return text;
}

}  // namespace

Result<std::unique_ptr<RemoteProxy>> RemoteSite::open_way(const RemoteChoice& choice) {
  const std::lock_guard lock(m_mutex);
  auto& server = m_servers[choice.server];
  if (server == nullptr) {
    TUNECHECK_TRY(server, RemoteServer::start(choice.server, m_folder));
  }
  return RemoteProxy::start(server->socket(), choice.way);
}

Result<Environment> RemoteSite::variables_of(const AdapterInfo& adapter, const RemoteChoice& choice,
                                             const RemoteProxy& way) const {
  Environment variables;
  for (const auto& [name, value] : adapter.remote.servers.at(choice.server))
    variables[name] = with_place(value, way.port());
  if (!choice.salt.empty()) variables[adapter.remote.salt_variable] = choice.salt;
  if (choice.key == RemoteKey::none || adapter.remote.key_variable.empty()) return variables;
  TUNECHECK_TRY(const std::filesystem::path file, write_key_file(m_folder, choice.key));
  variables[adapter.remote.key_variable] = file.string();
  return variables;
}

Result<void> RemoteSite::damage(RemoteDamage damage) {
  const std::lock_guard lock(m_mutex);
  if (m_servers.empty()) return failure("no process has been given a remote cache yet");
  for (const auto& [kind, server] : m_servers)
    TUNECHECK_CHECK(server->damage(damage));
  return {};
}

}  // namespace tunecheck
