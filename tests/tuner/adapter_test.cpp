// The adapter as the process that it is, with a real kernel and a real compiler.
#include <cerrno>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapter/protocol/messages.hpp"
#include "adapter/reference/reference_adapter.hpp"
#include "core/command.hpp"
#include "core/device_kinds.hpp"
#include "core/files.hpp"
#include "core/info.hpp"
#include "core/tensor_view.hpp"
#include "core/text.hpp"
#include "probe_kernel.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;
using protocol::CacheState;
using protocol::CallAnswer;
using testing::HasSubstr;

constexpr std::int64_t size = 100;
constexpr std::size_t offset = 64;

constexpr std::string_view kernel_info = R"(kernel
{
  name     halve
  summary  "y = y / 2; total = total + y"
  sizes    { smoke { n 100 }  full { n 100 } }
  tensors
  {
    y     { dtype f32  shape "n"  access in_place }
    total { dtype f32  shape "n"  access in_place }
  }
  restore_value  "y"
  reset_to_zero  "total"
  space          { step "1 2 3" }
  default        { step 1 }
  cpu            { source cpu.cpp }
  reference      cpu.cpp
  tolerance      { relative 0  absolute 0 }
}
)";

// Config 2 dies, config 3 prints where the protocol would be.
constexpr std::string_view kernel_source = R"(#include <tunecheck/cpu_kernel.h>
extern "C" int puts(const char*);
void halve(tunecheck::Tensor<Y_TYPE> y, tunecheck::Tensor<TOTAL_TYPE> total) {
  if (STEP == 2) __builtin_trap();
  puts("a kernel that prints");
  for (long i = 0; i < y.size(0); ++i) {
    y(i) /= 2;
    total(i) += y(i);
  }
}
TUNECHECK_KERNEL(halve)
)";

class Adapter : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(kernel_folder());
    must(write_file(kernel_folder() / "kernel.info", kernel_info));
    must(write_file(kernel_folder() / "cpu.cpp", kernel_source));
    m_environment = current_environment();
    m_environment["TUNECHECK_CACHE_DIR"] = (m_home.path() / "cache").string();
    m_environment.erase("TUNECHECK_CXX");
  }

  LineProcess start() {
    CommandOptions options;
    options.arguments = {ADAPTER_PROGRAM};
    options.environment = m_environment;
    return LineProcess::start(options, m_home.path() / "log").value();
  }
  static std::string ask(LineProcess& process, const std::string& line) {
    EXPECT_TRUE(process.write_line(line));
    return process.read_line(std::chrono::minutes(2)).line;
  }

  // Fills the tensors' file anew.
  protocol::CallRequest request() {
    std::vector<float> values(offset / sizeof(float) + 2 * size, 8.0F);
    must(write_file(tensor_file(), std::as_bytes(std::span(values))));
    protocol::CallRequest request;
    request.kernel_folder = kernel_folder();
    request.kernel = "halve";
    const std::int64_t shape[] = {size};
    // Named by the caller in an order of its own.
    request.tensors = {{"total", tensor_file(), offset + size * sizeof(float), DType::f32,
                        Layout::contiguous(shape)},
                       {"y", tensor_file(), offset, DType::f32, Layout::contiguous(shape)}};
    request.sizes = {{"n", size}};
    request.space.parameters = {{"step", {1, 2, 3}}};
    request.compile_jobs = 2;
    return request;
  }
  bool file_holds_one_launch() const {
    const auto bytes = read_binary_file(tensor_file()).value();
    for (std::int64_t i = 0; i < 2 * size; ++i)
      if (load_element(DType::f32, bytes.data() + offset + 4 * static_cast<std::size_t>(i)) != 4)
        return false;
    return true;
  }
  CallAnswer call(LineProcess& process) {
    const CallAnswer answer = protocol::parse_call_answer(ask(process, to_line(request()))).value();
    EXPECT_TRUE(answer.done) << answer.message;
    EXPECT_TRUE(file_holds_one_launch());
    return answer;
  }
  // At its start: one line and status 3.
  void expect_refusal(const Environment& mistake, const std::string& expected) const {
    CommandOptions options;
    options.arguments = {ADAPTER_PROGRAM};
    options.environment = m_environment;
    for (const auto& [name, value] : mistake)
      (*options.environment)[name] = value;
    const auto ran = run_command(options).value();
    EXPECT_EQ(ran.end.exit_status, 3) << expected;
    EXPECT_THAT(ran.output, HasSubstr(expected));
    EXPECT_EQ(std::count(ran.output.begin(), ran.output.end(), '\n'), 1) << ran.output;
  }
  static void quit(LineProcess& process) {
    EXPECT_EQ(ask(process, protocol::quit_request()), protocol::quit_answer());
    EXPECT_TRUE(process.wait(std::chrono::seconds(10)).success());
  }

  fs::path kernel_folder() const { return m_home.path() / "halve"; }
  fs::path tensor_file() const { return m_home.path() / "tensors"; }

  TemporaryFolder m_home = TemporaryFolder::create("tunecheck-adapter").value();
  Environment m_environment;
};

