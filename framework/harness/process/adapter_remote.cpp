#include "harness/process/adapter_remote.hpp"

#include <utility>

#include "harness/process/adapter_variables.hpp"

namespace tunecheck {
namespace {

constexpr std::array<std::pair<std::string_view, RemoteServerKind>, 2> remote_servers = {{
    {"redis", RemoteServerKind::redis},
    {"http", RemoteServerKind::http},
}};

void check_promise(const InfoReader& reader, const AdapterInfo& info, std::string_view capability,
                   bool is_described, const std::string& key, InfoErrors& errors) {
  if (info.has(capability) == is_described) return;
  const InfoNode* const node = reader.node().child(is_described ? key : "capabilities");
  errors.add(node != nullptr ? *node : reader.node(),
             is_described
                 ? fmt::format("expected the capability \"{}\" beside it", capability)
                 : fmt::format("{} expects the section remote to say how: {}", capability, key));
}

}  // namespace

std::string_view name_of(RemoteServerKind kind) {
  for (const auto& [word, each] : remote_servers)
    if (each == kind) return word;
  return {};
}

std::optional<RemoteServerKind> parse_remote_server(std::string_view word) {
  for (const auto& [each, kind] : remote_servers)
    if (each == word) return kind;
  return std::nullopt;
}

void read_remote_variables(InfoReader& reader, AdapterInfo& info) {
  if (const InfoNode* const node = reader.section("remote", false)) {
    InfoReader remote(*node, reader.errors());
    for (const auto& [word, kind] : remote_servers)
      if (const InfoNode* const server = remote.section(std::string(word), false)) {
        for (const InfoNode& variable : server->children)
          read_own_variable(variable, info, reader.errors(), info.remote.servers[kind]);
        if (server->children.empty())
          reader.errors().add(*server, "expected variables in braces, NAME VALUE");
      }
    info.remote.key_variable = read_own_name(remote, "key_variable", info);
    info.remote.salt_variable = read_own_name(remote, "salt_variable", info);
    info.remote.one_of_libraries = remote.words_or_none("one_of_libraries");
    remote.finish();
  }
  InfoErrors& errors = reader.errors();
  check_promise(reader, info, "remote", !info.remote.servers.empty(), "remote", errors);
  check_promise(reader, info, "remote_key", !info.remote.key_variable.empty(), "remote", errors);
  check_promise(reader, info, "remote_salt", !info.remote.salt_variable.empty(), "remote", errors);
}

}  // namespace tunecheck
