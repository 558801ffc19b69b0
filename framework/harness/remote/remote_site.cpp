#include "harness/remote/remote_site.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

namespace tunecheck {
namespace {

// Not secret: whoever can read this can read the judge's folders as well.
std::string key_text(RemoteKey key) {
  return std::string(key == RemoteKey::own ? "the key of" : "another one than") +
         " the machines of this scenario, 32 bytes or more\n";
}

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
  const std::filesystem::path file =
      m_folder / (choice.key == RemoteKey::own ? "own.key" : "other.key");
  TUNECHECK_CHECK(write_file_atomically(file, key_text(choice.key)));
  if (::chmod(file.c_str(), S_IRUSR) != 0)
    return failure(ErrorKind::machine, "{}: {}", file.string(), last_system_error());
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
