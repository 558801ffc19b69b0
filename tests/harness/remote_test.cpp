// The judge's servers of remote caches, and its ways to them, as a client finds them.
#include <memory>
#include <thread>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <gmock/gmock.h>

#include "core/files.hpp"
#include "harness/remote/remote_command.hpp"
#include "harness/remote/remote_site.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// One HTTP request on a connection of its own; all that comes back until the other side ends it.
std::string asked(int port, const std::string& request) {
  boost::asio::io_context io;
  boost::asio::ip::tcp::socket socket(io);
  boost::system::error_code failed;
  socket.connect({boost::asio::ip::address_v4::loopback(), static_cast<unsigned short>(port)},
                 failed);
  if (failed) return "not connected";
  boost::asio::write(socket, boost::asio::buffer(request), failed);
  std::string answer;
  boost::asio::read(socket, boost::asio::dynamic_buffer(answer), failed);
  return answer;
}

const std::string get = "GET /a/b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

std::string put(const std::string& value, const std::string& path = "/a/b") {
  return "PUT " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: " +
         std::to_string(value.size()) + "\r\n\r\n" + value;
}

class Remote : public testing::Test {
 protected:
  std::unique_ptr<RemoteProxy> way(RemoteWay which,
                                   RemoteServerKind server = RemoteServerKind::http) {
    return m_site.open_way({server, which, RemoteKey::own, ""}).value();
  }
  TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-remote-test").value();
  RemoteSite m_site{m_folder.path()};
};

