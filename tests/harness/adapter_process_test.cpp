// Adapters that misbehave in every way must be an error in words: never a hang, never a crash.
#include "harness/process/adapter_process.hpp"

#include <cstdlib>
#include <fstream>
#include <signal.h>
#include <thread>

#include <gmock/gmock.h>

#include "core/command.hpp"
#include "core/device_kinds.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"

namespace tunecheck::test {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

// An adapter that is a script of shell. $HELLO, $ANSWER and $QUIT are right answers.
class ScriptedAdapter {
 public:
  explicit ScriptedAdapter(const std::string& script)
      : m_folder(*TemporaryFolder::create("tunecheck-test-adapter")) {
    const auto file = m_folder.path() / "adapter.sh";
    if (!write_file(file, script)) throw std::runtime_error("cannot write the script");
    m_info.name = "scripted";
    m_info.command = {"/bin/sh", file.string()};
  }

  Result<AdapterProcess> start(std::chrono::milliseconds time_limit = 60s) const {
    AdapterLaunch launch;
    launch.adapter = &m_info;
    protocol::Hello hello;
    hello.tuner = "script";
    hello.backend = DeviceKind::cpu;
    protocol::CallAnswer answer;
    answer.done = true;
    launch.environment = {{"PATH", "/usr/bin:/bin"},
                          {"HELLO", protocol::to_line(hello)},
                          {"ANSWER", protocol::to_line(answer)},
                          {"QUIT", protocol::quit_answer()}};
    launch.folder = m_folder.path();
    launch.log = m_folder.path() / "adapter.log";
    launch.time_limit = time_limit;
    return AdapterProcess::start(launch);
  }

  // How it failed to start.
  std::string trouble(std::chrono::milliseconds time_limit = 60s) const {
    const auto started = start(time_limit);
    return started ? "none" : started.error().text();
  }
  std::string read(const std::string& file) const {
    return read_text_file(m_folder.path() / file).value_or("");
  }

 private:
  TemporaryFolder m_folder;
  AdapterInfo m_info;
};

constexpr const char* hello = "read line; echo \"$HELLO\"\n";
constexpr const char* answer = "read line; echo \"$ANSWER\"\n";
constexpr const char* quit = "read line; echo \"$QUIT\"\n";

// How it failed its first call; how it ended goes to `end`.
std::string trouble_in_call(const ScriptedAdapter& adapter, AdapterProcess::End* end = nullptr,
                            std::chrono::milliseconds time_limit = 60s) {
  auto process = adapter.start(time_limit);
  if (!process) return "did not start: " + process.error().text();
  const auto called = process->call({});
  const AdapterProcess::End ended = process->finish();
  if (end != nullptr) *end = ended;
  return called ? "none" : called.error().text();
}

AdapterProcess::End end_of(const std::string& script) {
  auto process = ScriptedAdapter(std::string(hello) + answer + script).start();
  if (!process || !process->call({})) throw std::runtime_error("must answer a call");
  return process->finish();
}

// True as soon as the process is gone, or a zombie that nobody asks for; false after 20 seconds.
bool has_ended(const std::string& pid) {
  for (int i = 0; i < 4000; ++i, std::this_thread::sleep_for(5ms)) {
    std::ifstream stat("/proc/" + pid + "/stat");
    std::string text;
    std::getline(stat, text);  // a process that ends between opening and reading is no line
    if (text.empty() || text.find(") Z") != text.npos) return true;
  }
  return false;
}

std::string one_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

TEST(AdapterProcess, that_has_no_such_device_says_why) {
  const ScriptedAdapter adapter(
      "read line; echo '{\"answer\": \"error\", \"message\": \"no CUDA driver\"}'\n");
  EXPECT_EQ(adapter.trouble(), "cannot run on \"cpu\": no CUDA driver");
}

TEST(AdapterProcess, answers_calls_and_ends_when_asked) {
  const ScriptedAdapter adapter(std::string(hello) + answer + answer + quit);
  auto process = adapter.start();
  ASSERT_TRUE(process) << process.error().text();
  EXPECT_EQ(process->hello().tuner, "script");
  for (int i = 0; i < 2; ++i) {
    const auto called = process->call({});
    ASSERT_TRUE(called) << called.error().text();
    EXPECT_TRUE(called->done);
  }
  const AdapterProcess::End end = process->finish();
  EXPECT_EQ(end.trouble, "");
  EXPECT_TRUE(end.end.success());
}

TEST(AdapterProcess, is_what_the_machine_ends_first_where_memory_runs_out) {
  const ScriptedAdapter script("read l; echo \"$HELLO\"; read l; echo \"$QUIT\"");
  const auto adapter = script.start();
  ASSERT_TRUE(adapter) << adapter.error().text();
  const std::string file = "/proc/" + std::to_string(adapter->id()) + "/oom_score_adj";
  int score = 0;
  std::ifstream(file) >> score;
  EXPECT_EQ(score, 1000);
}

TEST(AdapterProcess, that_is_no_program_is_named) {
  AdapterInfo info;
  info.command = {"tunecheck-no-such-adapter"};
  AdapterLaunch launch;
  launch.adapter = &info;
  launch.log = "/dev/null";
  launch.time_limit = 60s;
  const auto started = AdapterProcess::start(launch);
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().text(),
            "cannot be started: there is no program \"tunecheck-no-such-adapter\"");
}

