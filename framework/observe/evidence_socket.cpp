#include "observe/evidence_socket.hpp"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <unistd.h>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

// An address of the socket: its path, or, where that is too long, a descriptor of its folder.
struct Address {
  FileDescriptor folder;
  sockaddr_un value{};
};

Result<Address> address_of(const fs::path& path) {
  Address address;
  std::string text = path.string();
  if (text.size() >= sizeof address.value.sun_path) {
    address.folder =
        FileDescriptor(::open(path.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    text = "/proc/self/fd/" + std::to_string(address.folder.get()) + "/" + path.filename().string();
  }
  const bool found = address.folder.valid() || text == path.string();
  if (!found || text.size() >= sizeof address.value.sun_path)
    return failure(Error{ErrorKind::machine,
                         "cannot be the place of a socket: " + last_system_error(),
                         path.string(),
                         0,
                         {}});
  address.value.sun_family = AF_UNIX;
  text.copy(address.value.sun_path, text.size());
  return address;
}

Error socket_error(const std::string& what, const fs::path& path) {
  return {ErrorKind::machine, "cannot " + what + ": " + last_system_error(), path.string(), 0, {}};
}

}  // namespace

bool leads_to_socket(const fs::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISSOCK(status.st_mode);
}

Result<FileDescriptor> connect_to(const fs::path& path) {
  TUNECHECK_TRY(const Address address, address_of(path));
  FileDescriptor opened(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  int done = 0;
  do {
    done = ::connect(opened.get(), reinterpret_cast<const sockaddr*>(&address.value),
                     sizeof address.value);
  } while (done != 0 && errno == EINTR);
  if (done != 0) return failure(socket_error("record evidence", path));
  return opened;
}

Result<FileDescriptor> listen_at(const fs::path& path) {
  TUNECHECK_TRY(const Address address, address_of(path));
  ::unlink(path.c_str());
  FileDescriptor opened(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (::bind(opened.get(), reinterpret_cast<const sockaddr*>(&address.value),
             sizeof address.value) != 0 ||
      ::listen(opened.get(), SOMAXCONN) != 0)
    return failure(socket_error("make a socket, through which observers reach the judge", path));
  return opened;
}

}  // namespace tunecheck
