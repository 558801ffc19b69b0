#pragma once
// A real redis-server for tests: with a password, with TLS, or plain.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/command.hpp"
#include "core/files.hpp"

namespace tunecheck::test {

class RedisForTest {
 public:
  enum class Kind { plain, password, tls };
  /// Nothing where this machine has no redis-server, or no openssl for TLS.
  [[nodiscard]] static std::optional<RedisForTest> start(Kind kind);

  /// As TUNECHECK_REMOTE takes it. With another password than the server's where one is given.
  [[nodiscard]] std::string address(const std::string& password = "secret") const;
  /// Of the authority that signed the server's certificate.
  [[nodiscard]] std::string authorities_file() const {
    return (m_folder.path() / "ca.crt").string();
  }

 private:
  RedisForTest(TemporaryFolder folder, LineProcess process, Kind kind, int port)
      : m_folder(std::move(folder)), m_process(std::move(process)), m_kind(kind), m_port(port) {}

  TemporaryFolder m_folder;
  LineProcess m_process;
  Kind m_kind;
  int m_port;
};

/// A server that does one thing with every connection, in a thread of its own.
class BadServer {
 public:
  /// Sends `answer` after the first request, with `pause_ms` milliseconds after each byte if that
  /// is not 0, and then keeps the connection open.
  BadServer(std::string answer, int pause_ms);
  ~BadServer();
  [[nodiscard]] int port() const { return m_port; }
  [[nodiscard]] int connections() const;

 private:
  struct State;
  std::shared_ptr<State> m_state;
  int m_port = 0;
};

}  // namespace tunecheck::test