TEST(LocateProgram, looks_beside_tunecheck_then_in_the_path_or_beside_the_adapters_file) {
  const auto folder = *TemporaryFolder::create("tunecheck-test-adapter");
  ASSERT_TRUE(write_file(folder.path() / "run.sh", std::string_view("#!/bin/sh\n")));
  std::filesystem::permissions(folder.path() / "run.sh", std::filesystem::perms::owner_all);
  AdapterInfo info;
  info.file = folder.path() / "adapter.info";
  const auto located = [&](const std::string& program) {
    info.command = {program};
    return locate_program(info);
  };
  EXPECT_EQ(located("tunecheck-runner"), program_folder() / "tunecheck-runner");
  EXPECT_EQ(located("sh"), find_program("sh"));
  EXPECT_EQ(located("./run.sh"), folder.path() / "./run.sh");
  EXPECT_EQ(located((folder.path() / "run.sh").string()), folder.path() / "run.sh");
  EXPECT_EQ(located("run.sh"), "");
  EXPECT_EQ(located("./walk.sh"), "");
}

// A program that starts Python as framework/adapter/python/start does.
TEST(FindAdapterProgram, refuses_a_python_that_cannot_be_run_where_one_is_to_start_the_adapter) {
  const auto folder = *TemporaryFolder::create("tunecheck-test-adapter");
  for (const char* const name : {"start", "other"}) {
    ASSERT_TRUE(write_file(folder.path() / name, std::string_view("#!/bin/sh\n")));
    std::filesystem::permissions(folder.path() / name, std::filesystem::perms::owner_all);
  }
  ASSERT_TRUE(create_folders(folder.path() / "tunecheck_adapter"));
  AdapterInfo info;
  info.file = folder.path() / "adapter.info";
  const auto trouble = [&](const std::string& program, const char* python) {
    info.command = {program};
    ::setenv("TUNECHECK_PYTHON", python, 1);
    const auto found = find_adapter_program(info);
    ::unsetenv("TUNECHECK_PYTHON");
    if (found) return std::string("none");
    EXPECT_EQ(found.error().kind, ErrorKind::bad_input);
    return found.error().text();
  };
  const std::string expected =
      "TUNECHECK_PYTHON: expected the absolute path of a Python that can be run, found ";
  EXPECT_EQ(trouble("./start", "/nowhere/python3"), expected + "\"/nowhere/python3\"");
  EXPECT_EQ(trouble("./start", "sh"), expected + "\"sh\"")
      << "each process has a folder of its own";
  EXPECT_EQ(trouble("./start", "/tmp"), expected + "\"/tmp\"");
  EXPECT_EQ(trouble("./start", "/bin/sh"), "none");
  EXPECT_EQ(trouble("./start", ""), "none");
  EXPECT_EQ(trouble("./other", "/nowhere/python3"), "none") << "nobody asks for it";
  info.environment = {{"TUNECHECK_PYTHON", "/of/its/own"}};
  EXPECT_EQ(trouble("./start", "/bin/sh"),
            info.file.string() + ": " + expected + "\"/of/its/own\"");
}

TEST(FindAdapterProgram, the_python_of_another_version_is_looked_at_where_there_is_one) {
  AdapterInfo info = find_adapter("flydsl").value();
  ASSERT_TRUE(info.other_version);
  ::setenv("TUNECHECK_OTHER_PYTHON", "/nowhere/python3", 1);
  const auto found = find_adapter_program(info);
  info.other_version.reset();
  const auto without = find_adapter_program(info);
  ::unsetenv("TUNECHECK_OTHER_PYTHON");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().text(),
            "TUNECHECK_OTHER_PYTHON: expected the absolute path of a Python that can be run, found "
            "\"/nowhere/python3\"");
  EXPECT_TRUE(without) << "nobody asks for it";
}

