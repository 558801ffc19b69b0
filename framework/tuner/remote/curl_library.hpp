#pragma once
// libcurl, opened when a remote cache is first used: connections, TLS and HTTP are its. The tuner
// links nothing of it, so a machine without libcurl lacks remote caches and nothing else.
#include <chrono>
#include <memory>
#include <string>

#define CURL_DISABLE_TYPECHECK  // its macros stand in the way of functions that are looked up
#include <curl/curl.h>

#include "core/result.hpp"

namespace tunecheck {

/// The functions by their own names (curl.se/libcurl/c). Made once a process.
struct CurlLibrary {
  decltype(&::curl_easy_init) easy_init = nullptr;
  decltype(&::curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&::curl_easy_setopt) easy_setopt = nullptr;
  decltype(&::curl_easy_perform) easy_perform = nullptr;
  decltype(&::curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&::curl_easy_strerror) easy_strerror = nullptr;
  decltype(&::curl_easy_send) easy_send = nullptr;
  decltype(&::curl_easy_recv) easy_recv = nullptr;
  decltype(&::curl_global_init) global_init = nullptr;
  decltype(&::curl_slist_append) slist_append = nullptr;
  decltype(&::curl_slist_free_all) slist_free_all = nullptr;
  decltype(&::curl_url) url = nullptr;
  decltype(&::curl_url_cleanup) url_cleanup = nullptr;
  decltype(&::curl_url_set) url_set = nullptr;
  decltype(&::curl_url_get) url_get = nullptr;
  decltype(&::curl_free) free = nullptr;
};

/// An error of the kind machine, that says how to mend it, where this machine has no libcurl.
[[nodiscard]] Result<const CurlLibrary*> curl_library();

/// The parts of a remote cache's address, with %20 and the like resolved.
struct RemoteAddress {
  std::string scheme, user, password, host, port, path;

  [[nodiscard]] bool has_tls() const { return scheme == "https" || scheme == "rediss"; }
  /// Without user and password.
  [[nodiscard]] std::string shown() const;
};
/// An error of the kind bad_input; it does not repeat the address, which may hold a password.
[[nodiscard]] Result<RemoteAddress> parse_remote_address(const CurlLibrary& curl,
                                                         const std::string& text);

/// One transfer or connection; closed by its destructor, which does not wait for a name server.
class CurlHandle {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  /// Sets what all of ours have in common: the deadline, no signals, who signs certificates.
  [[nodiscard]] static Result<CurlHandle> create(const CurlLibrary& curl, Deadline deadline,
                                                 const std::string& authorities_file);

  [[nodiscard]] CURL* get() const { return m_handle.get(); }
  template <class Value>
  void set(CURLoption option, Value value) {
    m_curl->easy_setopt(m_handle.get(), option, value);
  }
  /// The error says what went wrong in libcurl's words, after `where`.
  [[nodiscard]] Result<void> perform(const std::string& where);
  /// Time left, at least 1 ms: 0 means no limit to libcurl.
  [[nodiscard]] static long left_ms(Deadline deadline);

 private:
  struct Close {
    const CurlLibrary* curl;
    void operator()(CURL* handle) const { curl->easy_cleanup(handle); }
  };
  CurlHandle(const CurlLibrary& curl, CURL* handle) : m_curl(&curl), m_handle(handle, {&curl}) {}

  const CurlLibrary* m_curl;
  std::unique_ptr<CURL, Close> m_handle;
};

}  // namespace tunecheck
