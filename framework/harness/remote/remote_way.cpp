#include "harness/remote/remote_way.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include "harness/remote/remote_command.hpp"
#include "observe/evidence_clock.hpp"

namespace tunecheck {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Tcp = asio::ip::tcp;
using Local = asio::local::stream_protocol;

// So long a request is left without an answer, or a slow answer goes on: longer than any limit that
// a scenario asks about, and short enough for a tuner without one to be judged.
constexpr std::chrono::seconds longest_wait(12);
constexpr std::chrono::milliseconds slow_pause(200);
constexpr std::size_t slow_bytes = 16;
// A miss and a stored value have shorter answers than this, and a winner has a longer one.
constexpr std::size_t truncated_bytes = 400;
constexpr std::string_view garbage = "\x16\x03\xffthis is no answer\x01\x02\r\n\r\n";

// What all connections of one proxy write down.
class RequestBook {
 public:
  std::size_t begin() {
    const std::lock_guard lock(m_mutex);
    m_requests.push_back({evidence_now_ns()});
    return m_requests.size() - 1;
  }
  void reads(std::size_t index) {
    const std::lock_guard lock(m_mutex);
    m_requests[index].is_read = true;
  }
  void answered(std::size_t index) {
    const std::lock_guard lock(m_mutex);
    m_requests[index].ended_ns = evidence_now_ns();
    m_requests[index].is_answered = true;
  }
  void ended(std::size_t index) {
    const std::lock_guard lock(m_mutex);
    m_requests[index].ended_ns = evidence_now_ns();
  }
  std::vector<RemoteRequest> all() const {
    const std::lock_guard lock(m_mutex);
    return m_requests;
  }

 private:
  mutable std::mutex m_mutex;
  std::vector<RemoteRequest> m_requests;
};

// One connection of the tuner's and the one to the server that belongs to it. Lives as long as a
// handler of its has not run; close() lets all of them run. A request begins with the first byte
// after an answer.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Tcp::socket tuner, RemoteWay way, RequestBook& book)
      : m_tuner(std::move(tuner)),
        m_server(m_tuner.get_executor()),
        m_timer(m_tuner.get_executor()),
        m_way(way),
        m_book(book) {}

  void start(const std::string& server) {
    error_code failed;
    m_server.connect(Local::endpoint(server), failed);
    if (failed) return close();
    read_request();
    if (m_way != RemoteWay::hangs && m_way != RemoteWay::garbage) read_answer();
  }

  void close() {
    if (m_pending) m_book.ended(*m_pending);
    m_pending.reset();
    error_code ignored;
    m_tuner.close(ignored);
    m_server.close(ignored);
    m_timer.cancel();
  }

 private:
  void read_request() {
    m_tuner.async_read_some(asio::buffer(m_request),
                            [self = shared_from_this()](error_code failed, std::size_t size) {
                              failed ? self->close() : self->take_request(size);
                            });
  }

  void take_request(std::size_t size) {
    const bool is_new = !m_pending || m_is_answered;
    if (is_new) m_pending = m_book.begin();
    m_is_answered = false;
    if (asks_for_a_value({m_request.data(), size})) m_book.reads(*m_pending);
    if (m_way == RemoteWay::garbage) return answer_garbage();
    if (m_way == RemoteWay::hangs) {
      if (is_new) close_after_a_while();
      return read_request();
    }
    asio::async_write(m_server, asio::buffer(m_request, size),
                      [self = shared_from_this()](error_code failed, std::size_t) {
                        failed ? self->close() : self->read_request();
                      });
  }

  void close_after_a_while() {
    m_timer.expires_after(longest_wait);
    m_timer.async_wait([self = shared_from_this()](error_code cancelled) {
      if (!cancelled) self->close();
    });
  }

  void answer_garbage() {
    asio::async_write(m_tuner, asio::buffer(garbage.data(), garbage.size()),
                      [self = shared_from_this()](error_code, std::size_t) {
                        if (self->m_pending) self->m_book.answered(*self->m_pending);
                        self->close();
                      });
  }

