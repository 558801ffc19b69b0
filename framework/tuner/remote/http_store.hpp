#pragma once
// A remote cache that speaks HTTP: GET and PUT of ADDRESS/NAME, as Bazel's remote caches, WebDAV
// servers and S3-like stores do.
#include <memory>

#include "tuner/remote/curl_library.hpp"
#include "tuner/remote/remote_options.hpp"
#include "tuner/remote/remote_store.hpp"

namespace tunecheck {

/// 200 is a value, 404 none; 200, 201 and 204 are a stored one; every other status is an error.
/// Redirections are not followed. User and password of the address are sent as Basic
/// authentication.
class HttpStore : public RemoteStore {
 public:
  HttpStore(const CurlLibrary& curl, RemoteAddress address, std::string authorities_file);

  [[nodiscard]] Result<std::optional<std::string>> get(const std::string& name,
                                                       Deadline deadline) override;
  [[nodiscard]] Result<void> put(const std::string& name, const std::string& value,
                                 Deadline deadline) override;
  [[nodiscard]] const std::string& where() const override { return m_where; }

 private:
  [[nodiscard]] Result<CurlHandle> open(const std::string& name, Deadline deadline) const;
  [[nodiscard]] long status_of(const CurlHandle& handle) const;

  const CurlLibrary& m_curl;
  RemoteAddress m_address;
  std::string m_where;
  std::string m_base;  // what names are put behind
  std::string m_authorities_file;
};

}  // namespace tunecheck
