#include "harness/remote/key_files.hpp"

#include <sys/stat.h>

#include "core/files.hpp"

namespace tunecheck {
namespace {

// Not secret: a user that can read this can read the judge's folders as well.
std::string key_text(RemoteKey key) {
  return std::string(key == RemoteKey::own ? "the key of" : "another one than") +
         " the machines of this scenario, 32 bytes or more\n";
}

}  // namespace

Result<std::filesystem::path> write_key_file(const std::filesystem::path& folder, RemoteKey key) {
  const std::filesystem::path file = folder / (key == RemoteKey::own ? "own.key" : "other.key");
  TUNECHECK_CHECK(write_file_atomically(file, key_text(key)));
  if (::chmod(file.c_str(), S_IRUSR) != 0)
    return failure(ErrorKind::machine, "{}: {}", file.string(), last_system_error());
  return file;
}

}  // namespace tunecheck
