// Remote caches: what is believed of them, how long they are waited for, and what is kept.
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "probe_kernel.hpp"
#include "remote_server.hpp"
#include "tuner/remote/remote_cache.hpp"
#include "tuner/store/entry_format.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using testing::HasSubstr;

const std::string secret = "0123456789abcdef0123456789abcdef";
const std::string other_secret = "fedcba9876543210fedcba9876543210";

// Values in this process's memory: a second implementation, without a network.
class MemoryStore : public RemoteStore {
 public:
  using Values = std::map<std::string, std::string>;
  explicit MemoryStore(std::shared_ptr<Values> values) : m_values(std::move(values)) {}
  Result<std::optional<std::string>> get(const std::string& name, Deadline) override {
    const auto found = m_values->find(name);
    if (found == m_values->end()) return std::optional<std::string>();
    return std::optional(found->second);
  }
  Result<void> put(const std::string& name, const std::string& value, Deadline) override {
    (*m_values)[name] = value;
    return {};
  }
  [[nodiscard]] const std::string& where() const override { return m_where; }

 private:
  std::shared_ptr<Values> m_values;
  std::string m_where = "memory";
};

RemoteOptions options_with(const std::string& key, const std::string& salt = "") {
  RemoteOptions options;
  options.address = "memory";
  options.key = key;
  options.salt = salt;
  return options;
}

class RemoteTest : public testing::Test {
 protected:
  // A machine with a cache folder of its own.
  CallReport call_on(const std::string& machine, const RemoteOptions& remote,
                     bool may_search = true) {
    TunerOptions options = quick_options(m_home.path() / machine);
    options.remote = remote;
    options.may_search = may_search;
    options.search.effort = m_effort;
    TunerParts parts = TunerParts::standard();
    if (remote.address == "memory")
      parts.make_remote = [values = m_values](const RemoteOptions& given) {
        return std::make_unique<RemoteCache>(std::make_unique<MemoryStore>(values), given);
      };
    Tuner tuner(m_backend, options, parts);
    ProbeTensors tensors;
    CallReport report = tuner.bind(m_folder.request()).value().call(tensors.arguments()).value();
    m_winner = *report.winner;
    report.winner = nullptr;
    EXPECT_TRUE(tensors.hold_one_launch());
    return report;
  }

  std::string& only_value() {
    EXPECT_EQ(m_values->size(), 1u);
    return m_values->begin()->second;
  }

  void expect_refused(const std::string& reason) {
    const CallReport report = call_on("second", options_with(secret));
    EXPECT_EQ(report.remote, RemoteUse::refused);
    EXPECT_EQ(report.cache, CacheUse::miss);
    EXPECT_THAT(report.message, HasSubstr(reason));
  }

  TemporaryFolder m_home = TemporaryFolder::create("tunecheck-remote-test").value();
  ProbeFolder m_folder;
  FunctionBackend m_backend{run_probe};
  std::shared_ptr<MemoryStore::Values> m_values = std::make_shared<MemoryStore::Values>();
  Config m_winner;
  std::optional<Effort> m_effort;
};

TEST_F(RemoteTest, a_second_machine_compiles_and_tries_nothing_and_keeps_the_winner) {
  const CallReport first = call_on("first", options_with(secret));
  EXPECT_EQ(first.remote, RemoteUse::miss);
  const Config winner = m_winner;
  const int compiles = m_backend.compiles();
  const CallReport second = call_on("second", options_with(secret));
  EXPECT_EQ(second.remote, RemoteUse::hit);
  EXPECT_EQ(second.cache, CacheUse::hit);
  EXPECT_TRUE(second.trials.empty());
  EXPECT_EQ(m_winner, winner);
  m_values->clear();
  const CallReport third = call_on("second", options_with(secret));
  EXPECT_EQ(third.cache, CacheUse::hit);
  EXPECT_EQ(third.remote, RemoteUse::none);
  EXPECT_EQ(m_backend.compiles(), compiles);
}