TEST_F(Adapter, a_winner_survives_into_a_process_without_a_compiler) {
  CallAnswer cold;
  {
    LineProcess process = start();
    cold = call(process);
    EXPECT_EQ(cold.cache, CacheState::miss);
    EXPECT_EQ(cold.compiles, 3);
    ASSERT_EQ(cold.trials.size(), 3U);
    EXPECT_THAT(cold.trials[1].failure, HasSubstr("signal 4"));
    EXPECT_EQ(call(process).cache, CacheState::hit);
    quit(process);
  }
  m_environment["PATH"] = "/nowhere";
  LineProcess process = start();
  const CallAnswer warm = call(process);
  EXPECT_EQ(warm.cache, CacheState::hit);
  EXPECT_EQ(warm.compiles, 0);
  EXPECT_EQ(warm.trials.size(), 0U);
  EXPECT_EQ(warm.winner, cold.winner);
  quit(process);
}

// The fault library stands before flock(), as a file system without locks.
TEST_F(Adapter, a_folder_that_cannot_be_locked_is_used_and_said_once) {
  m_environment["LD_PRELOAD"] =
      (fs::path(ADAPTER_PROGRAM).parent_path() / "libtunecheck-faults.so").string();
  m_environment["TUNECHECK_FAULT_POINT"] = "before_lock_1";
  m_environment["TUNECHECK_FAULT_ERROR"] = std::to_string(ENOLCK);
  m_environment["TUNECHECK_FAULT_FOLDER"] = (m_home.path() / "cache").string();
  m_environment["TUNECHECK_FAULT_EVIDENCE"] = (m_home.path() / "faults.jsonl").string();
  fs::create_directory(m_home.path() / "cache");
  fs::permissions(m_home.path() / "cache", fs::perms::owner_all);
  LineProcess process = start();
  const CallAnswer first = call(process);
  EXPECT_EQ(first.cache, CacheState::miss);
  EXPECT_THAT(first.message, HasSubstr("cannot be locked"));
  EXPECT_THAT(first.message, HasSubstr("No locks available"));
  // Another key, which the process tunes as well.
  protocol::CallRequest other = request();
  other.space.parameters = {{"step", {1, 3}}};
  const CallAnswer second = protocol::parse_call_answer(ask(process, to_line(other))).value();
  EXPECT_EQ(second.cache, CacheState::miss);
  EXPECT_THAT(second.message, testing::Not(HasSubstr("cannot be locked")));
  quit(process);
  // What was stored without a lock is there.
  LineProcess later = start();
  EXPECT_EQ(call(later).cache, CacheState::hit);
  quit(later);
}

TEST_F(Adapter, a_remote_cache_that_makes_no_sense_is_refused) {
  for (const Environment& mistake :
       {Environment{{"TUNECHECK_REMOTE", "redis://host/nodb"}},
        Environment{{"TUNECHECK_REMOTE", "http://host/"}, {"TUNECHECK_REMOTE_KEY_FILE", ""}},
        Environment{{"TUNECHECK_REMOTE", "http://host/"},
                    {"TUNECHECK_REMOTE_AUTHORITIES", "/nowhere"}}})
    expect_refusal(mistake, mistake.rbegin()->first + ": expected ");
}

