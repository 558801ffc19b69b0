#include "tuner/remote/remote_options.hpp"

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <span>
#include <string_view>
#include <unistd.h>

#include <sys/stat.h>

#include "core/files.hpp"
#include "core/text.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t shortest_key = 32;
constexpr std::uint64_t longest_key = 4096;

std::string variable_or_nothing(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool is_remote_address(std::string_view text) {
  constexpr std::array<std::string_view, 4> schemes = {"redis://", "rediss://", "http://",
                                                       "https://"};
  for (const std::string_view scheme : schemes)
    if (text.starts_with(scheme) && text.size() > scheme.size()) return true;
  return false;
}

Result<std::chrono::milliseconds> limit_from(const std::string& text) {
  constexpr std::int64_t most_ms = 60'000;
  const auto given = parse_integer(text);
  if (!given || *given < 1 || *given > most_ms)
    return failure(ErrorKind::bad_input,
                   "TUNECHECK_REMOTE_LIMIT_MS: expected milliseconds from 1 to {}, found \"{}\"",
                   most_ms, text);
  return std::chrono::milliseconds(*given);
}

// That it holds certificates is for the TLS library to say.
Result<std::string> authorities_from(std::string file) {
  const FileDescriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat state {};
  if (!opened.valid() || ::fstat(opened.get(), &state) != 0 || !S_ISREG(state.st_mode))
    return failure(Error{ErrorKind::bad_input, "expected a PEM file that can be read",
                         std::move(file), 0, "TUNECHECK_REMOTE_AUTHORITIES"});
  return file;
}

}  // namespace

Result<std::string> remote_key_from_environment() {
  constexpr const char* name = "TUNECHECK_REMOTE_KEY_FILE";
  const char* const file = std::getenv(name);
  if (file == nullptr) return std::string();
  if (*file == '\0')
    return failure(ErrorKind::bad_input,
                   "{}: expected a file with a key, found \"\"; unset it to share without one",
                   name);
  return read_remote_key(file).map_error([&](Error error) {
    error.key = name;
    return error;
  });
}

Result<std::string> read_remote_key(const std::string& file) {
  // O_NONBLOCK: a pipe is refused, and not waited for.
  const FileDescriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat state {};
  if (!opened.valid() || ::fstat(opened.get(), &state) != 0)
    return failure(
        Error{ErrorKind::bad_input, "cannot be read: " + last_system_error(), file, 0, {}});
  if (!S_ISREG(state.st_mode) || state.st_uid != ::geteuid() || (state.st_mode & 0077) != 0)
    return failure(Error{ErrorKind::bad_input,
                         "expected a file of this user's that nobody else may read or write "
                         "(chmod 600)",
                         file,
                         0,
                         {}});
  std::string key(longest_key + 1, '\0');
  const auto size = read_all(opened.get(), std::as_writable_bytes(std::span(key)));
  key.resize(size.value_or(0));
  while (key.ends_with('\n') || key.ends_with('\r'))
    key.pop_back();
  if (key.size() < shortest_key || key.size() > longest_key)
    return failure(Error{ErrorKind::bad_input,
                         fmt::format("expected a key of {} to {} bytes, found {}", shortest_key,
                                     longest_key, key.size()),
                         file,
                         0,
                         {}});
  return key;
}

Result<std::optional<RemoteOptions>> remote_options_from_environment() {
  RemoteOptions options;
  options.address = variable_or_nothing("TUNECHECK_REMOTE");
  if (options.address.empty()) return std::optional<RemoteOptions>();
  // Not the address itself: it may hold a password.
  if (!is_remote_address(options.address))
    return failure(ErrorKind::bad_input,
                   "TUNECHECK_REMOTE: expected an address that begins with redis://, rediss://, "
                   "http:// or https://");
  options.salt = variable_or_nothing("TUNECHECK_REMOTE_SALT");
  if (std::string file = variable_or_nothing("TUNECHECK_REMOTE_AUTHORITIES"); !file.empty()) {
    TUNECHECK_TRY(options.authorities_file, authorities_from(std::move(file)));
  }
  TUNECHECK_TRY(options.key, remote_key_from_environment());
  if (const std::string text = variable_or_nothing("TUNECHECK_REMOTE_LIMIT_MS"); !text.empty()) {
    TUNECHECK_TRY(options.time_limit, limit_from(text));
  }
  TUNECHECK_CHECK(check_remote_address(options).map_error([](Error error) {
    error.key = "TUNECHECK_REMOTE";
    return error;
  }));
  return std::optional(std::move(options));
}

}  // namespace tunecheck
