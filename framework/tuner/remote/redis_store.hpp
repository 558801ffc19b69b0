#pragma once
// A remote cache that is a Redis server. libcurl connects (with TLS for rediss://), and hiredis
// writes the commands and reads the replies. hiredis does not connect itself: its time limits are
// those of single reads, so a server that sends a byte now and then could keep a call waiting, and
// Debian 12's has no TLS.
#include "tuner/remote/curl_library.hpp"
#include "tuner/remote/remote_store.hpp"

namespace tunecheck {

/// Values have the name "tunecheck:" and 64 hex digits, in the database that the address names (0
/// if it names none). A password of the address, with or without a user, is given to AUTH. Values
/// have no expiry: the server's maxmemory-policy decides what goes.
class RedisStore : public RemoteStore {
 public:
  /// An error of the kind bad_input where the address names no database.
  [[nodiscard]] static Result<std::unique_ptr<RemoteStore>> create(const CurlLibrary& curl,
                                                                   RemoteAddress address,
                                                                   std::string authorities_file);

  [[nodiscard]] Result<std::optional<std::string>> get(const std::string& name,
                                                       Deadline deadline) override;
  [[nodiscard]] Result<void> put(const std::string& name, const std::string& value,
                                 Deadline deadline) override;
  [[nodiscard]] const std::string& where() const override { return m_where; }

 private:
  RedisStore(const CurlLibrary& curl, RemoteAddress address, std::string database,
             std::string authorities_file);

  const CurlLibrary& m_curl;
  RemoteAddress m_address;
  std::string m_database;  // digits
  std::string m_where;
  std::string m_authorities_file;
};

}  // namespace tunecheck
