// Processes that serve one run after the other, on the CPU under a tool that does nothing; and what
// tools say.
#include "harness/kernel/runners.hpp"

#include <set>

#include <gmock/gmock.h>

#include "backend/cpu/cpu_backend.hpp"
#include "backend/gpu/gpu_backend.hpp"
#include "core/command.hpp"
#include "core/device_kinds.hpp"
#include "core/in_parallel.hpp"
#include "core/resources.hpp"
#include "toy_kernel.hpp"

namespace tunecheck::test {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class RunnersTest : public testing::Test {
 protected:
  // A run of the toy kernel on a y of one element; in step 1 it writes the id of its process there,
  // in step 2 it runs `in_step_2` as well.
  IsolatedRun run(int step, const std::string& in_step_2 = "") {
    KernelText text;
    text.cpu = with(text.cpu, "#include \"step.h\"",
                    "#include \"step.h\"\n#include <cstdio>\n#include <cstdlib>\n"
                    "#include <unistd.h>");
    text.cpu = with(text.cpu, "(void)config;",
                    "(void)config;\n  if (step == 2) { " + in_step_2 +
                        " }\n  y(0) = static_cast<Y_TYPE>(::getpid());\n  return;");
    const std::filesystem::path folder = m_folder.path() / std::to_string(m_runs++);
    const KernelDefinition kernel = write_kernel(folder, text);
    CompileRequest request;
    request.kernel = &kernel;
    request.dtypes = {DType::f64, DType::f64};
    request.config = {{"step", step}};
    request.arch = m_cpu.resolve_arch("").value();
    IsolatedRun made;
    made.module = folder / "module";
    EXPECT_TRUE(write_file(made.module, m_cpu.compile(request).value().bytes));
    made.scalars = {{DType::f32, 1}};
    const double zero = 0;
    for (const char* const name : {"x", "y"}) {
      made.tensors.push_back(
          {folder / name, 0, DType::f64, Layout::contiguous(std::vector<std::int64_t>{1})});
      EXPECT_TRUE(write_file(made.tensors.back().file, std::as_bytes(std::span(&zero, 1))));
    }
    return made;
  }

  // The process in which a run took place.
  Result<double> process_of(Runners& runners, const IsolatedRun& run) const {
    TUNECHECK_TRY(const IsolatedResult result, runners.run(run, m_folder.path()));
    EXPECT_EQ(result.status, 0);
    const auto bytes = read_binary_file(run.tensors[1].file).value();
    double process = 0;
    std::memcpy(&process, bytes.data(), sizeof process);
    EXPECT_GT(process, 0);
    return process;
  }

  std::string trouble_of(Runners& runners, const IsolatedRun& run) const {
    const auto result = runners.run(run, m_folder.path());
    return result ? "none" : result.error().text();
  }

  // A tool that runs what it is given, and the shell's `then` afterwards.
  std::vector<std::string> tool(const std::string& then) const {
    const auto file = m_folder.path() / "tool";
    EXPECT_TRUE(write_file(file, "#!/bin/sh\n\"$@\"\nstatus=$?\n" + then + "\nexit $status\n"));
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return {file.string()};
  }

  std::filesystem::path folder() const { return m_folder.path(); }

