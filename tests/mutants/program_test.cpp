// tunecheck-adapter-mutants as the judge sees it: a process that answers lines.
#include <algorithm>
#include <csignal>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "../observe/cached_compiler.hpp"
#include "adapter/protocol/messages.hpp"
#include "core/command.hpp"
#include "mutants/mutant.hpp"

namespace tunecheck {
namespace {

using namespace std::chrono_literals;
using ReadState = LineProcess::ReadState;

constexpr const char* program = TUNECHECK_MUTANTS_PROGRAM;
constexpr std::int64_t elements = 256;

constexpr std::string_view kernel_info = R"(kernel
{
  name     double_it
  summary  "out = 2 * in"
  sizes    { smoke { n 256 }  full { n 256 } }
  tensors
  {
    in  { dtype f32  shape "n"  access read  fill normal }
    out { dtype f32  shape "n"  access write }
  }
  space      { width "1 4" }
  default    { width 4 }
  cpu        { source cpu.cpp }
  reference  reference.cpp
  tolerance  { relative 0  absolute 0  reason "a doubling is exact" }
}
)";

constexpr std::string_view kernel_source = R"(#include <tunecheck/cpu_kernel.h>
void double_it(tunecheck::Tensor<IN_TYPE> in, tunecheck::Tensor<OUT_TYPE> out) {
  for (int64_t i = 0; i < in.size(0); i += WIDTH)
    for (int64_t j = i; j < i + WIDTH && j < in.size(0); ++j) out(j) = 2 * in(j);
}
TUNECHECK_KERNEL(double_it)
)";

constexpr std::string_view kernel_reference = R"(#include <tunecheck/reference.h>
void double_it(tunecheck::Tensor<double> in, tunecheck::Tensor<double> out) {
  for (int64_t i = 0; i < in.size(0); ++i) out(i) = 2 * in(i);
}
TUNECHECK_REFERENCE(double_it)
)";

bool misbehaves_as_a_process(const std::string& mutant) {
  return mutant == "exits_mid_call" || mutant == "never_answers" || mutant == "prints_garbage" ||
         mutant == "dies_on_quit";
}

// A kernel, its tensors and an adapter process with one planted bug.
class Session {
 public:
  explicit Session(const std::string& mutant, std::vector<std::int64_t> widths = {1, 4})
      : m_folder(make_folder()), m_process(start(mutant)), m_widths(std::move(widths)) {}

  LineProcess& process() { return m_process; }

  protocol::Hello hello() {
    EXPECT_TRUE(m_process.write_line(protocol::hello_request()));
    return protocol::parse_hello(read().line).value();
  }

  LineProcess::Read call(std::chrono::milliseconds time_limit = 60s) {
    EXPECT_TRUE(m_process.write_line(protocol::to_line(request())));
    return m_process.read_line(time_limit);
  }

  LineProcess::Read read() { return m_process.read_line(60s); }

  ProcessEnd quit() {
    EXPECT_TRUE(m_process.write_line(protocol::quit_request()));
    (void)read();
    m_process.close_input();
    return m_process.wait(10s);
  }

  std::vector<double> output() const {
    auto bytes = read_binary_file(path() / "out.bin").value();
    const std::int64_t shape[] = {elements};
    return to_doubles({bytes.data(), DType::f32, Layout::contiguous(shape)});
  }

 private:
  static TemporaryFolder make_folder() {
    TemporaryFolder folder = TemporaryFolder::create("tunecheck-mutants").value();
    EXPECT_TRUE(write_file(folder.path() / "kernel.info", kernel_info));
    EXPECT_TRUE(write_file(folder.path() / "cpu.cpp", kernel_source));
    EXPECT_TRUE(write_file(folder.path() / "reference.cpp", kernel_reference));
    std::vector<float> in(elements);
    for (std::size_t i = 0; i < in.size(); ++i)
      in[i] = static_cast<float>(i) / 4;
    EXPECT_TRUE(write_file(folder.path() / "in.bin", std::as_bytes(std::span(in))));
    // Room behind the elements for those that write past the end.
    std::vector<float> out(2 * elements, -1.0F);
    EXPECT_TRUE(write_file(folder.path() / "out.bin", std::as_bytes(std::span(out))));
    return folder;
  }