TEST(FindAdapterProgram, the_script_does_not_take_the_judged_version_for_the_other_one) {
  CommandOptions options;
  options.arguments = {locate_program(find_adapter("flydsl").value()).string(), "no.py"};
  options.environment = current_environment();
  (*options.environment)["TUNECHECK_OTHER_VERSION"] = "1";
  (*options.environment)["TUNECHECK_OTHER_PYTHON"] = "/nowhere/python3";
  (*options.environment)["TUNECHECK_PYTHON"] = "/bin/sh";
  const CommandResult ran = run_command(options).value();
  EXPECT_EQ(ran.end.exit_status, 127);
}

TEST(FindAdapterProgram, the_script_itself_starts_no_other_python_than_the_one_that_was_asked_for) {
  CommandOptions options;
  options.arguments = {locate_program(find_adapter("kernel_tuner").value()).string(), "no.py"};
  options.environment = current_environment();
  (*options.environment)["TUNECHECK_PYTHON"] = "/nowhere/python3";
  const CommandResult ran = run_command(options).value();
  EXPECT_EQ(ran.end.exit_status, 127);
}

TEST(AdapterProcess, that_exits_before_hello_is_told_with_its_status_and_log) {
  const ScriptedAdapter adapter("echo no module named tuner >&2; exit 3");
  EXPECT_EQ(adapter.trouble(), "ended instead of answering \"hello\": exit status 3");
  EXPECT_EQ(adapter.read("adapter.log"), "no module named tuner\n");
}

TEST(AdapterProcess, that_prints_half_a_line_and_exits_is_quoted) {
  EXPECT_EQ(ScriptedAdapter("read line; printf 'Traceback: x'; exit 1").trouble(),
            "ended instead of answering \"hello\": exit status 1, after printing \"Traceback: x\"");
}

TEST(AdapterProcess, that_prints_garbage_is_quoted) {
  EXPECT_THAT(ScriptedAdapter("echo Welcome to my tuner; cat").trouble(),
              HasSubstr("Welcome to my tuner"));
  const ScriptedAdapter later(std::string(hello) + "read line; echo compiling...; cat");
  AdapterProcess::End end;
  EXPECT_THAT(trouble_in_call(later, &end), HasSubstr("compiling..."));
  EXPECT_FALSE(end.end.success());
}

TEST(AdapterProcess, that_answers_another_question_is_refused) {
  EXPECT_THAT(ScriptedAdapter("read line; echo \"$ANSWER\"; cat").trouble(), HasSubstr("hello"));
  EXPECT_THAT(trouble_in_call(ScriptedAdapter(std::string(hello) + hello + "cat")),
              HasSubstr("call"));
}

TEST(AdapterProcess, that_speaks_another_protocol_is_told_which) {
  EXPECT_EQ(
      ScriptedAdapter("read line; echo \"$HELLO\" | "
                      "sed 's/\"protocol\": *2/\"protocol\":7/'; cat")
          .trouble(),
      "speaks protocol version 7; this tunecheck speaks 2: docs/adapter-protocol.md says under "
      "\"What changed\" what each version is");
}

TEST(AdapterProcess, that_hangs_is_killed_at_the_time_limit) {
  EXPECT_EQ(ScriptedAdapter("sleep 1000").trouble(100ms),
            "gave no answer to \"hello\" within 100 ms and was killed");
  const ScriptedAdapter later(std::string(hello) + "echo $$ > pid\nread line\nsleep 1000");
  AdapterProcess::End end;
  EXPECT_EQ(trouble_in_call(later, &end, 3s),
            "gave no answer to \"call\" within 3000 ms and was killed");
  EXPECT_EQ(end.trouble, "");
  EXPECT_TRUE(end.end.timed_out);
  EXPECT_TRUE(has_ended(one_line(later.read("pid"))));
}

