#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "adapter/protocol/messages.hpp"

namespace tunecheck::protocol {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Json = nlohmann::json;
using Numbers = std::vector<std::int64_t>;

CallRequest example_request() {
  CallRequest request;
  request.kernel_folder = "/kernels/a b";
  request.kernel = "scaled_add";
  request.tensors = {
      {"x", "/work/x.bin", 16, DType::bf16, Layout::strided(Numbers{2, 3}, Numbers{0, -1})},
      {"y", "/work/y.bin", 0, DType::i64, Layout{}}};
  request.scalars = {{"factor", 0.1}, {"shift", -3}};
  request.sizes = {{"rows", 2}, {"cols", 3}};
  request.space = {{{"vec", {2, 1}}, {"block", {-64}}}, "block * vec <= cols"};
  request.arch = "x86-64-v3";
  request.compile_options = {"-DX=\"a b\"", "-O2"};
  request.compile_jobs = 3;
  request.hook_zeroes = {"y"};
  request.burst = Burst{1000, 7, "shift"};
  return request;
}

// What parse_request makes of the example with one field changed.
std::string error_with(const std::string& pointer, const Json& value) {
  Json json = Json::parse(to_line(example_request()));
  json[Json::json_pointer(pointer)] = value;
  const auto request = parse_request(json.dump());
  return request ? "no error" : request.error().message;
}

std::string error_without(const std::string& key) {
  Json json = Json::parse(to_line(example_request()));
  json.erase(key);
  const auto request = parse_request(json.dump());
  return request ? "no error" : request.error().message;
}

TEST(Requests, a_call_says_what_follows_from_the_kernel_file) {
  CallRequest sent = example_request();
  sent.facts.tensors = {"y", "x"};
  sent.facts.scalars = {"shift", "factor"};
  sent.facts.restore_value = {"y"};
  sent.facts.reset_to_zero = {"x"};
  sent.facts.key_scalars = {"shift"};
  sent.facts.variables = {"MODE"};
  sent.facts.source = "/kernels/a b/cpu.cpp";
  sent.facts.build_options = {"-O3", "-DX_TYPE=float"};
  sent.facts.configs = {
      {{{"block", 64}, {"vec", 2}}, {"-DBLOCK=64"}, std::nullopt},
      {{{"block", 64}, {"vec", 1}}, {}, GpuLaunchShape{{3, 2, 1}, {32, 1, 1}, 128}}};
  const Json json = Json::parse(to_line(sent));
  EXPECT_EQ(json.at("arguments"),
            Json::parse(R"({"tensors": ["y", "x"], "scalars": ["shift", "factor"]})"));
  EXPECT_EQ(json.at("restore_value"), Json::parse(R"(["y"])"));
  EXPECT_EQ(json.at("reset_to_zero"), Json::parse(R"(["x"])"));
  EXPECT_EQ(json.at("key_scalars"), Json::parse(R"(["shift"])"));
  EXPECT_EQ(json.at("variables"), Json::parse(R"(["MODE"])"));
  EXPECT_EQ(json.at("source"), "/kernels/a b/cpu.cpp");
  EXPECT_EQ(json.at("build_options"), Json::parse(R"(["-O3", "-DX_TYPE=float"])"));
  EXPECT_EQ(json.at("configs"), Json::parse(R"([
    {"values": {"block": 64, "vec": 2}, "options": ["-DBLOCK=64"]},
    {"values": {"block": 64, "vec": 1}, "options": [], "grid": [3, 2, 1], "threads": [32, 1, 1],
     "shared_bytes": 128}])"));
  const auto read = parse_request(json.dump());
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(Json::parse(to_line(read->calls.at(0))), json) << "it arrives as it was sent";
}

TEST(Requests, a_hello_of_another_version_is_refused_in_words) {
  EXPECT_EQ(parse_request(hello_request(DeviceKind::sim))->backend, DeviceKind::sim);
  const auto older = parse_request(R"({"request": "hello", "protocol": 1, "backend": "cpu"})");
  ASSERT_FALSE(older);
  EXPECT_THAT(older.error().text(), HasSubstr("expected protocol version 2, found 1: docs/"));
}

TEST(Requests, a_call_arrives_as_it_was_sent) {
  const CallRequest sent = example_request();
  const std::string line = to_line(sent);
  EXPECT_EQ(line.find('\n'), line.npos);
  const auto request = parse_request(line);
  ASSERT_TRUE(request) << request.error().text();
  ASSERT_EQ(request->kind, RequestKind::call);
  const CallRequest& call = request->calls.at(0);
  EXPECT_EQ(call.kernel_folder, sent.kernel_folder);
  EXPECT_EQ(call.kernel, sent.kernel);
  ASSERT_EQ(call.tensors.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(call.tensors[i].name, sent.tensors[i].name);
    EXPECT_EQ(call.tensors[i].file, sent.tensors[i].file);
    EXPECT_EQ(call.tensors[i].byte_offset, sent.tensors[i].byte_offset);
    EXPECT_EQ(call.tensors[i].dtype, sent.tensors[i].dtype);
    EXPECT_EQ(call.tensors[i].layout, sent.tensors[i].layout);
  }
  EXPECT_EQ(call.scalars, sent.scalars);
  EXPECT_EQ(call.sizes, sent.sizes);
  EXPECT_EQ(call.space, sent.space);
  EXPECT_EQ(call.arch, sent.arch);
  EXPECT_EQ(call.compile_options, sent.compile_options);
  EXPECT_EQ(call.compile_jobs, 3);
  EXPECT_EQ(call.hook_zeroes, sent.hook_zeroes);
  ASSERT_TRUE(call.burst);
  EXPECT_EQ(call.burst->calls, 1000);
  EXPECT_EQ(call.burst->keys, 7);
  EXPECT_EQ(call.burst->scalar, "shift");
}

TEST(Requests, a_burst_is_one_of_at_least_one_call_and_one_key_over_a_scalar_of_the_call) {
  for (const auto& [field, value] : std::vector<std::pair<std::string, Json>>{
           {"calls", 0}, {"keys", 0}, {"calls", -5}, {"scalar", "nothing"}, {"scalar", 3}})
    EXPECT_NE(error_with("/burst/" + field, value), "no error") << field;
  EXPECT_EQ(error_without("burst"), "no error");
}

TEST(Requests, the_order_of_the_tensors_is_the_caller_s) {
  CallRequest request = example_request();
  std::swap(request.tensors[0], request.tensors[1]);
  EXPECT_EQ(parse_request(to_line(request))->calls.at(0).tensors[0].name, "y");
}

TEST(Requests, hello_and_quit_are_lines_of_their_own) {
  EXPECT_EQ(parse_request(hello_request())->kind, RequestKind::hello);
  EXPECT_EQ(Json::parse(hello_request()).at("protocol"), version);
  EXPECT_EQ(parse_request(quit_request())->kind, RequestKind::quit);
}

TEST(Requests, what_an_older_judge_does_not_send_has_a_default) {
  Json json = Json::parse(to_line(example_request()));
  for (const char* const key : {"arch", "compile_options", "compile_jobs", "hook_zeroes"})
    json.erase(key);
  const auto request = parse_request(json.dump());
  ASSERT_TRUE(request) << request.error().text();
  EXPECT_EQ(request->calls.at(0).arch, "");
  EXPECT_TRUE(request->calls.at(0).compile_options.empty());
  EXPECT_EQ(request->calls.at(0).compile_jobs, 1);
}

TEST(Requests, text_that_is_not_utf_8_is_sent_and_not_thrown) {
  CallRequest request = example_request();
  request.kernel = "\xff\xfe";
  EXPECT_TRUE(parse_request(to_line(request)));
}

TEST(Requests, what_is_no_json_is_quoted_in_the_error) {
  for (const std::string line :
       {"", "hello", "{", "{\"request\": \"hello\"} trailing", "\xff\xff", "[1, 2", "nan"}) {
    const auto request = parse_request(line);
    ASSERT_FALSE(request) << line;
    EXPECT_THAT(request.error().message, StartsWith("expected a request as one line of JSON; "));
    EXPECT_THAT(request.error().message, testing::EndsWith("; found: " + line));
  }
}

TEST(Requests, only_the_beginning_of_a_long_line_is_quoted) {
  const auto request = parse_request(std::string(100000, 'x'));
  ASSERT_FALSE(request);
  EXPECT_LT(request.error().message.size(), 1000U);
  EXPECT_THAT(request.error().message, testing::EndsWith("xxx..."));
}

TEST(Requests, json_of_another_shape_is_an_error) {
  for (const char* const line : {"null", "[]", "3", "\"hello\"", "{}", "{\"request\": 3}",
                                 "{\"request\": null}", "{\"request\": {\"request\": \"hello\"}}"})
    EXPECT_FALSE(parse_request(line)) << line;
}

TEST(Requests, calls_at_the_same_moment_are_one_line) {
  CallRequest first;
  first.kernel = "a";
  CallRequest second;
  second.kernel = "b";
  const auto request = parse_request(to_line(std::vector{first, second}));
  ASSERT_TRUE(request.has_value()) << request.error().text();
  EXPECT_EQ(request->kind, RequestKind::calls);
  ASSERT_EQ(request->calls.size(), 2U);
  EXPECT_EQ(request->calls[1].kernel, "b");
}

TEST(Requests, an_unknown_request_lists_the_known_ones) {
  EXPECT_THAT(parse_request("{\"request\": \"tune\"}").error().message,
              HasSubstr("expected hello, call, calls, export, import or quit, found \"tune\""));
}

TEST(Requests, each_part_of_a_call_must_be_there) {
  for (const char* const key :
       {"kernel_folder", "kernel", "tensors", "scalars", "sizes", "space", "request"})
    EXPECT_THAT(error_without(key), HasSubstr(key)) << key;
}

TEST(Requests, a_part_of_the_wrong_type_is_an_error) {
  for (const auto& [pointer, value] :
       std::initializer_list<std::pair<const char*, Json>>{{"/kernel", 3},
                                                           {"/tensors", "x"},
                                                           {"/tensors/0/name", nullptr},
                                                           {"/tensors/0/shape", 3},
                                                           {"/tensors/0/shape", Json::array({"a"})},
                                                           {"/scalars", Json::array({1})},
                                                           {"/scalars/factor", "0.1"},
                                                           {"/sizes/rows", "2"},
                                                           {"/space/parameters/0/values", "2 1"},
                                                           {"/compile_options", "-O2"},
                                                           {"/compile_jobs", "all"}})
    EXPECT_NE(error_with(pointer, value), "no error") << pointer << " " << value;
}

TEST(Requests, a_tensor_must_have_a_dtype_and_as_many_strides_as_dimensions) {
  constexpr auto expected = "expected a dtype, and a shape and strides of the same rank";
  EXPECT_THAT(error_with("/tensors/0/dtype", "float"), HasSubstr(expected));
  EXPECT_THAT(error_with("/tensors/0/strides", Json::array({1})), HasSubstr(expected));
  const Json nine = Json::array({1, 1, 1, 1, 1, 1, 1, 1, 1});
  Json json = Json::parse(to_line(example_request()));
  json["tensors"][0]["shape"] = nine;
  json["tensors"][0]["strides"] = nine;
  EXPECT_THAT(parse_request(json.dump()).error().message, HasSubstr(expected));
}

TEST(Requests, a_tensor_cannot_be_smaller_than_nothing_or_begin_before_its_file) {
  constexpr auto expected = "expected a shape and a byte_offset that are not negative";
  EXPECT_THAT(error_with("/tensors/0/shape", Json::array({2, -3})), HasSubstr(expected));
  EXPECT_THAT(error_with("/tensors/0/byte_offset", -16), HasSubstr(expected));
}

TEST(Requests, how_a_call_is_made_on_a_gpu_arrives_where_it_is_not_as_usual) {
  CallRequest call;
  EXPECT_EQ(to_line(call).find("gpu"), std::string::npos);
  call.gpu = {true, true, 2, 1};
  const auto request = parse_request(to_line(call));
  ASSERT_TRUE(request) << request.error().text();
  EXPECT_EQ(request->calls.at(0).gpu, call.gpu);
  const auto refused = [&](const std::string& part, const std::string& by) {
    std::string line = to_line(call);
    return !parse_request(line.replace(line.find(part), part.size(), by));
  };
  EXPECT_FALSE(refused("\"busy\"", "\"busy\""));
  EXPECT_TRUE(refused("\"busy\"", "\"idle\""));
  EXPECT_TRUE(refused("\"context\":2", "\"context\":0"));
  EXPECT_TRUE(refused("\"device\":1", "\"device\":-1"));
}

TEST(Requests, a_caller_waits_unless_it_says_otherwise) {
  CallRequest sent = example_request();
  EXPECT_TRUE(parse_request(to_line(sent))->calls.at(0).wait);
  EXPECT_THAT(to_line(sent), testing::Not(HasSubstr("\"wait\"")));
  sent.wait = false;
  EXPECT_FALSE(parse_request(to_line(sent))->calls.at(0).wait);
  EXPECT_NE(error_with("/wait", "soon"), "no error");
}

TEST(Requests, an_export_and_an_import_name_their_files) {
  const auto request =
      parse_request(to_line(ArchiveRequest{ArchiveAction::import_entries, "/a b", "/key"}));
  ASSERT_TRUE(request) << request.error().text();
  EXPECT_EQ(request->kind, RequestKind::archive);
  EXPECT_EQ(request->archive.action, ArchiveAction::import_entries);
  EXPECT_EQ(request->archive.file, "/a b");
  EXPECT_EQ(request->archive.key_file, "/key");
  const auto other =
      parse_request(to_line(ArchiveRequest{ArchiveAction::export_entries, "/x", {}}));
  EXPECT_EQ(other->archive.action, ArchiveAction::export_entries);
  EXPECT_EQ(other->archive.key_file, "");
  EXPECT_THAT(parse_request(R"({"request": "export"})").error().message,
              HasSubstr("\"file\": expected a text"));
  // Without a key, what is written is not signed, and what is read may be anybody's.
  for (const char* const action : {"export", "import"})
    EXPECT_THAT(
        parse_request(fmt::format(R"({{"request": "{}", "file": "/x", "key_file": ""}})", action))
            .error()
            .message,
        HasSubstr("\"key_file\": expected a file with a key, found \"\""));
}

}  // namespace
}  // namespace tunecheck::protocol
