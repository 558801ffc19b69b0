#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "adapter/protocol/messages.hpp"
#include "core/device_kinds.hpp"

namespace tunecheck::protocol {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Json = nlohmann::json;

CallAnswer example_answer() {
  CallAnswer answer;
  answer.done = true;
  answer.message = "one line\nand \"another\"";
  answer.winner = Config{{"block", 256}, {"vec", 4}};
  answer.cache = CacheState::stale;
  answer.missed_axes = {"arch", "stride"};
  answer.compiles = 6;
  answer.trials = {{{{"block", 256}}, "", 1234.5, 20}, {{{"block", 64}}, "crashed", 0, 0}};
  return answer;
}

std::string answer_error_with(const std::string& pointer, const Json& value) {
  Json json = Json::parse(to_line(example_answer()));
  json[Json::json_pointer(pointer)] = value;
  const auto answer = parse_call_answer(json.dump());
  return answer ? "no error" : answer.error().message;
}

TEST(Answers, hello_arrives_as_it_was_sent) {
  const Hello sent{version,    "reference", "0.1.0",     DeviceKind::cpu,
                   "some cpu", "x86-64-v3", {"restore"}, {{"reset_to_zero", "every call"}}};
  const auto hello = parse_hello(to_line(sent));
  ASSERT_TRUE(hello) << hello.error().text();
  EXPECT_EQ(hello->protocol, version);
  EXPECT_EQ(hello->tuner, "reference");
  EXPECT_EQ(hello->tuner_version, "0.1.0");
  EXPECT_EQ(hello->backend, DeviceKind::cpu);
  EXPECT_EQ(hello->device, "some cpu");
  EXPECT_EQ(hello->arch, "x86-64-v3");
  EXPECT_EQ(hello->capabilities, sent.capabilities);
  EXPECT_EQ(hello->policies, sent.policies);
}

TEST(Answers, a_hello_that_lacks_something_is_an_error) {
  const Json whole = Json::parse(to_line(Hello{}));
  ASSERT_TRUE(parse_hello(whole.dump()));
  for (const auto& [key, value] : whole.items()) {
    Json part = whole;
    part.erase(key);
    EXPECT_FALSE(parse_hello(part.dump())) << key;
  }
}

TEST(Answers, a_hello_from_a_device_of_no_known_kind_is_an_error) {
  Json hello = Json::parse(to_line(Hello{}));
  for (const auto& [name, kind] :
       {std::pair("sim", DeviceKind::sim), std::pair("hip", DeviceKind::hip)}) {
    hello["backend"] = name;
    EXPECT_EQ(parse_hello(hello.dump()).value().backend, kind);
  }
  hello["backend"] = "metal";
  EXPECT_NE(parse_hello(hello.dump())
                .error()
                .message.find("unknown backend \"metal\". Expected one of: cpu, sim, cuda, hip"),
            std::string::npos);
}

TEST(Answers, a_call_s_answer_arrives_as_it_was_sent) {
  const CallAnswer sent = example_answer();
  const std::string line = to_line(sent);
  EXPECT_EQ(line.find('\n'), line.npos);
  const auto answer = parse_call_answer(line);
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_TRUE(answer->done);
  EXPECT_EQ(answer->message, sent.message);
  EXPECT_EQ(answer->winner, sent.winner);
  EXPECT_EQ(answer->cache, CacheState::stale);
  EXPECT_EQ(answer->missed_axes, sent.missed_axes);
  EXPECT_EQ(answer->compiles, 6);
  ASSERT_EQ(answer->trials.size(), 2U);
  EXPECT_EQ(answer->trials[0].config, sent.trials[0].config);
  EXPECT_EQ(answer->trials[0].median_ns, 1234.5);
  EXPECT_EQ(answer->trials[0].reps, 20);
  EXPECT_EQ(answer->trials[1].failure, "crashed");
}

TEST(Answers, what_a_gpu_adds_arrives_and_may_be_missing) {
  CallAnswer sent = example_answer();
  const auto without = parse_call_answer(to_line(sent));
  ASSERT_TRUE(without) << without.error().text();
  EXPECT_EQ(without->capture_valid, std::nullopt);
  EXPECT_EQ(without->snapshot_bytes, std::nullopt);
  sent.capture_valid = false;
  sent.snapshot_bytes = 4096;
  const auto with = parse_call_answer(to_line(sent));
  ASSERT_TRUE(with) << with.error().text();
  EXPECT_EQ(with->capture_valid, false);
  EXPECT_EQ(with->snapshot_bytes, 4096);
  Hello hello;
  EXPECT_EQ(parse_hello(to_line(hello))->devices, 1);
  hello.devices = 8;
  EXPECT_EQ(parse_hello(to_line(hello))->devices, 8);
}

TEST(Answers, an_error_is_told_from_other_lines) {
  EXPECT_EQ(error_in(error_answer("no driver")), "no driver");
  EXPECT_EQ(error_in(R"({"answer": "error"})"), "no reason given");
  EXPECT_EQ(error_in(to_line(Hello{})), std::nullopt);
  EXPECT_EQ(error_in("[1]"), std::nullopt);
  EXPECT_EQ(error_in("nonsense"), std::nullopt);
}

TEST(Answers, a_failed_call_has_a_message_and_no_winner) {
  CallAnswer sent;
  sent.message = "no config works";
  const auto answer = parse_call_answer(to_line(sent));
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_FALSE(answer->done);
  EXPECT_EQ(answer->message, "no config works");
  EXPECT_EQ(answer->winner, std::nullopt);
}

TEST(Answers, every_state_of_the_cache_has_its_name) {
  for (const CacheState state :
       {CacheState::hit, CacheState::miss, CacheState::stale, CacheState::disabled,
        CacheState::pending, CacheState::unchecked}) {
    CallAnswer sent;
    sent.cache = state;
    EXPECT_EQ(parse_call_answer(to_line(sent))->cache, state) << name_of(state);
  }
  EXPECT_EQ(name_of(CacheState::disabled), "disabled");
}

TEST(Answers, a_time_that_is_not_finite_stays_so) {
  CallAnswer sent = example_answer();
  sent.trials[0].median_ns = std::numeric_limits<double>::infinity();
  const auto answer = parse_call_answer(to_line(sent));
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_TRUE(std::isinf(answer->trials[0].median_ns));
}

TEST(Answers, what_a_tuner_cannot_tell_may_be_left_out) {
  Json json = Json::parse(to_line(example_answer()));
  for (const char* const key : {"missed_axes", "compiles", "trials"})
    json.erase(key);
  const auto answer = parse_call_answer(json.dump());
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_TRUE(answer->trials.empty());
  EXPECT_FALSE(answer->compiles);
  json["trials"] = Json::array({{{"config", {{"block", 1}}}}});
  EXPECT_EQ(parse_call_answer(json.dump())->trials.at(0).median_ns, 0);
}

TEST(Answers, what_every_answer_must_say_may_not_be_left_out) {
  for (const char* const key : {"answer", "outcome", "message", "winner", "cache"}) {
    Json json = Json::parse(to_line(example_answer()));
    json.erase(key);
    const auto answer = parse_call_answer(json.dump());
    ASSERT_FALSE(answer) << key;
    EXPECT_THAT(answer.error().message, HasSubstr(key));
  }
}

TEST(Answers, an_answer_of_the_wrong_kind_is_an_error) {
  EXPECT_THAT(parse_call_answer(to_line(Hello{})).error().message,
              HasSubstr("\"answer\": expected \"call\", found \"hello\""));
  EXPECT_THAT(parse_hello(quit_answer()).error().message,
              HasSubstr("\"answer\": expected \"hello\", found \"quit\""));
  EXPECT_FALSE(parse_hello(hello_request())) << "an adapter that echoes what it is sent";
}

TEST(Answers, an_adapter_that_did_not_understand_is_quoted) {
  EXPECT_THAT(parse_call_answer(error_answer("no tensor \"y\"")).error().message,
              HasSubstr("the adapter did not understand the request: no tensor \"y\""));
}

TEST(Answers, a_value_that_the_protocol_does_not_know_is_an_error) {
  EXPECT_THAT(answer_error_with("/outcome", "perhaps"),
              HasSubstr("\"outcome\": expected \"done\" or \"failed\", found \"perhaps\""));
  EXPECT_THAT(answer_error_with("/cache", "warm"),
              HasSubstr("\"cache\": expected \"hit\", \"miss\", \"stale\", \"disabled\", "
                        "\"pending\" or \"unchecked\""));
}

TEST(Answers, a_number_that_is_not_whole_or_too_large_is_no_number) {
  for (const auto& [pointer, value] :
       std::initializer_list<std::pair<const char*, Json>>{{"/trials/0/reps", -1},
                                                           {"/trials/0/reps", 2147483648},
                                                           {"/trials/0/reps", 1e300},
                                                           {"/winner/block", 128.7},
                                                           {"/winner/block", 1e20},
                                                           {"/compiles", 6.9},
                                                           {"/compiles", -1},
                                                           {"/snapshot_bytes", -4},
                                                           {"/trials", Json::object()}})
    EXPECT_THAT(answer_error_with(pointer, value), HasSubstr("expected a ")) << pointer << value;
  EXPECT_THAT(answer_error_with("/trials/0/reps", -1),
              HasSubstr("\"reps\": expected a whole number from 0 to 2147483647, found -1"));
}

TEST(Answers, a_value_of_the_wrong_type_is_an_error) {
  for (const auto& [pointer, value] :
       std::initializer_list<std::pair<const char*, Json>>{{"/message", 3},
                                                           {"/winner", "block=4"},
                                                           {"/winner/block", "4"},
                                                           {"/cache", nullptr},
                                                           {"/missed_axes", "arch"},
                                                           {"/compiles", "six"},
                                                           {"/trials", 3},
                                                           {"/trials/0", nullptr},
                                                           {"/trials/0/config", "block=4"},
                                                           {"/trials/0/median_ns", "fast"},
                                                           {"/trials/0/failure", nullptr}})
    EXPECT_THAT(answer_error_with(pointer, value),
                StartsWith("expected the answer to a call as one line of JSON; "))
        << pointer << " " << value;
}

TEST(Answers, what_is_no_json_is_an_error) {
  for (const char* const line : {"", "Traceback (most recent call last):", "{\"answer\":", "[]",
                                 "\xff\xfe\x00", "{\"answer\": \"call\"} {}"}) {
    EXPECT_FALSE(parse_call_answer(line)) << line;
    EXPECT_FALSE(parse_hello(line)) << line;
  }
  for (const char* const line : {"[]", "null", "7"})
    EXPECT_THAT(parse_call_answer(line).error().message,
                testing::HasSubstr("as one line of JSON; expected an object; found: "));
}

TEST(Answers, of_calls_at_the_same_moment_are_one_line_in_their_order) {
  CallAnswer first;
  first.done = true;
  CallAnswer second;
  second.message = "nothing works";
  const std::string line = to_line(std::vector{first, second});
  const auto answers = parse_call_answers(line, 2);
  ASSERT_TRUE(answers.has_value()) << answers.error().text();
  EXPECT_TRUE(answers->at(0).done);
  EXPECT_EQ(answers->at(1).message, "nothing works");
  EXPECT_FALSE(parse_call_answers(line, 3));
  EXPECT_FALSE(parse_call_answers(to_line(first), 1));
  EXPECT_FALSE(parse_call_answers(error_answer("what?"), 1));
}

TEST(Answers, what_a_call_that_did_not_wait_is_told_arrives_as_it_was_sent) {
  CallAnswer sent = example_answer();
  EXPECT_EQ(parse_call_answer(to_line(sent))->given_meanwhile, std::nullopt);
  sent.cache = CacheState::pending;
  sent.given_meanwhile = 3;
  sent.search_failure = "no config works";
  const auto answer = parse_call_answer(to_line(sent));
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_EQ(answer->given_meanwhile, 3);
  EXPECT_EQ(answer->search_failure, "no config works");
  EXPECT_THAT(answer_error_with("/given_meanwhile", -1), HasSubstr("\"given_meanwhile\""));
  EXPECT_THAT(answer_error_with("/search_failure", 1), HasSubstr("expected a text"));
}

TEST(Answers, of_an_export_or_import_arrive_as_they_were_sent) {
  const auto answer = parse_archive_answer(to_line(ArchiveAnswer{true, "well", 7}));
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_TRUE(answer->done);
  EXPECT_EQ(answer->message, "well");
  EXPECT_EQ(answer->entries, 7);
  Json json = Json::parse(to_line(ArchiveAnswer()));
  for (const char* const part : {"answer", "outcome", "message", "entries"}) {
    Json other = json;
    other[part] = Json::array();
    EXPECT_THAT(parse_archive_answer(other.dump()).error().message, HasSubstr(part));
    other.erase(part);
    EXPECT_FALSE(parse_archive_answer(other.dump())) << part;
  }
  json["entries"] = -1;
  EXPECT_FALSE(parse_archive_answer(json.dump()));
  EXPECT_FALSE(parse_archive_answer("no json"));
}

}  // namespace
}  // namespace tunecheck::protocol