TEST(AdapterProcess, that_is_killed_by_a_signal_is_told_which) {
  EXPECT_THAT(ScriptedAdapter("kill -SEGV $$").trouble(),
              AllOf(HasSubstr("ended instead of answering \"hello\""), HasSubstr("signal 11")));
  AdapterProcess::End end;
  EXPECT_THAT(
      trouble_in_call(ScriptedAdapter(std::string(hello) + "read line; kill -ABRT $$"), &end),
      AllOf(HasSubstr("\"call\""), HasSubstr("signal 6")));
  EXPECT_EQ(end.end.signal, SIGABRT);
}

TEST(AdapterProcess, that_prints_an_endless_line_is_stopped) {
  EXPECT_EQ(ScriptedAdapter("read line; cat /dev/zero").trouble(),
            "answered \"hello\" with an endless line");
}

TEST(AdapterProcess, that_failed_is_not_asked_again) {
  auto process = ScriptedAdapter(std::string(hello) + "read line; exit 5").start();
  ASSERT_TRUE(process) << process.error().text();
  EXPECT_THAT(process->call({}).error().text(), HasSubstr("exit status 5"));
  EXPECT_EQ(process->call({}).error().text(), "was not asked \"call\": it had failed before");
  const AdapterProcess::End end = process->finish();
  EXPECT_EQ(end.end.exit_status, 5);
  EXPECT_EQ(end.trouble, "");
}

TEST(AdapterProcess, that_reads_no_requests_any_more_has_ended) {
  EXPECT_THAT(trouble_in_call(ScriptedAdapter(std::string(hello) + "exec <&-; exit 4")),
              HasSubstr("ended instead of answering \"call\""));
}

TEST(AdapterProcess, that_dies_when_asked_to_quit_is_in_trouble) {
  EXPECT_THAT(end_of("read line; kill -SEGV $$").trouble, HasSubstr("signal 11"));
  EXPECT_EQ(end_of("read line; exit 2").trouble,
            "the adapter ended instead of answering \"quit\": exit status 2");
  EXPECT_EQ(end_of(std::string(quit) + "exit 2").trouble,
            "the adapter was asked to quit: exit status 2");
}

TEST(AdapterProcess, that_leaves_a_child_behind_holding_stdout_is_waited_for_no_longer) {
  const ScriptedAdapter adapter(std::string(hello) + "sleep 1000 & echo $! > pid\n" + answer +
                                quit + "exit 0");
  auto process = adapter.start();
  ASSERT_TRUE(process) << process.error().text();
  ASSERT_TRUE(process->call({}));
  EXPECT_EQ(process->finish().trouble, "");
  EXPECT_TRUE(has_ended(one_line(adapter.read("pid"))));
}

TEST(AdapterProcess, that_dies_while_its_child_holds_stdout_is_noticed_at_the_time_limit) {
  const ScriptedAdapter adapter(std::string(hello) +
                                "sleep 1000 & echo $! > pid\nread line\n"
                                "exit 3");
  EXPECT_THAT(trouble_in_call(adapter, nullptr, 3s), HasSubstr("\"call\""));
  EXPECT_TRUE(has_ended(one_line(adapter.read("pid"))));
}

TEST(AdapterProcess, that_prints_what_nobody_asked_for_is_not_asked_again) {
  const ScriptedAdapter adapter(std::string(hello) + "read line; echo \"$ANSWER\"; echo more\n" +
                                answer + quit);
  auto process = adapter.start();
  ASSERT_TRUE(process);
  ASSERT_TRUE(process->call({}));
  std::this_thread::sleep_for(50ms);
  const auto second = process->call({});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message, "printed what nobody had asked for, before \"call\": more\n");
}

TEST(AdapterProcess, that_answers_quit_with_another_line_is_told_so) {
  const auto end = end_of("read line; echo bye\n");
  EXPECT_EQ(end.trouble, "the adapter answered \"quit\" with another line: bye");
}

TEST(AdapterProcess, that_closes_its_stdout_has_not_ended) {
  const ScriptedAdapter adapter(std::string(hello) + "read line; exec 1>&-; sleep 1000\n");
  EXPECT_EQ(trouble_in_call(adapter), "closed its stdout instead of answering \"call\"");
}

TEST(AdapterProcess, that_is_killed_for_a_line_has_not_run_out_of_time) {
  AdapterProcess::End end;
  EXPECT_THAT(trouble_in_call(
                  ScriptedAdapter(std::string(hello) + "read line; echo junk; sleep 100\n"), &end),
              HasSubstr("found: junk"));
  EXPECT_EQ(end.end.text(), "signal 9 (Killed)");
}

}  // namespace
}  // namespace tunecheck::test