TEST_F(Remote, http_gives_back_what_was_put) {
  const auto plain = way(RemoteWay::plain);
  EXPECT_THAT(asked(plain->port(), get), StartsWith("HTTP/1.1 404"));
  const std::string value = std::string("a\0b\r\n", 5) + std::string(300'000, 'x');
  EXPECT_THAT(asked(plain->port(), put(value)), StartsWith("HTTP/1.1 201"));
  const std::string answer = asked(plain->port(), get);
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
  EXPECT_TRUE(answer.ends_with(value));
  const auto requests = plain->requests();
  ASSERT_EQ(requests.size(), 3u);
  for (const RemoteRequest& request : requests) {
    EXPECT_TRUE(request.is_answered);
    EXPECT_GE(request.ended_ns, request.began_ns);
  }
}

TEST_F(Remote, requests_for_a_value_are_told_from_those_that_store_one) {
  const auto plain = way(RemoteWay::plain);
  (void)asked(plain->port(), put("aaaaaaaa"));
  (void)asked(plain->port(), get);
  const auto requests = plain->requests();
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_FALSE(requests[0].is_read);
  EXPECT_TRUE(requests[1].is_read);
  EXPECT_TRUE(asks_for_a_value("HEAD /x HTTP/1.1\r\n"));
  EXPECT_TRUE(asks_for_a_value("*2\r\n$3\r\nGET\r\n$1\r\na\r\n"));
  EXPECT_TRUE(asks_for_a_value("*2\r\n$5\r\nHELLO\r\n$1\r\n3\r\n*2\r\n$4\r\nmget\r\n$1\r\na\r\n"));
  for (const std::string_view other :
       {"", "PUT /x HTTP/1.1\r\nGET /", "GETAWAY", "*", "*x\r\n", "*2\r\n$3\r\nGE",
        "*3\r\n$3\r\nSET\r\n$3\r\nGET\r\n$3\r\nGET\r\n", "*1\r\n$99999999999999999999\r\nGET\r\n",
        "*1\r\n$4294967295\r\nGET\r\n", "*0\r\n*0\r\n"})
    EXPECT_FALSE(asks_for_a_value(other)) << other;
}

TEST_F(Remote, damage_is_done_to_every_value) {
  const auto plain = way(RemoteWay::plain);
  EXPECT_THAT(m_site.damage(RemoteDamage::flip).error().text(), HasSubstr("holds 0 values"));
  (void)asked(plain->port(), put("aaaaaaaa"));
  EXPECT_THAT(m_site.damage(RemoteDamage::swap).error().text(), HasSubstr("holds 1 value"));
  (void)asked(plain->port(), put("bbbbbbbb", "/other"));
  ASSERT_TRUE(m_site.damage(RemoteDamage::swap));
  EXPECT_TRUE(asked(plain->port(), get).ends_with("bbbbbbbb"));
  ASSERT_TRUE(m_site.damage(RemoteDamage::flip));
  EXPECT_TRUE(asked(plain->port(), get).ends_with("bbbbcbbb"));
  ASSERT_TRUE(m_site.damage(RemoteDamage::truncate));
  EXPECT_TRUE(asked(plain->port(), get).ends_with("\nbbbb"));
  ASSERT_TRUE(m_site.damage(RemoteDamage::clear));
  EXPECT_THAT(asked(plain->port(), get), StartsWith("HTTP/1.1 404"));
}

TEST_F(Remote, the_same_damage_is_done_to_redis) {
  if (find_program("redis-server").empty()) GTEST_SKIP() << "there is no redis-server here";
  const auto plain = way(RemoteWay::plain, RemoteServerKind::redis);
  const auto say = [&](const std::string& line) {
    return asked(plain->port(), line + "\r\nQUIT\r\n");
  };
  EXPECT_THAT(m_site.damage(RemoteDamage::flip).error().text(), HasSubstr("holds 0 values"));
  EXPECT_THAT(say("SET a aaaaaaaa"), StartsWith("+OK"));
  EXPECT_THAT(say("SET b bbbbbbbb"), StartsWith("+OK"));
  ASSERT_TRUE(m_site.damage(RemoteDamage::swap));
  EXPECT_THAT(say("GET a"), HasSubstr("bbbbbbbb"));
  ASSERT_TRUE(m_site.damage(RemoteDamage::flip));
  EXPECT_THAT(say("GET a"), HasSubstr("bbbbcbbb"));
  ASSERT_TRUE(m_site.damage(RemoteDamage::truncate));
  EXPECT_THAT(say("GET a"), StartsWith("$4\r\nbbbb\r\n"));
  ASSERT_TRUE(m_site.damage(RemoteDamage::replace));
  EXPECT_THAT(say("GET a"), HasSubstr("another program"));
  ASSERT_TRUE(m_site.damage(RemoteDamage::clear));
  EXPECT_THAT(say("GET a"), StartsWith("$-1"));
}

TEST_F(Remote, ways_misbehave_as_they_are_told) {
  (void)asked(way(RemoteWay::plain)->port(), put(std::string(5000, 'x')));
  EXPECT_EQ(asked(way(RemoteWay::down)->port(), get), "not connected");
  EXPECT_THAT(asked(way(RemoteWay::garbage)->port(), get), HasSubstr("this is no answer"));
  const std::string beginning = asked(way(RemoteWay::truncated)->port(), get);
  EXPECT_THAT(beginning, StartsWith("HTTP/1.1 200"));
  EXPECT_EQ(beginning.size(), 400u);
}

// Each takes twelve seconds: at the same time.
TEST_F(Remote, ways_that_hang_end_in_the_end) {
  (void)asked(way(RemoteWay::plain)->port(), put(std::string(5000, 'x')));
  const auto slow = way(RemoteWay::slow);
  const auto hangs = way(RemoteWay::hangs);
  std::string of_slow, of_hangs;
  {
    const std::jthread one([&] { of_slow = asked(slow->port(), get); });
    const std::jthread two([&] { of_hangs = asked(hangs->port(), get); });
  }
  EXPECT_THAT(of_slow, StartsWith("HTTP/1.1 200"));
  EXPECT_LT(of_slow.size(), 1100u);
  EXPECT_EQ(of_hangs, "");
  for (const RemoteProxy* const proxy : {slow.get(), hangs.get()}) {
    ASSERT_EQ(proxy->requests().size(), 1u);
    const RemoteRequest request = proxy->requests().front();
    EXPECT_GT(request.ended_ns - request.began_ns, 8'000'000'000);
  }
  EXPECT_FALSE(hangs->requests().front().is_answered);
}

TEST_F(Remote, an_adapter_is_told_where_it_is_and_which_key_is_its_own) {
  AdapterInfo adapter;
  adapter.remote.servers[RemoteServerKind::http]["URL"] = "http://HOST:PORT/x";
  adapter.remote.key_variable = "KEY";
  adapter.remote.salt_variable = "SALT";
  const auto plain = way(RemoteWay::plain);
  RemoteChoice choice{RemoteServerKind::http, RemoteWay::plain, RemoteKey::own, "s"};
  const Environment own = m_site.variables_of(adapter, choice, *plain).value();
  EXPECT_EQ(own.at("URL"), "http://127.0.0.1:" + std::to_string(plain->port()) + "/x");
  EXPECT_EQ(own.at("SALT"), "s");
  choice.key = RemoteKey::other;
  const Environment other = m_site.variables_of(adapter, choice, *plain).value();
  EXPECT_NE(read_text_file(own.at("KEY")).value(), read_text_file(other.at("KEY")).value());
  choice.key = RemoteKey::none;
  EXPECT_FALSE(m_site.variables_of(adapter, choice, *plain).value().contains("KEY"));
}

}  // namespace
}  // namespace tunecheck::test
