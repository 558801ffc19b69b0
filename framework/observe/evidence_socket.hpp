#pragma once
// The socket through which observers reach the judge. Its path may be longer than the 107 bytes of
// a socket's address: folder and name are then given apart.
#include <filesystem>

#include "core/files.hpp"
#include "core/result.hpp"

namespace tunecheck {

[[nodiscard]] bool leads_to_socket(const std::filesystem::path& path);

/// Waits until the judge takes the connection in, if very many are made at once.
[[nodiscard]] Result<FileDescriptor> connect_to(const std::filesystem::path& socket);

/// Makes the socket, in the place of what is there; accepting does not wait.
[[nodiscard]] Result<FileDescriptor> listen_at(const std::filesystem::path& socket);

}  // namespace tunecheck