 private:
  const TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-test-runners").value();
  const CpuBackend m_cpu;
  int m_runs = 0;
};

TEST_F(RunnersTest, on_the_cpu_give_each_run_a_process_of_its_own) {
  Runners runners(DeviceKind::cpu);
  const IsolatedRun one = run(1);
  EXPECT_NE(process_of(runners, one).value(), process_of(runners, one).value());
  EXPECT_EQ(runners.finish(), "");
}

TEST_F(RunnersTest, that_are_kept_serve_one_run_after_the_other) {
  Runners runners(DeviceKind::cpu, {"env"});
  const double first = process_of(runners, run(1)).value();
  EXPECT_EQ(process_of(runners, run(1)).value(), first);
  EXPECT_EQ(process_of(runners, run(2, "std::puts(\"debug\");")).value(), first);
  EXPECT_EQ(runners.finish(), "");
  EXPECT_NE(process_of(runners, run(1)).value(), first);
}

TEST_F(RunnersTest, that_are_kept_are_as_many_as_ask_at_once) {
  Runners runners(DeviceKind::cpu, {"env"});
  std::vector<IsolatedRun> runs;
  for (int i = 0; i < 8; ++i)
    runs.push_back(run(1));
  std::vector<double> processes(runs.size());
  in_parallel(runs.size(), 2,
              [&](std::size_t i) { processes[i] = process_of(runners, runs[i]).value(); });
  EXPECT_LE(std::set<double>(processes.begin(), processes.end()).size(), 2U);
}

TEST_F(RunnersTest, a_run_that_crashes_costs_its_process_and_no_other_run) {
  Runners runners(DeviceKind::cpu, {"env"});
  EXPECT_THAT(trouble_of(runners, run(2, "std::abort();")), StartsWith("signal 6"));
  EXPECT_THAT(trouble_of(runners, run(2, "std::fputs(\"enough\\n\", stderr); ::_exit(5);")),
              AllOf(StartsWith("exit status 5"), HasSubstr("enough")));
  EXPECT_TRUE(process_of(runners, run(1)));
}

TEST_F(RunnersTest, a_run_that_hangs_is_killed_at_its_time_limit) {
  Runners runners(DeviceKind::cpu, {"env"});
  IsolatedRun endless = run(2, "::sleep(20);");
  endless.time_limit = 1s;
  EXPECT_EQ(trouble_of(runners, endless), "no end within the time limit");
  EXPECT_TRUE(process_of(runners, run(1)));
}

TEST_F(RunnersTest, a_run_without_its_module_says_so) {
  Runners runners(DeviceKind::cpu, {"env"});
  IsolatedRun gone = run(1);
  std::filesystem::remove(gone.module);
  EXPECT_THAT(trouble_of(runners, gone), HasSubstr(gone.module.string()));
}

TEST_F(RunnersTest, a_tool_that_complains_at_the_end_is_heard) {
  Runners runners(DeviceKind::cpu, tool("echo '=== an invalid read'; status=86"));
  EXPECT_TRUE(process_of(runners, run(1)));
  EXPECT_EQ(runners.finish(), "exit status 86: === an invalid read");
  EXPECT_EQ(runners.finish(), "");
}

TEST_F(RunnersTest, a_tool_that_talks_and_is_content_is_not_heard) {
  Runners runners(DeviceKind::cpu, tool("echo '=== 0 errors'"));
  EXPECT_TRUE(process_of(runners, run(1)));
  EXPECT_EQ(runners.finish(), "");
}

TEST_F(RunnersTest, what_a_tool_says_of_a_run_that_fails_is_part_of_the_error) {
  Runners runners(DeviceKind::cpu, tool("echo '=== it was the module'"));
  IsolatedRun gone = run(1);
  std::filesystem::remove(gone.module);
  EXPECT_THAT(trouble_of(runners, gone),
              AllOf(HasSubstr(gone.module.string()), HasSubstr("=== it was the module")));
  EXPECT_EQ(runners.finish(), "");
}

TEST_F(RunnersTest, a_tool_that_is_not_there_is_an_error) {
  Runners runners(DeviceKind::cpu, {"no-such-tool"});
  EXPECT_THAT(trouble_of(runners, run(1)), HasSubstr("no-such-tool"));
}

TEST_F(RunnersTest, without_a_device_say_what_is_missing) {
  for (const DeviceKind kind : gpu_kinds) {
    const auto device = GpuBackend(kind).device_name();
    if (device) continue;
    Runners runners(kind);
    EXPECT_EQ(trouble_of(runners, run(1)), device.error().text()) << name_of(kind);
  }
}

TEST_F(RunnersTest, a_kind_of_device_that_does_not_exist_is_refused_by_the_program) {
  CommandOptions options;
  options.arguments = {(program_folder() / "tunecheck-runner").string(), "--serve", "abacus"};
  const auto ran = run_command(options);
  ASSERT_TRUE(ran) << ran.error().text();
  EXPECT_FALSE(ran->end.success());
  EXPECT_THAT(ran->output,
              HasSubstr("unknown backend \\\"abacus\\\". Expected one of: cpu, sim, cuda, hip"));
}

TEST_F(RunnersTest, a_line_that_is_no_run_is_answered_and_ends_the_process) {
  CommandOptions options;
  options.arguments = {(program_folder() / "tunecheck-runner").string(), "--serve", "cpu"};
  LineProcess process = LineProcess::start(options, folder() / "log").value();
  const auto answer = [&] {
    std::string line;
    while (line.empty()) {  // each answer begins on a line of its own
      const LineProcess::Read read = process.read_line(30s);
      if (read.state != LineProcess::ReadState::line) return std::string("none");
      line = read.line;
    }
    return line;
  };
  EXPECT_THAT(answer(), StartsWith(std::string(answer_mark) + "{"));
  ASSERT_TRUE(process.write_line("launch it"));
  EXPECT_THAT(answer(), HasSubstr("expected a run as JSON"));
  EXPECT_EQ(process.wait(30s).exit_status, 1);
}

}  // namespace
}  // namespace tunecheck::test
