#include "tuner/remote/redis_store.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <vector>

#include <hiredis/hiredis.h>

#include "core/plain_text.hpp"
#include "core/text.hpp"

namespace tunecheck {
namespace {

constexpr std::string_view redis_prefix = "tunecheck:";
constexpr std::string_view redis_port = "6379";

// One connection and what is said on it, until a deadline. connect() comes first, then command() in
// any number. After an error nothing more is said: what comes next would be an answer to something
// else.
class RedisConversation {
 public:
  using Reply = std::unique_ptr<redisReply, decltype(&::freeReplyObject)>;

  RedisConversation(const CurlLibrary& curl, CurlHandle handle, RemoteStore::Deadline deadline,
                    const std::string& where)
      : m_curl(curl), m_handle(std::move(handle)), m_deadline(deadline), m_where(where) {}

  Result<void> connect(const RemoteAddress& address) {
    const std::string url =
        fmt::format("{}://{}:{}", address.has_tls() ? "https" : "http", address.host,
                    address.port.empty() ? redis_port : address.port);
    m_handle.set(CURLOPT_URL, url.c_str());
    m_handle.set(CURLOPT_CONNECT_ONLY, 1L);
    m_handle.set(CURLOPT_PROXY, "");  // those of the environment are for HTTP
    m_handle.set(CURLOPT_SSL_ENABLE_ALPN, 0L);
    return m_handle.perform(m_where);
  }

  /// True if the last answer was longer than a value may be; it was not read to its end.
  [[nodiscard]] bool is_too_long() const { return m_is_too_long; }

  Result<Reply> command(const std::vector<std::string>& words) {
    std::vector<const char*> texts;
    std::vector<std::size_t> sizes;
    for (const std::string& word : words) {
      texts.push_back(word.data());
      sizes.push_back(word.size());
    }
    char* formatted = nullptr;
    const auto bytes = ::redisFormatCommandArgv(&formatted, static_cast<int>(words.size()),
                                                texts.data(), sizes.data());
    if (bytes < 0) return failure(ErrorKind::machine, "hiredis cannot write a command");
    const std::unique_ptr<char, decltype(&::redisFreeCommand)> owned(formatted, ::redisFreeCommand);
    TUNECHECK_CHECK(send({formatted, static_cast<std::size_t>(bytes)}));
    TUNECHECK_TRY(Reply reply, receive());
    if (reply->type == REDIS_REPLY_ERROR)
      return failure("{} refused {}: {}", m_where, words.front(),
                     words.front() == "AUTH" ? error_code(*reply, words) : error_text(*reply));
    return reply;
  }

  Result<void> expect_ok(const std::vector<std::string>& words) {
    TUNECHECK_TRY(const Reply reply, command(words));
    if (reply->type != REDIS_REPLY_STATUS)
      return failure("{} gave no answer that {} has", m_where, words.front());
    return {};
  }

 private:
  static std::string error_text(const redisReply& reply) {
    return printable_line({reply.str, std::min<std::size_t>(reply.len, 200)});
  }

  // "WRONGPASS": the first word alone, since a server may repeat what it was sent.
  static std::string error_code(const redisReply& reply, const std::vector<std::string>& words) {
    const std::string text = error_text(reply);
    const std::string code = text.substr(0, text.find(' '));
    const bool is_ours = std::any_of(words.begin() + 1, words.end(), [&](const std::string& word) {
      return code.find(word) != std::string::npos;
    });
    return is_ours ? "its answer repeats what it was sent" : code;
  }

  // What commands here are answered with. hiredis makes room for as many values as the head of an
  // array says, which takes seconds.
  static bool is_one_value(char first) {
    return first == '+' || first == '-' || first == '$' || first == ':';
  }

  Result<void> send(std::string_view bytes) {
    while (!bytes.empty()) {
      std::size_t sent = 0;
      const CURLcode code = m_curl.easy_send(m_handle.get(), bytes.data(), bytes.size(), &sent);
      bytes.remove_prefix(sent);
      TUNECHECK_CHECK(go_on(code, POLLOUT));
    }
    return {};
  }

