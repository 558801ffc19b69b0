#include "observe/evidence_inbox.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <list>
#include <mutex>
#include <poll.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>

#include <sys/eventfd.h>
#include <sys/socket.h>

#include "core/files.hpp"
#include "observe/event_lines.hpp"
#include "observe/evidence_socket.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

int peer_of(const FileDescriptor& socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : 0;
}

void wake(const FileDescriptor& event) {
  const std::uint64_t one = 1;
  (void)!::write(event.get(), &one, sizeof one);
}

}  // namespace

// receive() takes in what there is. The thread calls it when something came, and take() calls it so
// that nothing is missing that was sent before. Once m_trouble is set, nothing is taken
// in any more, and take() says why.
class EvidenceInbox::Receiver {
 public:
  Receiver(fs::path path, FileDescriptor listener, FileDescriptor file, Limits limits)
      : m_path(std::move(path)),
        m_limits(limits),
        m_file(std::move(file)),
        m_woken(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        m_listener(std::move(listener)),
        m_thread([this](const std::stop_token& stop) { receive_until(stop); }) {}
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;
  ~Receiver() {
    m_thread.request_stop();
    wake(m_woken);
    m_thread.join();
    std::error_code ignored;
    fs::remove(m_path, ignored);
  }

  Result<std::vector<SentLines>> take() {
    const std::scoped_lock lock(m_mutex);
    receive();
    wake(m_woken);  // the thread does not know of connections that came just now
    if (!m_trouble.empty())
      return failure(ErrorKind::untrusted, "evidence is missing: {}", m_trouble);
    return std::exchange(m_new, {});
  }

 private:
  struct Connection {
    FileDescriptor socket;
    int sender = 0;
    std::string begun = {};  // of a line
  };

  void receive_until(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      std::vector<pollfd> waited = {{m_woken.get(), POLLIN, 0}};
      {
        const std::scoped_lock lock(m_mutex);
        receive();
        if (m_trouble.empty()) waited.push_back({m_listener.get(), POLLIN, 0});
        for (const Connection& connection : m_connections)
          waited.push_back({connection.socket.get(), POLLIN, 0});
      }
      (void)::poll(waited.data(), waited.size(), -1);
      std::uint64_t times = 0;
      (void)!::read(m_woken.get(), &times, sizeof times);
    }
  }

  void receive() {
    while (m_trouble.empty() && accept_some())
      read_connections();
    if (m_trouble.empty()) read_connections();
    if (m_trouble.empty() && m_connections.size() > m_limits.senders)
      give_up(fmt::format("more than {} senders at one moment", m_limits.senders));
    if (m_trouble.empty()) return;
    m_connections.clear();
    m_listener.reset();  // who sends more is refused, and does not wait
  }

  // A line that was sent before another connection was made is read before what came through that
  // one: connections are made first, and then read in their order. Most end with their one line,
  // and a process that launches a thousand kernels makes thousands before anybody looks. False when
  // there is none left.
  bool accept_some() {
    constexpr int some = 128;
    for (int i = 0; i < some; ++i) {
      FileDescriptor made(
          ::accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (!made.valid()) return false;
      const int sender = peer_of(made);
      m_connections.push_back({std::move(made), sender});
    }
    return true;
  }

  void read_connections() {
    for (auto connection = m_connections.begin(); connection != m_connections.end();)
      connection = read_all(*connection) ? std::next(connection) : m_connections.erase(connection);
  }

  // False when the connection has ended.
  bool read_all(Connection& connection) {
    std::array<char, 65536> piece;
    for (;;) {
      const ssize_t got = ::read(connection.socket.get(), piece.data(), piece.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
      add(connection, {piece.data(), static_cast<std::size_t>(got)});
      if (!m_trouble.empty()) return false;
    }
  }

  void add(Connection& connection, std::string_view piece) {
    m_received += piece.size();
    if (m_received > m_limits.bytes)
      return give_up(fmt::format("more than {} bytes were sent", m_limits.bytes));
    connection.begun += piece;
    const std::size_t end = connection.begun.rfind('\n');
    if (end == std::string::npos) return;
    std::string lines = connection.begun.substr(0, end + 1);
    connection.begun.erase(0, end + 1);
    if (!write_all(m_file.get(), std::as_bytes(std::span(lines))))
      return give_up("its file cannot be written: " + last_system_error());
    m_new.push_back({connection.sender, std::move(lines)});
  }

  void give_up(std::string why) {
    m_trouble = std::move(why);
    m_new.clear();
  }

  const fs::path m_path;
  const Limits m_limits;
  const FileDescriptor m_file, m_woken;
  std::mutex m_mutex;
  // Guarded by m_mutex:
  FileDescriptor m_listener;
  std::list<Connection> m_connections;  // in the order in which they were made
  std::vector<SentLines> m_new;
  std::uint64_t m_received = 0;
  std::string m_trouble;
  std::jthread m_thread;  // declared last: begins when all is there
};

EvidenceInbox::EvidenceInbox(std::unique_ptr<Receiver> receiver)
    : m_receiver(std::move(receiver)) {}
EvidenceInbox::~EvidenceInbox() = default;

Result<std::unique_ptr<EvidenceInbox>> EvidenceInbox::open(const fs::path& socket,
                                                           const fs::path& file, Limits limits) {
  TUNECHECK_TRY(FileDescriptor written, open_evidence(file));
  TUNECHECK_TRY(FileDescriptor listener, listen_at(socket));
  return std::unique_ptr<EvidenceInbox>(new EvidenceInbox(
      std::make_unique<Receiver>(socket, std::move(listener), std::move(written), limits)));
}

Result<std::vector<SentLines>> EvidenceInbox::take() {
  return m_receiver->take();
}

}  // namespace tunecheck
