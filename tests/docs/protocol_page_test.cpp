// docs/adapter-protocol.md: every message that it shows is one that the code reads, and writes with
// the same fields.
#include <set>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "adapter/protocol/messages.hpp"
#include "page.hpp"

namespace tunecheck::test::protocol_page {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::UnorderedElementsAreArray;

std::vector<Json> messages() {
  std::vector<Json> found;
  for (const Block& block : Page("adapter-protocol.md").blocks("json"))
    found.push_back(Json::parse(block.text));
  return found;
}

// What the code makes of a message that it has read, or why it could not read it.
std::string written_again(const Json& message) {
  const std::string line = message.dump();
  if (message.contains("request")) {
    const auto request = protocol::parse_request(line);
    if (!request) return request.error().text();
    switch (request->kind) {
      case protocol::RequestKind::hello:
        return protocol::hello_request();
      case protocol::RequestKind::call:
        return protocol::to_line(request->calls.at(0));
      case protocol::RequestKind::calls:
        return protocol::to_line(request->calls);
      case protocol::RequestKind::archive:
        return protocol::to_line(request->archive);
      case protocol::RequestKind::quit:
        return protocol::quit_request();
    }
  }
  if (message.at("answer") == "hello") {
    const auto answer = protocol::parse_hello(line);
    return answer ? protocol::to_line(*answer) : answer.error().text();
  }
  if (message.at("answer") == "call") {
    const auto answer = protocol::parse_call_answer(line);
    return answer ? protocol::to_line(*answer) : answer.error().text();
  }
  if (message.at("answer") == "calls") {
    const auto answers = protocol::parse_call_answers(line, message.at("calls").size());
    return answers ? protocol::to_line(*answers) : answers.error().text();
  }
  if (message.at("answer") == "archive") {
    const auto answer = protocol::parse_archive_answer(line);
    return answer ? protocol::to_line(*answer) : answer.error().text();
  }
  if (message.at("answer") == "error")
    return protocol::error_answer(message.at("message").get<std::string>());
  return protocol::quit_answer();
}

TEST(ProtocolPage, every_message_is_read_and_written_with_the_same_fields) {
  for (const Json& message : messages())
    EXPECT_EQ(Json::parse(written_again(message), nullptr, false), message)
        << written_again(message);
}

TEST(ProtocolPage, shows_every_kind_of_message) {
  std::multiset<std::string> kinds;
  for (const Json& message : messages())
    kinds.insert(message.contains("request") ? "request " + message["request"].get<std::string>()
                                             : "answer " + message.at("answer").get<std::string>());
  EXPECT_THAT(kinds, IsSupersetOf({"request hello", "answer hello", "request call", "answer call",
                                   "answer call", "request calls", "answer calls", "answer error",
                                   "request export", "request import", "answer archive",
                                   "request quit", "answer quit"}));
}

TEST(ProtocolPage, an_error_for_an_answer_fails_the_call) {
  for (const Json& message : messages()) {
    if (message.value("answer", "") != "error") continue;
    const auto answer = protocol::parse_call_answer(message.dump());
    ASSERT_FALSE(answer);
    EXPECT_THAT(answer.error().message, HasSubstr(message["message"].get<std::string>()));
  }
}

// The fields of an object, and of the objects in its list `of`.
void collect(const Json& message, const char* of, std::set<std::string>& fields) {
  for (const auto& [name, value] : message.items())
    fields.insert(name);
  if (!message.contains(of)) return;
  for (const Json& each : message[of])
    for (const auto& [name, value] : each.items())
      fields.insert(name);
}

TEST(ProtocolPage, explains_every_field_and_no_other) {
  std::set<std::string> hello, call;
  for (const Json& message : messages()) {
    if (message.value("answer", "") == "hello") collect(message, "", hello);
    if (message.value("request", "") == "call") collect(message, "tensors", call);
    if (message.value("answer", "") == "call") collect(message, "trials", call);
  }
  for (const char* const known : {"request", "answer", "name", "config"}) {
    hello.erase(known);
    call.erase(known);
  }
  const Page page("adapter-protocol.md");
  EXPECT_THAT(page.names_in_table("hello", "field"), UnorderedElementsAreArray(hello));
  EXPECT_THAT(page.names_in_table("call", "field"), UnorderedElementsAreArray(call));
}

TEST(ProtocolPage, fields_that_it_calls_optional_may_be_left_out_and_the_others_may_not) {
  const Page page("adapter-protocol.md");
  const std::string fields = page.section("call");
  for (const Json& message : messages()) {
    if (message.value("answer", "") != "call") continue;
    for (const auto& [name, value] : message.items()) {
      Json without = message;
      without.erase(name);
      const bool required =
          name == "answer" || fields.find("| `" + name + "` | required |") != fields.npos;
      EXPECT_EQ(protocol::parse_call_answer(without.dump()).has_value(), !required) << name;
    }
  }
}

}  // namespace
}  // namespace tunecheck::test::protocol_page