// Whoever names a key wants signatures: without it, a bundle of anybody's would be loaded.
TEST_F(Adapter, a_bundle_whose_key_cannot_be_read_is_refused) {
  const std::string missing = (m_home.path() / "nowhere").string();
  const std::string open_to_all = (m_home.path() / "open").string();
  const std::string too_short = (m_home.path() / "short").string();
  must(write_file(open_to_all, std::string(40, 'x')));
  must(write_file(too_short, std::string(31, 'x')));
  fs::permissions(open_to_all, fs::perms{0644});
  fs::permissions(too_short, fs::perms{0600});
  for (const std::string& file : {std::string(), missing, open_to_all, too_short})
    for (const bool has_remote : {false, true}) {
      Environment mistake = {{"TUNECHECK_BUNDLE", (m_home.path() / "bundles").string()},
                             {"TUNECHECK_REMOTE_KEY_FILE", file}};
      if (has_remote) mistake["TUNECHECK_REMOTE"] = "http://127.0.0.1:1/";
      expect_refusal(mistake, "TUNECHECK_REMOTE_KEY_FILE: ");
    }
}

TEST_F(Adapter, a_limit_that_makes_no_sense_is_refused) {
  for (const char* const value : {"abc", "-5", "1e3", "99999999999999999999"})
    expect_refusal({{"TUNECHECK_LOCK_LIMIT_MS", value}},
                   "TUNECHECK_LOCK_LIMIT_MS: expected milliseconds from 0 to ");
  for (const char* const value : {"abc", "-1", "0"})
    expect_refusal({{"TUNECHECK_LOADED_LIMIT", value}},
                   "TUNECHECK_LOADED_LIMIT: expected a whole number of at least 1, found ");
}

TEST_F(Adapter, a_cache_folder_that_is_a_file_is_called_that) {
  const std::string file = (m_home.path() / "file").string();
  must(write_file(file, "no folder"));
  m_environment["TUNECHECK_CACHE_DIR"] = file;
  LineProcess process = start();
  const CallAnswer answer = call(process);
  EXPECT_THAT(answer.message,
              HasSubstr("nothing in the cache may be used: " + file + " is not a folder"));
  EXPECT_THAT(answer.message, testing::Not(HasSubstr("stored winner")));
  quit(process);
}

TEST_F(Adapter, without_a_cache_folder_the_cache_is_disabled) {
  m_environment.erase("TUNECHECK_CACHE_DIR");
  LineProcess process = start();
  EXPECT_EQ(call(process).cache, CacheState::disabled);
  EXPECT_EQ(call(process).cache, CacheState::hit);
  quit(process);
}

TEST_F(Adapter, without_a_compiler_and_without_a_winner_the_call_fails_and_says_why) {
  m_environment["PATH"] = "/nowhere";
  LineProcess process = start();
  const CallAnswer answer = protocol::parse_call_answer(ask(process, to_line(request()))).value();
  EXPECT_FALSE(answer.done);
  EXPECT_THAT(answer.message, HasSubstr("no compiler"));
  quit(process);
}

TEST_F(Adapter, hello_says_what_adapter_info_declares) {
  LineProcess process = start();
  const auto hello = protocol::parse_hello(ask(process, protocol::hello_request())).value();
  const InfoNode info = read_info_file(fs::path(TUNECHECK_SOURCE_ROOT) / "framework" / "adapter" /
                                       "reference" / "adapter.info")
                            .value();
  const InfoNode* const adapter = info.child("adapter");
  ASSERT_NE(adapter, nullptr);
  EXPECT_EQ(hello.capabilities, split_words(adapter->child("capabilities")->value));
  EXPECT_EQ(hello.tuner, adapter->child("name")->value);
  EXPECT_EQ(hello.backend, DeviceKind::cpu);
  for (const std::string& name : split_words(adapter->child("backends")->value)) {
    const DeviceKind backend = parse_device_kind(name).value();
    const std::string line = ask(process, protocol::hello_request(backend));
    // A machine without the device is told what is missing.
    if (const auto answer = protocol::parse_hello(line))
      EXPECT_EQ(answer->backend, backend);
    else
      EXPECT_THAT(line, AnyOf(HasSubstr("there is no"), HasSubstr("the driver")));
  }
  EXPECT_THAT(ask(process, R"({"request":"hello","protocol":2,"backend":"metal"})"),
              HasSubstr("unknown backend \\\"metal\\\". Expected one of: cpu, sim, cuda, hip"));
  EXPECT_EQ(hello.policies.at("reset_to_zero"),
            adapter->child("policies")->child("reset_to_zero")->value);
  quit(process);
}