TEST_F(RemoteTest, a_process_that_may_not_search_takes_a_signed_winner) {
  call_on("first", options_with(secret));
  const Config winner = m_winner;
  EXPECT_EQ(call_on("second", options_with(secret), false).cache, CacheUse::hit);
  EXPECT_EQ(m_winner, winner);
}

TEST_F(RemoteTest, what_another_key_has_signed_is_refused) {
  call_on("stranger", options_with(other_secret));
  expect_refused("the signature does not fit");
}

TEST_F(RemoteTest, what_nobody_has_signed_is_refused) {
  call_on("stranger", options_with(""));
  expect_refused("the value is not signed");
}

TEST_F(RemoteTest, every_changed_byte_and_every_cut_is_refused) {
  call_on("first", options_with(secret));
  const std::string name = m_values->begin()->first;
  const std::string whole = only_value();
  const auto is_good = [&](const std::string& value) {
    const auto record = split_remote_value(value);
    return record && is_signed_with(*record, name, secret);
  };
  ASSERT_TRUE(is_good(whole));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_FALSE(is_good(changed)) << "byte " << i;
    EXPECT_FALSE(is_good(whole.substr(0, i))) << "cut at " << i;
  }
}

TEST_F(RemoteTest, a_value_under_another_name_is_refused) {
  call_on("first", options_with(secret));
  const std::string value = only_value();
  m_values->clear();
  call_on("first again", options_with(secret, "another salt"));
  only_value() = value;
  const CallReport report = call_on("second", options_with(secret, "another salt"));
  EXPECT_EQ(report.remote, RemoteUse::refused);
  EXPECT_THAT(report.message, HasSubstr("the signature does not fit"));
}

TEST_F(RemoteTest, another_format_is_refused_and_then_healed) {
  call_on("first", options_with(secret));
  only_value() = "another program's";
  expect_refused("a format other than");
  EXPECT_EQ(call_on("third", options_with(secret)).remote, RemoteUse::hit);
}

TEST_F(RemoteTest, a_value_that_is_too_long_is_refused_and_replaced) {
  call_on("first", options_with(secret));
  only_value() = std::string(remote_value_limit + 1, 'x');
  expect_refused("it has more than 128 MiB");
  EXPECT_LT(only_value().size(), remote_value_limit);
  EXPECT_EQ(call_on("third", options_with(secret)).remote, RemoteUse::hit);
}

TEST_F(RemoteTest, of_a_value_that_is_too_long_a_server_is_not_listened_to_for_the_rest) {
  RemoteOptions options = options_with(secret);
  options.time_limit = std::chrono::seconds(60);
  for (const std::string scheme : {"redis", "http"}) {
    const std::string size = std::to_string(2 * remote_value_limit);
    const BadServer server(
        (scheme == "redis" ? "$" + size + "\r\n"
                           : "HTTP/1.1 200 OK\r\nContent-Length: " + size + "\r\n\r\n") +
            std::string(remote_value_limit + 1, 'x'),
        0);
    options.address = fmt::format("{}://127.0.0.1:{}", scheme, server.port());
    RemoteCache cache(open_remote_store(options), options);
    const RemoteFound found = cache.find(Key({{"kernel", "a", false}}));
    EXPECT_EQ(found.use, RemoteUse::refused) << scheme << ": " << found.reason;
  }
}

TEST_F(RemoteTest, a_forced_search_uses_no_winner_and_replaces_it_everywhere) {
  call_on("first", options_with(secret));
  const std::string before = only_value();
  TunerOptions options = quick_options(m_home.path() / "first");
  options.remote = options_with(secret);
  options.search_anew = true;
  options.loaded_winners_limit = 1;
  TunerParts parts = TunerParts::standard();
  parts.make_remote = [this](const RemoteOptions& given) {
    return std::make_unique<RemoteCache>(std::make_unique<MemoryStore>(m_values), given);
  };
  Tuner tuner(m_backend, options, parts);
  ProbeTensors tensors;
  ProbeTensors others(2);
  const auto call = [&](const ProbeTensors& given) {
    return tuner.bind(m_folder.request()).value().call(given.arguments()).value().cache;
  };
  EXPECT_EQ(call(tensors), CacheUse::miss);
  EXPECT_NE(m_values->begin()->second, before);
  EXPECT_EQ(call(others), CacheUse::miss);
  // Dropped from memory by now, and searched for once already.
  EXPECT_EQ(call(tensors), CacheUse::hit);
  EXPECT_EQ(call_on("first", options_with(secret)).cache, CacheUse::hit);
  options.may_search = false;
  Tuner unsearching(m_backend, options, parts);
  EXPECT_EQ(unsearching.bind(m_folder.request()).value().call(tensors.arguments()).value().cache,
            CacheUse::hit);
}

