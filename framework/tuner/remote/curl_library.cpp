#include "tuner/remote/curl_library.hpp"

#include <algorithm>
#include <array>
#include <dlfcn.h>

namespace tunecheck {
namespace {

// Debian builds libcurl with OpenSSL under the first name; the others have another TLS.
constexpr std::array<const char*, 3> curl_names = {"libcurl.so.4", "libcurl-gnutls.so.4",
                                                   "libcurl-nss.so.4"};

// An installed tunecheck has an OpenSSL of its own, and libcurl the system's, which may be another:
// each must find its own functions. A sanitizer's must be found before all others.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int curl_flags = RTLD_NOW | RTLD_LOCAL;
#else
constexpr int curl_flags = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#endif

template <class Function>
bool look_up(void* library, const char* name, Function& function) {
  *reinterpret_cast<void**>(&function) = ::dlsym(library, name);
  return function != nullptr;
}

bool look_up_all(void* library, CurlLibrary& curl) {
  return look_up(library, "curl_easy_init", curl.easy_init) &&
         look_up(library, "curl_easy_cleanup", curl.easy_cleanup) &&
         look_up(library, "curl_easy_setopt", curl.easy_setopt) &&
         look_up(library, "curl_easy_perform", curl.easy_perform) &&
         look_up(library, "curl_easy_getinfo", curl.easy_getinfo) &&
         look_up(library, "curl_easy_strerror", curl.easy_strerror) &&
         look_up(library, "curl_easy_send", curl.easy_send) &&
         look_up(library, "curl_easy_recv", curl.easy_recv) &&
         look_up(library, "curl_global_init", curl.global_init) &&
         look_up(library, "curl_slist_append", curl.slist_append) &&
         look_up(library, "curl_slist_free_all", curl.slist_free_all) &&
         look_up(library, "curl_url", curl.url) &&
         look_up(library, "curl_url_cleanup", curl.url_cleanup) &&
         look_up(library, "curl_url_set", curl.url_set) &&
         look_up(library, "curl_url_get", curl.url_get) && look_up(library, "curl_free", curl.free);
}

Result<CurlLibrary> open_curl() {
  void* library = nullptr;
  for (const char* const name : curl_names)
    if (library == nullptr) library = ::dlopen(name, curl_flags);
  CurlLibrary curl;
  if (library == nullptr || !look_up_all(library, curl))
    return failure(ErrorKind::machine,
                   "there is no libcurl here, which remote caches need: install libcurl4");
  if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
    return failure(ErrorKind::machine, "libcurl cannot be used: its start failed");
  return curl;
}

// "" where the address does not have the part.
std::string part_of(const CurlLibrary& curl, CURLU* url, CURLUPart part, unsigned flags) {
  char* text = nullptr;
  if (curl.url_get(url, part, &text, flags) != CURLUE_OK || text == nullptr) return {};
  std::string value = text;
  curl.free(text);
  return value;
}

}  // namespace

Result<const CurlLibrary*> curl_library() {
  static const Result<CurlLibrary> opened = open_curl();
  if (!opened) return failure(opened.error());
  return &*opened;
}

std::string RemoteAddress::shown() const {
  return fmt::format("{}://{}{}{}{}", scheme, host, port.empty() ? "" : ":", port, path);
}

Result<RemoteAddress> parse_remote_address(const CurlLibrary& curl, const std::string& text) {
  const std::unique_ptr<CURLU, decltype(curl.url_cleanup)> url(curl.url(), curl.url_cleanup);
  constexpr std::array<std::string_view, 4> schemes = {"redis", "rediss", "http", "https"};
  const bool is_url = url != nullptr && curl.url_set(url.get(), CURLUPART_URL, text.c_str(),
                                                     CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK;
  const auto wrong = [](std::string_view what) {
    return failure(ErrorKind::bad_input, "expected a remote cache's address {}", what);
  };
  RemoteAddress address;
  if (is_url) {
    const auto has = [&](CURLUPart part) { return !part_of(curl, url.get(), part, 0).empty(); };
    if (has(CURLUPART_QUERY) || has(CURLUPART_FRAGMENT)) return wrong("without \"?\" and \"#\"");
    if (text.find(":///") != text.npos) return wrong("with a host");
    address.scheme = part_of(curl, url.get(), CURLUPART_SCHEME, 0);
    address.user = part_of(curl, url.get(), CURLUPART_USER, CURLU_URLDECODE);
    address.password = part_of(curl, url.get(), CURLUPART_PASSWORD, CURLU_URLDECODE);
    address.host = part_of(curl, url.get(), CURLUPART_HOST, 0);
    address.port = part_of(curl, url.get(), CURLUPART_PORT, 0);
    address.path = part_of(curl, url.get(), CURLUPART_PATH, 0);
    // A control character, which no server takes, is decoded to nothing.
    if (address.user.empty() && has(CURLUPART_USER)) return wrong("whose user can be decoded");
    if (address.password.empty() && has(CURLUPART_PASSWORD))
      return wrong("whose password can be decoded");
    if (!address.user.empty() && address.password.empty())
      return wrong("with a password for its user");
    if (address.port == "0") return wrong("with a port from 1 on");
  }
  if (!is_url || address.host.empty() ||
      std::find(schemes.begin(), schemes.end(), address.scheme) == schemes.end())
    return failure(ErrorKind::bad_input,
                   "expected an address of a remote cache such as redis://HOST:PORT/0 or "
                   "http://HOST:PORT/FOLDER");
  return address;
}

long CurlHandle::left_ms(Deadline deadline) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return std::max<long>(1, static_cast<long>(left.count()));
}

Result<CurlHandle> CurlHandle::create(const CurlLibrary& curl, Deadline deadline,
                                      const std::string& authorities_file) {
  CurlHandle handle(curl, curl.easy_init());
  if (handle.get() == nullptr) return failure(ErrorKind::machine, "libcurl cannot be used");
  handle.set(CURLOPT_NOSIGNAL, 1L);
  handle.set(CURLOPT_TIMEOUT_MS, left_ms(deadline));
  handle.set(CURLOPT_CONNECTTIMEOUT_MS, left_ms(deadline));
#if LIBCURL_VERSION_NUM >= 0x075700
  // Else its end waits for a name server that does not answer (curl 7.87 and later).
  handle.set(CURLOPT_QUICK_EXIT, 1L);
#endif
  if (!authorities_file.empty()) handle.set(CURLOPT_CAINFO, authorities_file.c_str());
  return handle;
}

Result<void> CurlHandle::perform(const std::string& where) {
  const CURLcode code = m_curl->easy_perform(m_handle.get());
  if (code == CURLE_OK) return {};
  if (code == CURLE_OPERATION_TIMEDOUT)
    return failure("{} did not answer within the time limit", where);
  return failure("{}: {}", where, m_curl->easy_strerror(code));
}

}  // namespace tunecheck
