#include "remote_server.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string_view>
#include <thread>
#include <unistd.h>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace tunecheck::test {
namespace {

int bound_socket(int& port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  if (::bind(socket, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    return -1;
  port = ntohs(address.sin_port);
  return socket;
}

int free_port() {
  int port = 0;
  ::close(bound_socket(port));
  return port;
}

// An authority, and a certificate of localhost that it has signed.
bool make_certificates(const std::filesystem::path& folder) {
  const std::string script =
      "openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -days 2 -subj /CN=ca "
      "&& openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj "
      "/CN=localhost && printf 'subjectAltName=DNS:localhost' > names "
      "&& openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -out "
      "server.crt -days 2 -extfile names";
  CommandOptions options;
  options.arguments = {"sh", "-c", script};
  options.folder = folder;
  const auto done = run_command(options);
  return done && done->end.success();
}

}  // namespace

std::optional<RedisForTest> RedisForTest::start(Kind kind) {
  if (find_program("redis-server").empty()) return std::nullopt;
  TemporaryFolder folder = TemporaryFolder::create("tunecheck-redis").value();
  const int port = free_port();
  CommandOptions options;
  options.folder = folder.path();
  options.arguments = {"redis-server", "--save", "", "--appendonly", "no", "--bind", "127.0.0.1"};
  std::vector<std::string> more = {"--port", std::to_string(port)};
  if (kind == Kind::password) more.insert(more.end(), {"--requirepass", "secret"});
  if (kind == Kind::tls) {
    if (!make_certificates(folder.path())) return std::nullopt;
    more = {"--port",
            "0",
            "--tls-port",
            std::to_string(port),
            "--tls-cert-file",
            "server.crt",
            "--tls-key-file",
            "server.key",
            "--tls-ca-cert-file",
            "ca.crt",
            "--tls-auth-clients",
            "no"};
  }
  options.arguments.insert(options.arguments.end(), more.begin(), more.end());
  auto process = LineProcess::start(options, folder.path() / "log");
  if (!process) return std::nullopt;
  for (;;) {
    const auto read = process->read_line(std::chrono::seconds(20));
    if (read.state != LineProcess::ReadState::line) return std::nullopt;
    if (read.line.find("eady to accept connections") != read.line.npos) break;
  }
  return RedisForTest(std::move(folder), std::move(*process), kind, port);
}

std::string RedisForTest::address(const std::string& password) const {
  return fmt::format("{}://{}localhost:{}/0", m_kind == Kind::tls ? "rediss" : "redis",
                     m_kind == Kind::password ? ":" + password + "@" : "", m_port);
}

struct BadServer::State {
  std::string answer;
  int pause_ms = 0;
  int listener = -1;
  std::atomic<int> connections{0};
  std::atomic<bool> ends{false};
};

namespace {

template <class State>
void misbehave(const std::shared_ptr<State>& state, int connection) {
  char request[4096];
  (void)::recv(connection, request, sizeof(request), 0);
  std::string_view left = state->answer;
  const std::size_t at_once = state->pause_ms > 0 ? 1 : left.size();
  while (!left.empty() && !state->ends) {
    const auto sent = ::send(connection, left.data(), std::min(at_once, left.size()), MSG_NOSIGNAL);
    if (sent <= 0) break;
    left.remove_prefix(static_cast<std::size_t>(sent));
    std::this_thread::sleep_for(std::chrono::milliseconds(state->pause_ms));
  }
  while (!state->ends && ::recv(connection, request, sizeof(request), 0) > 0) {
  }
  ::close(connection);
}

}  // namespace

BadServer::BadServer(std::string answer, int pause_ms) : m_state(std::make_shared<State>()) {
  m_state->answer = std::move(answer);
  m_state->pause_ms = pause_ms;
  m_state->listener = bound_socket(m_port);
  ::listen(m_state->listener, 16);
  std::thread([state = m_state] {
    for (int connection; (connection = ::accept(state->listener, nullptr, nullptr)) >= 0;) {
      ++state->connections;
      std::thread([state, connection] { misbehave(state, connection); }).detach();
    }
  }).detach();
}

BadServer::~BadServer() {
  m_state->ends = true;
  ::shutdown(m_state->listener, SHUT_RDWR);
}

int BadServer::connections() const {
  return m_state->connections;
}

}  // namespace tunecheck::test