TEST_F(RemoteTest, two_salts_share_nothing) {
  call_on("first", options_with(secret, "one"));
  EXPECT_EQ(call_on("second", options_with(secret, "two")).remote, RemoteUse::miss);
  EXPECT_EQ(call_on("third", options_with(secret, "one")).remote, RemoteUse::hit);
}

TEST_F(RemoteTest, without_a_key_a_config_is_tried_beside_the_default_and_no_binary_is_there) {
  const std::size_t all = call_on("first", options_with("")).trials.size();
  EXPECT_EQ(split_remote_value(only_value()).value().artifact.size(), 0u);
  const Config winner = m_winner;
  const CallReport second = call_on("second", options_with(""));
  EXPECT_EQ(second.remote, RemoteUse::config);
  EXPECT_EQ(second.cache, CacheUse::miss);
  EXPECT_LE(second.trials.size(), 2u);
  EXPECT_LT(second.trials.size(), all);
  EXPECT_EQ(call_on("second", options_with("")).cache, CacheUse::hit);
}

// Whoever may write to the server could else keep all of its users at two configs.
TEST_F(RemoteTest, without_a_key_a_call_that_asks_for_more_goes_on_from_the_proposal) {
  const std::size_t all = call_on("first", options_with("")).trials.size();
  m_effort = Effort::full;
  const CallReport second = call_on("second", options_with(""));
  EXPECT_EQ(second.remote, RemoteUse::config);
  EXPECT_EQ(second.trials.size(), all);
  EXPECT_EQ(call_on("second", options_with("")).cache, CacheUse::hit);
}

// Whoever may write to the server proposes a config that computes wrongly, or crashes.
TEST_F(RemoteTest, without_a_key_a_config_that_does_not_work_is_refused_and_all_are_tried) {
  const std::size_t all = call_on("first", options_with("")).trials.size();
  const Config worst = m_winner;
  m_backend.refuses_to_compile = [&](const Config& config) -> std::optional<std::string> {
    if (config == worst) return "not on this machine";
    return std::nullopt;
  };
  const CallReport second = call_on("second", options_with(""));
  EXPECT_EQ(second.remote, RemoteUse::refused);
  EXPECT_THAT(second.message, HasSubstr("does not work here"));
  EXPECT_EQ(second.trials.size(), all);
  EXPECT_NE(m_winner, worst);
}

TEST_F(RemoteTest, without_a_key_a_config_that_is_none_of_the_space_is_refused) {
  call_on("first", options_with(""));
  const std::string name = m_values->begin()->first;
  Entry entry = parse_entry(split_remote_value(only_value()).value().entry).value();
  entry.winner.begin()->second = 12345;
  only_value() = to_remote_value(entry, {}, name, "");
  const CallReport report = call_on("second", options_with(""));
  EXPECT_EQ(report.remote, RemoteUse::refused);
  EXPECT_THAT(report.message, HasSubstr("not one of those allowed"));
}

TEST_F(RemoteTest, a_server_that_hangs_costs_a_call_one_limit_and_then_nothing) {
  const BadServer server("", 0);
  RemoteOptions options = options_with(secret);
  options.time_limit = milliseconds(150);
  options.failures_until_pause = 1;
  for (const std::string scheme : {"redis", "http"}) {
    options.address = fmt::format("{}://127.0.0.1:{}", scheme, server.port());
    RemoteCache cache(open_remote_store(options), options);
    const Key key({{"kernel", "a", false}});
    const auto began = std::chrono::steady_clock::now();
    const RemoteFound found = cache.find(key);
    const auto took = std::chrono::steady_clock::now() - began;
    EXPECT_EQ(found.use, RemoteUse::failed);
    EXPECT_THAT(found.reason, HasSubstr("within the time limit"));
    EXPECT_GE(took, milliseconds(140));
    EXPECT_LT(took, milliseconds(1500));
    const int connections = server.connections();
    EXPECT_THAT(cache.find(key).reason, HasSubstr("left alone"));
    EXPECT_EQ(server.connections(), connections);
  }
}