  void read_answer() {
    m_server.async_read_some(asio::buffer(m_answer),
                             [self = shared_from_this()](error_code failed, std::size_t size) {
                               failed ? self->close() : self->pass_answer(0, size);
                             });
  }

  void pass_answer(std::size_t from, std::size_t size) {
    if (from == size) return read_answer();
    std::size_t now = size - from;
    if (m_way == RemoteWay::slow) now = std::min(now, slow_bytes);
    if (m_way == RemoteWay::truncated) {
      if (m_passed >= truncated_bytes) return close();
      now = std::min(now, truncated_bytes - m_passed);
    }
    m_passed += now;
    asio::async_write(m_tuner, asio::buffer(m_answer.data() + from, now),
                      [self = shared_from_this(), from, now, size](error_code failed, std::size_t) {
                        if (failed) return self->close();
                        if (self->m_pending) self->m_book.answered(*self->m_pending);
                        self->m_is_answered = from + now == size;
                        if (self->m_way == RemoteWay::slow) return self->wait(from + now, size);
                        self->pass_answer(from + now, size);
                      });
  }

  void wait(std::size_t from, std::size_t size) {
    if (m_passed > slow_bytes * (longest_wait / slow_pause)) return close();
    m_timer.expires_after(slow_pause);
    m_timer.async_wait([self = shared_from_this(), from, size](error_code cancelled) {
      if (!cancelled) self->pass_answer(from, size);
    });
  }

  Tcp::socket m_tuner;
  Local::socket m_server;
  asio::steady_timer m_timer;
  RemoteWay m_way;
  RequestBook& m_book;
  std::optional<std::size_t> m_pending;  // the request that was answered last, or will be
  bool m_is_answered = false;
  std::size_t m_passed = 0;  // bytes of answers
  std::array<char, 65536> m_request{};
  std::array<char, 65536> m_answer{};
};

// A thread that accepts connections and passes them on, each by a Connection of its own, until it
// is destroyed.
class AsioProxy : public RemoteProxy {
 public:
  AsioProxy(std::string server, RemoteWay way)
      : m_server(std::move(server)), m_way(way), m_acceptor(m_io) {}
  ~AsioProxy() override { m_io.stop(); }

  // Where it is down, the port is taken and nobody listens on it.
  Result<void> begin() {
    error_code failed;
    const Tcp::endpoint any_port(asio::ip::address_v4::loopback(), 0);
    m_acceptor.open(any_port.protocol(), failed);
    if (!failed) m_acceptor.bind(any_port, failed);
    if (!failed && m_way != RemoteWay::down) m_acceptor.listen(128, failed);
    if (!failed) m_port = m_acceptor.local_endpoint(failed).port();
    if (failed)
      return failure(ErrorKind::machine, "no port for a remote cache: {}", failed.message());
    if (m_way != RemoteWay::down) accept();
    m_thread = std::jthread([this] { m_io.run(); });
    return {};
  }

  [[nodiscard]] int port() const override { return m_port; }
  [[nodiscard]] std::vector<RemoteRequest> requests() const override { return m_book.all(); }

 private:
  void accept() {
    m_acceptor.async_accept([this](error_code failed, Tcp::socket tuner) {
      if (failed) return;
      std::make_shared<Connection>(std::move(tuner), m_way, m_book)->start(m_server);
      accept();
    });
  }

  std::string m_server;
  RemoteWay m_way;
  int m_port = 0;
  RequestBook m_book;
  asio::io_context m_io;
  Tcp::acceptor m_acceptor;
  std::jthread m_thread;  // ends before what it uses
};

}  // namespace

Result<std::unique_ptr<RemoteProxy>> RemoteProxy::start(const std::filesystem::path& server,
                                                        RemoteWay way) {
  auto proxy = std::make_unique<AsioProxy>(server.string(), way);
  TUNECHECK_CHECK(proxy->begin());
  return std::unique_ptr<RemoteProxy>(std::move(proxy));
}

}  // namespace tunecheck
