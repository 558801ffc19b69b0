// What is done to other processes, or left to them.
#include <array>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <string>
#include <unistd.h>
#include <vector>

#include <sys/socket.h>
#include <sys/un.h>

#include "adversaries/adversary.hpp"
#include "core/files.hpp"

namespace tunecheck::adversaries {
namespace {

namespace fs = std::filesystem;

void kill_parent(const protocol::CallRequest&) {
  ::kill(::getppid(), SIGKILL);
}

void leave_processes(const protocol::CallAnswer&) {
  for (int i = 0; i < 50; ++i)
    if (::fork() == 0) {
      ::setsid();
      if (::fork() != 0) ::_exit(0);
      ::sleep(1000);
      ::_exit(0);
    }
}

// A socket that has no file, named after the cache folder.
class Hoard {
 public:
  Hoard() : m_socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    m_address.sun_family = AF_UNIX;
    const std::string name = std::to_string(std::hash<std::string>()(cache_folder()));
    std::memcpy(&m_address.sun_path[1], name.data(), name.size());
    m_length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  }

  // Gives the file, whose name below the cache folder comes first, to each that asks.
  void serve(const std::string& name, const std::string& content) const {
    const auto* const address = reinterpret_cast<const sockaddr*>(&m_address);
    if (::bind(m_socket.get(), address, m_length) != 0 || ::listen(m_socket.get(), 4) != 0) return;
    for (;;) {
      const FileDescriptor asks(::accept(m_socket.get(), nullptr, nullptr));
      const std::string all = name + '\n' + content;
      (void)write_all(asks.get(), std::as_bytes(std::span(all)));
    }
  }
  // Puts back what a server hands out; nothing where there is none.
  void fetch() const {
    const auto* const address = reinterpret_cast<const sockaddr*>(&m_address);
    if (::connect(m_socket.get(), address, m_length) != 0) return;
    std::string all;
    std::array<char, 65536> piece;
    for (ssize_t got = 0; (got = ::read(m_socket.get(), piece.data(), piece.size())) > 0;)
      all.append(piece.data(), static_cast<std::size_t>(got));
    const std::size_t end = all.find('\n');
    if (end != all.npos)
      (void)write_file(fs::path(cache_folder()) / all.substr(0, end), all.substr(end + 1));
  }

 private:
  FileDescriptor m_socket;
  sockaddr_un m_address{};
  socklen_t m_length = 0;
};

// Takes the winner's binary away and leaves a process that hands it out.
void leave_hoard(const protocol::CallAnswer&) {
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(cache_folder(), error)) {
    if (entry.path().extension() != ".so") continue;
    const std::string content = read_text_file(entry.path()).value_or("");
    const std::string name = fs::relative(entry.path(), cache_folder()).string();
    fs::remove(entry.path(), error);
    if (::fork() != 0) return;
    ::setsid();
    if (::fork() != 0) ::_exit(0);
    for (int stream = 0; stream < 3; ++stream)
      ::close(stream);
    Hoard().serve(name, content);
    ::_exit(0);
  }
}

}  // namespace

std::vector<Adversary> violent() {
  return {
      {"kills_its_parent", "kills the process that it answers to",
       [](ReferenceAdapterSetup& setup) { setup.before_call = kill_parent; }},
      {"leaves_processes", "leaves fifty processes in sessions of their own",
       [](ReferenceAdapterSetup& setup) { setup.after_answer = leave_processes; }},
      {"hoards_its_binary",
       "removes its winner's binary from the folder and leaves a process that hands it out",
       [](ReferenceAdapterSetup& setup) {
         if (is_warm()) return;
         Hoard().fetch();
         setup.after_answer = leave_hoard;
       }},
  };
}

}  // namespace tunecheck::adversaries