TEST_F(Adapter, the_end_of_its_input_ends_it) {
  LineProcess process = start();
  process.close_input();
  EXPECT_TRUE(process.wait(std::chrono::seconds(10)).success());
}

// Requests that no judge would send, answered in this process.
class Requests : public Adapter {
 protected:
  std::vector<std::string> serve(const std::string& lines) {
    std::istringstream input(lines);
    std::vector<std::string> answers;
    must(serve_requests(m_backend, {}, input,
                        [&](std::string_view line) { answers.emplace_back(line); }));
    return answers;
  }
  std::string refusal(const protocol::CallRequest& request) {
    const std::string line = serve(to_line(request) + "\n").at(0);
    const auto answer = protocol::parse_call_answer(line);
    // Some nonsense is seen by the protocol already, before a call is made of it.
    if (!answer) return answer.error().message;
    return answer->done ? "done" : answer->message;
  }
  FunctionBackend m_backend{[](const Config&, const LaunchArguments&) { return 0; }};
};

TEST_F(Requests, garbage_is_answered_with_an_error_and_the_next_request_is_read) {
  const auto answers =
      serve("\n{\n[]\n{\"request\": \"dance\"}\n{\"request\": \"call\"}\n\xff\xfe\n" +
            std::string(100'000, '[') + "\n" + protocol::hello_request() + "\n");
  ASSERT_EQ(answers.size(), 8U);
  for (std::size_t i = 0; i < 7; ++i)
    EXPECT_THAT(answers[i], HasSubstr("\"answer\":\"error\"")) << i;
  EXPECT_TRUE(protocol::parse_hello(answers[7]).has_value());
}

TEST_F(Requests, a_call_that_names_what_is_not_there_fails_and_says_what) {
  auto wrong = request();
  wrong.kernel_folder = m_home.path() / "nothing";
  EXPECT_THAT(refusal(wrong), HasSubstr("nothing"));
  wrong = request();
  wrong.kernel = "other";
  EXPECT_THAT(refusal(wrong), HasSubstr("expected other"));
  wrong = request();
  wrong.tensors[0].file = m_home.path() / "no-file";
  EXPECT_THAT(refusal(wrong), HasSubstr("no-file"));
  wrong = request();
  wrong.tensors.pop_back();
  EXPECT_THAT(refusal(wrong), HasSubstr("needs 2 tensors"));
  wrong = request();
  wrong.space.parameters.clear();
  EXPECT_THAT(refusal(wrong), HasSubstr("space is empty"));
}

TEST_F(Requests, a_tensor_must_lie_inside_of_its_file) {
  const std::int64_t huge = std::int64_t{1} << 62;
  const auto with = [&](std::uint64_t byte_offset, std::int64_t count, std::int64_t stride) {
    auto changed = request();
    const std::int64_t shape[] = {count};
    const std::int64_t strides[] = {stride};
    changed.tensors[0].byte_offset = byte_offset;
    changed.tensors[0].layout = Layout::strided(shape, strides);
    return refusal(changed);
  };
  EXPECT_THAT(with(offset + 4, 2 * size, 1), HasSubstr("does not fit"));
  EXPECT_THAT(with(0, size, -1), HasSubstr("does not fit"));
  EXPECT_THAT(with(0, size, 1000), HasSubstr("does not fit"));
  EXPECT_NE(with(~std::uint64_t{0}, 1, 1), "done");
  EXPECT_NE(with(0, huge, huge), "done");
  EXPECT_NE(with(0, -1, 1), "done");
  EXPECT_EQ(with(offset, size, 1), "done");
}

}  // namespace
}  // namespace tunecheck::test
