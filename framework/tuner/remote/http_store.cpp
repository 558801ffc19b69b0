#include "tuner/remote/http_store.hpp"

#include <algorithm>
#include <cstring>

namespace tunecheck {
namespace {

// libcurl's callbacks: fewer bytes than were given end the transfer.
std::size_t keep_received(char* bytes, std::size_t size, std::size_t count, void* into) {
  std::string& text = *static_cast<std::string*>(into);
  text.append(bytes, std::min(size * count, remote_value_limit + 1 - text.size()));
  return text.size() > remote_value_limit ? 0 : size * count;
}

struct Sending {
  const std::string& value;
  std::size_t at = 0;
};

std::size_t give_to_send(char* bytes, std::size_t size, std::size_t count, void* from) {
  Sending& sending = *static_cast<Sending*>(from);
  const std::size_t given = std::min(size * count, sending.value.size() - sending.at);
  std::memcpy(bytes, sending.value.data() + sending.at, given);
  sending.at += given;
  return given;
}

}  // namespace

HttpStore::HttpStore(const CurlLibrary& curl, RemoteAddress address, std::string authorities_file)
    : m_curl(curl),
      m_address(std::move(address)),
      m_where(m_address.shown()),
      m_base(m_where.ends_with('/') ? m_where : m_where + "/"),
      m_authorities_file(std::move(authorities_file)) {}

Result<CurlHandle> HttpStore::open(const std::string& name, Deadline deadline) const {
  TUNECHECK_TRY(CurlHandle handle, CurlHandle::create(m_curl, deadline, m_authorities_file));
  handle.set(CURLOPT_URL, (m_base + name).c_str());
  if (!m_address.user.empty()) handle.set(CURLOPT_USERNAME, m_address.user.c_str());
  if (!m_address.password.empty()) handle.set(CURLOPT_PASSWORD, m_address.password.c_str());
  return handle;
}

long HttpStore::status_of(const CurlHandle& handle) const {
  long status = 0;
  m_curl.easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
  return status;
}

Result<std::optional<std::string>> HttpStore::get(const std::string& name, Deadline deadline) {
  TUNECHECK_TRY(CurlHandle handle, open(name, deadline));
  std::string received;
  handle.set(CURLOPT_WRITEFUNCTION, &keep_received);
  handle.set(CURLOPT_WRITEDATA, static_cast<void*>(&received));
  if (const auto done = handle.perform(m_where); !done && received.size() <= remote_value_limit)
    return failure(done.error());
  const long status = status_of(handle);
  if (status == 404) return std::optional<std::string>();
  if (status != 200) return failure("{} answered with HTTP status {}", m_where, status);
  return std::optional(std::move(received));
}

Result<void> HttpStore::put(const std::string& name, const std::string& value, Deadline deadline) {
  TUNECHECK_TRY(CurlHandle handle, open(name, deadline));
  Sending sending{value};
  std::string answered;
  // Without this header libcurl waits up to a second for leave to send.
  const std::unique_ptr<curl_slist, decltype(m_curl.slist_free_all)> headers(
      m_curl.slist_append(nullptr, "Expect:"), m_curl.slist_free_all);
  handle.set(CURLOPT_HTTPHEADER, headers.get());
  handle.set(CURLOPT_UPLOAD, 1L);
  handle.set(CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(value.size()));
  handle.set(CURLOPT_READFUNCTION, &give_to_send);
  handle.set(CURLOPT_READDATA, static_cast<void*>(&sending));
  handle.set(CURLOPT_WRITEFUNCTION, &keep_received);
  handle.set(CURLOPT_WRITEDATA, static_cast<void*>(&answered));
  TUNECHECK_CHECK(handle.perform(m_where));
  const long status = status_of(handle);
  if (status != 200 && status != 201 && status != 204)
    return failure("{} answered with HTTP status {}", m_where, status);
  return {};
}

}  // namespace tunecheck