// A limit of each single read would never be reached.
TEST_F(RemoteTest, a_server_that_sends_a_byte_at_a_time_is_not_waited_for) {
  RemoteOptions options = options_with(secret);
  options.time_limit = milliseconds(200);
  for (const std::string scheme : {"redis", "http"}) {
    const BadServer server(scheme == "redis" ? "$100\r\n" + std::string(100, 'x')
                                             : "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" +
                                                   std::string(100, 'x'),
                           40);
    options.address = fmt::format("{}://127.0.0.1:{}", scheme, server.port());
    RemoteCache cache(open_remote_store(options), options);
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(cache.find(Key({{"kernel", "a", false}})).use, RemoteUse::failed);
    EXPECT_LT(std::chrono::steady_clock::now() - began, milliseconds(1500));
  }
}

TEST_F(RemoteTest, a_server_that_talks_nonsense_or_is_not_there_is_a_failure) {
  const BadServer server("what is this\r\n", 0);
  RemoteOptions options = options_with(secret);
  for (const std::string& address :
       {fmt::format("redis://127.0.0.1:{}", server.port()),
        fmt::format("http://127.0.0.1:{}", server.port()), std::string("redis://127.0.0.1:1"),
        std::string("http://127.0.0.1:1"), std::string("redis://127.0.0.1:1/not_a_number"),
        std::string("redis://:@"), std::string("gopher://host")}) {
    options.address = address;
    RemoteCache cache(open_remote_store(options), options);
    const RemoteFound found = cache.find(Key({{"kernel", "a", false}}));
    EXPECT_EQ(found.use, RemoteUse::failed) << address;
    EXPECT_NE(found.reason, "") << address;
  }
}

// The client's library makes room for as many values as such a head says, for seconds.
TEST_F(RemoteTest, an_array_is_no_answer_and_costs_no_time) {
  const BadServer server("*2147483647\r\n", 0);
  RemoteOptions options = options_with(secret);
  options.address = fmt::format("redis://127.0.0.1:{}", server.port());
  const auto store = open_remote_store(options);
  const auto began = std::chrono::steady_clock::now();
  const auto got = store->get(std::string(64, 'a'), began + std::chrono::seconds(1));
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::milliseconds(1500));
  ASSERT_FALSE(got);
  EXPECT_THAT(got.error().text(), HasSubstr("does not speak Redis's protocol"));
}

TEST_F(RemoteTest, what_a_server_says_is_shown_as_one_line_and_without_a_password) {
  const BadServer colours("-ERR \x1b[31mred\x07\r\n", 0);
  const BadServer echo("-ERR-guessed you sent AUTH guessed\r\n", 0);
  RemoteOptions options = options_with(secret);
  const auto said = [&](const std::string& address) {
    options.address = address;
    return open_remote_store(options)
        ->get(std::string(64, 'a'), std::chrono::steady_clock::now() + std::chrono::seconds(5))
        .error()
        .text();
  };
  EXPECT_THAT(said(fmt::format("redis://127.0.0.1:{}", colours.port())),
              testing::AllOf(HasSubstr("refused GET: ERR"), testing::Not(HasSubstr("\x1b"))));
  EXPECT_THAT(said(fmt::format("redis://someone:guessed@127.0.0.1:{}", echo.port())),
              testing::AllOf(HasSubstr("refused AUTH"), testing::Not(HasSubstr("guessed"))));
}

void expect_to_work(const RemoteOptions& options) {
  const auto store = open_remote_store(options);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  const std::string name(64, 'a');
  std::string value("zero \0 and \r\n", 13);
  value += std::string(3'000'000, 'x');
  EXPECT_EQ(store->get(name, deadline).value(), std::nullopt);
  EXPECT_TRUE(store->put(name, value, deadline));
  EXPECT_TRUE(store->get(name, deadline).value() == value);
}