  LineProcess start(const std::string& mutant) const {
    CommandOptions options{.arguments = {program, "--mutant", mutant},
                           .environment = current_environment(),
                           .folder = {},
                           .time_limit = 60s,
                           .in_child = {}};
    (*options.environment)["TUNECHECK_CACHE_DIR"] = (path() / "cache").string();
    (*options.environment)["TMPDIR"] = path().string();
    (*options.environment)["TUNECHECK_CXX"] = test::cached_compiler();
    return LineProcess::start(options, path() / "log").value();
  }

  protocol::CallRequest request() const {
    const std::int64_t shape[] = {elements};
    protocol::CallRequest request;
    request.kernel_folder = path();
    request.kernel = "double_it";
    for (const std::string name : {"in", "out"})
      request.tensors.push_back(
          {name, path() / (name + ".bin"), 0, DType::f32, Layout::contiguous(shape)});
    request.sizes = {{"n", elements}};
    request.space.parameters = {{"width", m_widths}};
    return request;
  }

  const std::filesystem::path& path() const { return m_folder.path(); }

  TemporaryFolder m_folder;
  LineProcess m_process;
  std::vector<std::int64_t> m_widths;  // each is a config, which is compiled
};

CommandResult run_program(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), program);
  CommandOptions options;
  options.arguments = std::move(arguments);
  return run_command(options).value();
}

class EveryMutant : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> mutant_names() {
  std::vector<std::string> all;
  for (const Mutant& mutant : all_mutants())
    all.push_back(mutant.name);
  return all;
}
INSTANTIATE_TEST_SUITE_P(MutantsProgram, EveryMutant, ::testing::ValuesIn(mutant_names()),
                         [](const auto& info) { return info.param; });

TEST_P(EveryMutant, answers_hello_and_calls_a_pure_kernel) {
  Session session(GetParam(), {4});
  EXPECT_EQ(session.hello().tuner, "mutant:" + GetParam());
  if (misbehaves_as_a_process(GetParam())) return;
  const auto answer = protocol::parse_call_answer(session.call().line);
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_TRUE(answer->done) << answer->message;
  const std::vector<double> output = session.output();
  for (std::size_t i = 0; i < output.size(); ++i)
    ASSERT_EQ(output[i], static_cast<double>(i) / 2) << i;
  EXPECT_TRUE(session.quit().success());
}

TEST(MutantsProgram, exits_mid_call_without_an_answer) {
  Session session("exits_mid_call");
  EXPECT_EQ(session.call().state, ReadState::closed);
  EXPECT_TRUE(session.process().wait(10s).success());
}

TEST(MutantsProgram, never_answers_is_still_there) {
  Session session("never_answers");
  EXPECT_EQ(session.call(3s).state, ReadState::timed_out);
  EXPECT_TRUE(session.process().wait(100ms).timed_out);
}

TEST(MutantsProgram, prints_garbage_before_its_answer) {
  Session session("prints_garbage");
  EXPECT_FALSE(protocol::parse_call_answer(session.call().line));
  EXPECT_TRUE(protocol::parse_call_answer(session.read().line));
  EXPECT_TRUE(session.quit().success());
}

TEST(MutantsProgram, dies_on_quit_after_right_answers) {
  Session session("dies_on_quit");
  EXPECT_TRUE(protocol::parse_call_answer(session.call().line)->done);
  EXPECT_EQ(session.quit().signal, SIGSEGV);
}

TEST(MutantsProgram, lists_its_mutants_as_json) {
  const CommandResult listed = run_program({"--list"});
  EXPECT_TRUE(listed.end.success());
  EXPECT_EQ(nlohmann::json::parse(listed.output), nlohmann::json::parse(mutants_as_json()));
}

TEST(MutantsProgram, refuses_an_unknown_mutant_with_one_line) {
  const CommandResult refused = run_program({"--mutant", "no_such_mutant"});
  EXPECT_EQ(refused.end.exit_status, 3);
  EXPECT_EQ(std::count(refused.output.begin(), refused.output.end(), '\n'), 1);
  EXPECT_THAT(refused.output, ::testing::HasSubstr("no_such_mutant"));
}

TEST(MutantsProgram, needs_either_a_mutant_or_the_list) {
  const CommandResult refused = run_program({});
  EXPECT_EQ(refused.end.exit_status, 3);
}

}  // namespace
}  // namespace tunecheck
