#pragma once
// The section `remote` of adapter.info.
#include "core/info.hpp"
#include "harness/process/adapter_info.hpp"

namespace tunecheck {

/// How scenarios and adapters call a kind of server, and the other way round; nothing for any other
/// word.
[[nodiscard]] std::string_view name_of(RemoteServerKind kind);
[[nodiscard]] std::optional<RemoteServerKind> parse_remote_server(std::string_view word);

/// Reads it, where there is one, and checks that it and the capabilities promise the same.
void read_remote_variables(InfoReader& reader, AdapterInfo& info);

}  // namespace tunecheck