TEST_F(RemoteTest, redis_keeps_values_of_any_bytes) {
  const auto server = RedisForTest::start(RedisForTest::Kind::plain);
  if (!server) GTEST_SKIP() << "there is no redis-server here";
  RemoteOptions options = options_with(secret);
  options.address = server->address();
  expect_to_work(options);
}

TEST_F(RemoteTest, redis_with_a_password_takes_the_right_one_alone) {
  const auto server = RedisForTest::start(RedisForTest::Kind::password);
  if (!server) GTEST_SKIP() << "there is no redis-server here";
  RemoteOptions options = options_with(secret);
  options.address = server->address();
  expect_to_work(options);
  options.address = server->address("guessed");
  const auto store = open_remote_store(options);
  const auto got =
      store->get(std::string(64, 'a'), std::chrono::steady_clock::now() + std::chrono::seconds(5));
  ASSERT_FALSE(got);
  EXPECT_THAT(got.error().text(), HasSubstr("refused AUTH"));
  EXPECT_THAT(got.error().text(), testing::Not(HasSubstr("guessed")));
}

TEST_F(RemoteTest, redis_with_tls_is_reached_if_its_certificate_is_good) {
  const auto server = RedisForTest::start(RedisForTest::Kind::tls);
  if (!server) GTEST_SKIP() << "there is no redis-server or no openssl here";
  RemoteOptions options = options_with(secret);
  options.time_limit = std::chrono::seconds(20);
  options.address = server->address();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  EXPECT_FALSE(open_remote_store(options)->get(std::string(64, 'a'), deadline));
  options.authorities_file = server->authorities_file();
  expect_to_work(options);
}

TEST(RemoteKey, is_a_file_of_this_users_alone_with_at_least_32_bytes) {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-key").value();
  const std::string file = (folder.path() / "key").string();
  EXPECT_THAT(read_remote_key(file).error().text(), HasSubstr("cannot be read"));
  must(write_file(file, secret + "\n"));
  ::chmod(file.c_str(), 0640);
  EXPECT_THAT(read_remote_key(file).error().text(), HasSubstr("nobody else may read"));
  ::chmod(file.c_str(), 0600);
  EXPECT_EQ(read_remote_key(file).value(), secret);
  must(write_file(file, std::string(31, 'x')));
  EXPECT_THAT(read_remote_key(file).error().text(), HasSubstr("found 31"));
}

TEST(RemoteKey, is_not_waited_for_where_the_file_is_a_pipe) {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-key").value();
  const std::string pipe = (folder.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(read_remote_key(pipe).error().text(), HasSubstr("nobody else may read"));
}

TEST(RemoteValue, says_whether_it_is_too_short_or_too_long) {
  Entry entry;
  entry.artifact_bytes = 4;
  const std::string value = to_remote_value(entry, {std::vector<std::byte>(4)}, "name", secret);
  EXPECT_TRUE(split_remote_value(value));
  EXPECT_THAT(split_remote_value(value.substr(0, value.size() - 1)).error().message,
              HasSubstr("the value is truncated: "));
  EXPECT_THAT(split_remote_value(value + "x").error().message,
              HasSubstr("the value is longer than it says: "));
}

TEST(CircuitBreaker, lets_one_try_after_a_pause) {
  using Clock = CircuitBreaker::Clock;
  CircuitBreaker breaker(2, milliseconds(100));
  const Clock::time_point start = Clock::now();
  EXPECT_TRUE(breaker.allows(start));
  breaker.failed(start);
  EXPECT_TRUE(breaker.allows(start));
  breaker.failed(start);
  EXPECT_FALSE(breaker.allows(start + milliseconds(99)));
  EXPECT_TRUE(breaker.allows(start + milliseconds(101)));
  EXPECT_FALSE(breaker.allows(start + milliseconds(102)));
  breaker.succeeded();
  EXPECT_TRUE(breaker.allows(start + milliseconds(103)));
}

}  // namespace
}  // namespace tunecheck::test