  Result<Reply> receive() {
    const std::unique_ptr<redisReader, decltype(&::redisReaderFree)> reader(::redisReaderCreate(),
                                                                            ::redisReaderFree);
    std::array<char, 65536> buffer{};
    std::size_t received = 0;
    for (;;) {
      std::size_t got = 0;
      const CURLcode code = m_curl.easy_recv(m_handle.get(), buffer.data(), buffer.size(), &got);
      if (code == CURLE_OK && got == 0) return failure("{} ended the connection", m_where);
      TUNECHECK_CHECK(go_on(code, POLLIN));
      if (received == 0 && got > 0 && !is_one_value(buffer.front()))
        return failure("{} does not speak Redis's protocol", m_where);
      received += got;
      m_is_too_long = received > remote_value_limit;
      if (m_is_too_long) return failure("{} sends more than {} bytes", m_where, remote_value_limit);
      void* reply = nullptr;
      if (got > 0 && (::redisReaderFeed(reader.get(), buffer.data(), got) != REDIS_OK ||
                      ::redisReaderGetReply(reader.get(), &reply) != REDIS_OK))
        return failure("{} does not speak Redis's protocol", m_where);
      if (reply != nullptr) return Reply(static_cast<redisReply*>(reply), ::freeReplyObject);
    }
  }

  // After each send or receive: done, or waits until more is possible.
  Result<void> go_on(CURLcode code, short events) {
    if (std::chrono::steady_clock::now() >= m_deadline)
      return failure("{} did not answer within the time limit", m_where);
    if (code == CURLE_OK) return {};
    if (code != CURLE_AGAIN) return failure("{}: {}", m_where, m_curl.easy_strerror(code));
    curl_socket_t socket = CURL_SOCKET_BAD;
    m_curl.easy_getinfo(m_handle.get(), CURLINFO_ACTIVESOCKET, &socket);
    pollfd wanted{socket, events, 0};
    const int ready = ::poll(&wanted, 1, static_cast<int>(CurlHandle::left_ms(m_deadline)));
    if (ready < 0 && errno != EINTR) return failure("{}: waiting for it failed", m_where);
    return {};
  }

  const CurlLibrary& m_curl;
  bool m_is_too_long = false;
  CurlHandle m_handle;
  RemoteStore::Deadline m_deadline;
  const std::string& m_where;
};

Result<RedisConversation> greet(const CurlLibrary& curl, const RemoteAddress& address,
                                const std::string& database, const std::string& authorities_file,
                                RemoteStore::Deadline deadline, const std::string& where) {
  TUNECHECK_TRY(CurlHandle handle, CurlHandle::create(curl, deadline, authorities_file));
  RedisConversation redis(curl, std::move(handle), deadline, where);
  TUNECHECK_CHECK(redis.connect(address));
  if (!address.password.empty()) {
    std::vector<std::string> auth = {"AUTH"};
    if (!address.user.empty()) auth.push_back(address.user);
    auth.push_back(address.password);
    TUNECHECK_CHECK(redis.expect_ok(auth));
  }
  if (database != "0") TUNECHECK_CHECK(redis.expect_ok({"SELECT", database}));
  return redis;
}

}  // namespace

RedisStore::RedisStore(const CurlLibrary& curl, RemoteAddress address, std::string database,
                       std::string authorities_file)
    : m_curl(curl),
      m_address(std::move(address)),
      m_database(std::move(database)),
      m_where(m_address.shown()),
      m_authorities_file(std::move(authorities_file)) {}

Result<std::unique_ptr<RemoteStore>> RedisStore::create(const CurlLibrary& curl,
                                                        RemoteAddress address,
                                                        std::string authorities_file) {
  std::string database = address.path.empty() ? "" : address.path.substr(1);
  if (database.empty()) database = "0";
  constexpr std::int64_t most_databases = 1'000'000;
  const auto number = parse_integer(database);
  if (!number || *number < 0 || *number > most_databases)
    return failure(ErrorKind::bad_input,
                   "expected a remote cache's address with the number of a database, such as "
                   "redis://HOST:PORT/0");
  return std::unique_ptr<RemoteStore>(new RedisStore(
      curl, std::move(address), std::to_string(*number), std::move(authorities_file)));
}

Result<std::optional<std::string>> RedisStore::get(const std::string& name, Deadline deadline) {
  TUNECHECK_TRY(RedisConversation redis,
                greet(m_curl, m_address, m_database, m_authorities_file, deadline, m_where));
  const auto answered = redis.command({"GET", std::string(redis_prefix) + name});
  if (redis.is_too_long()) return std::optional(std::string(remote_value_limit + 1, '\0'));
  if (!answered) return failure(answered.error());
  const auto& reply = *answered;
  if (reply->type == REDIS_REPLY_NIL) return std::optional<std::string>();
  if (reply->type != REDIS_REPLY_STRING) return failure("{} gave no answer that GET has", m_where);
  return std::optional(std::string(reply->str, static_cast<std::size_t>(reply->len)));
}

Result<void> RedisStore::put(const std::string& name, const std::string& value, Deadline deadline) {
  TUNECHECK_TRY(RedisConversation redis,
                greet(m_curl, m_address, m_database, m_authorities_file, deadline, m_where));
  return redis.expect_ok({"SET", std::string(redis_prefix) + name, value});
}

}  // namespace tunecheck
