// What a process starts, in ways that an environment does not reach.
#include "observe/programs/program_watch.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <pthread.h>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "core/command.hpp"
#include "core/resources.hpp"
#include "core/text.hpp"
#include "observe/evidence_clock.hpp"
#include "observe/programs/program_filter.hpp"
#include "observe/programs/spy_starts.hpp"
#include "spy_fixture.hpp"

namespace tunecheck {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// A shell that is watched, with a spy in front of the compiler.
class ProgramWatchTest : public SpyFixture {
 protected:
  void SetUp() override {
    if (const std::string why = why_programs_are_not_seen(); !why.empty()) GTEST_SKIP() << why;
    SpyFixture::SetUp();
    compiler = std::filesystem::canonical(find_program("c++"));
    put(folder.path() / "answer.cpp", "int answer() { return 42; }\n");
  }

  // Runs the lines to their end; how they ended.
  ProcessEnd watch(const std::string& script) {
    WatchedPrograms watched;
    watched.evidence = evidence_file;
    watched.spy_programs = {spy()};
    watched.probe_library = *find_launch_probe();
    watched.workspace = folder.path();
    watched.compilers = {compiler};
    watched.refuses_compilers = refuses;
    watched.spy_settings = settings;
    auto watch = ProgramWatch::begin(watched).value();
    CommandOptions options;
    options.arguments = {"/bin/sh", "-c", script};
    options.folder = folder.path();
    options.in_child = [&] {
      watch->in_child();
      if (in_child) in_child();
    };
    auto process = LineProcess::start(options, folder.path() / "log").value();
    const ProcessEnd end = process.wait(1min);
    misled = watch->misled_spy();
    watch.reset();
    std::uint64_t from = 0;
    seen = read_evidence(evidence_file, from).value();
    return end;
  }
  std::string text(const std::string& file) const {
    return read_text_file(folder.path() / file).value_or("");
  }

  std::filesystem::path compiler;
  bool refuses = false;
  std::function<void()> in_child;               // when it is watched, before the shell
  std::vector<std::filesystem::path> settings;  // that spies must have
  std::string misled;
  Evidence seen;
};

// With which status a child ends that does nothing but this.
template <class Work>
int status_of_child(Work&& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Asked of the kernel directly, with a filter that allows everything. If the code under test
// answered, a broken filter would only skip the tests of this file.
bool kernel_has_listeners() {
  return status_of_child([] {
           sock_filter allow = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
           const sock_fprog program = {1, &allow};
           const bool has = ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                            ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                                      SECCOMP_FILTER_FLAG_NEW_LISTENER, &program) >= 0;
           return has ? 0 : 1;
         }) == 0;
}

// A child asks: a wrong answer may end the process that asked with status 0, which is no pass.
TEST(Programs, are_seen_wherever_the_kernel_has_listeners) {
  if (!kernel_has_listeners()) GTEST_SKIP() << "the kernel has no listeners for us";
  constexpr int seen = 7;
  EXPECT_EQ(status_of_child([] { return why_programs_are_not_seen().empty() ? seen : 1; }), seen);
}

TEST(ProgramListener, is_waited_for_whatever_signals_come_meanwhile) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
  const FileDescriptor own(ends[0]), other(ends[1]);
  const auto before = std::signal(SIGUSR1, [](int) {});
  std::string said;
  std::thread waits([&] { said = receive_listener(own.get(), -1).error().message; });
  for (int i = 0; i < 20; ++i) {
    ::pthread_kill(waits.native_handle(), SIGUSR1);
    std::this_thread::sleep_for(1ms);
  }
  const int refused = ENOSYS;
  EXPECT_EQ(::write(other.get(), &refused, sizeof refused), static_cast<ssize_t>(sizeof refused));
  waits.join();
  std::signal(SIGUSR1, before);
  EXPECT_THAT(said, HasSubstr(std::strerror(refused)));
}

TEST_F(ProgramWatchTest, a_program_is_seen_with_its_arguments) {
  EXPECT_TRUE(watch("cd /; /bin/echo one 'two words' > /dev/null").success());
  EXPECT_THAT(seen.programs,
              Contains(AllOf(Field(&ProgramEvent::program, EndsWith("/echo")),
                             Field(&ProgramEvent::arguments, ElementsAre("one", "two words")))));
  EXPECT_THAT(seen.compiles, IsEmpty());
}

TEST_F(ProgramWatchTest, a_compiler_by_its_full_path_is_a_compile) {
  EXPECT_TRUE(watch(compiler.string() + " -c answer.cpp -o answer.o").success());
  ASSERT_THAT(seen.compiles, SizeIs(1));
  EXPECT_EQ(seen.compiles[0].mode, "outside");
  EXPECT_EQ(seen.compiles[0].tool, compiler);
  EXPECT_FALSE(seen.compiles[0].query);
  EXPECT_THAT(seen.compiles[0].arguments, ElementsAre("-c", "answer.cpp", "-o", "answer.o"));
}

TEST_F(ProgramWatchTest, a_compiler_in_an_empty_environment_after_a_double_fork_is_seen) {
  EXPECT_TRUE(watch("(setsid env -i " + compiler.string() +
                    " -c answer.cpp -o answer.o; touch done) & while ! [ -e done ]; do :; done")
                  .success());
  EXPECT_THAT(seen.compiles, Contains(Field(&CompileEvent::mode, "outside")));
}

TEST_F(ProgramWatchTest, a_question_to_a_compiler_is_no_compile) {
  EXPECT_TRUE(watch(compiler.string() + " --version > /dev/null").success());
  ASSERT_THAT(seen.compiles, SizeIs(1));
  EXPECT_TRUE(seen.compiles[0].query);
}

TEST_F(ProgramWatchTest, a_compiler_that_is_given_its_source_by_a_pipe_compiles) {
  refuses = true;
  EXPECT_FALSE(watch("echo 'int one;' | " + compiler.string() + " -E -x c++ - > out").success());
  EXPECT_THAT(seen.compiles, Contains(Field(&CompileEvent::mode, "refused")));
}

TEST_F(ProgramWatchTest, a_program_that_is_given_no_list_of_arguments_is_seen) {
  in_child = [] { ::syscall(SYS_execve, "/bin/true", nullptr, environ); };
  EXPECT_TRUE(watch("exit 1").success());
  EXPECT_THAT(seen.programs, ElementsAre(AllOf(Field(&ProgramEvent::program, EndsWith("/true")),
                                               Field(&ProgramEvent::arguments, IsEmpty()))));
}

TEST_F(ProgramWatchTest, a_wrong_call_fails_as_if_nobody_watched) {
  int no_text = 0;
  int no_file = 0;
  in_child = [&] {
    constexpr long nowhere = 8;
    (void)::syscall(SYS_execve, nowhere, nullptr, environ);
    no_text = errno;
    (void)::syscall(SYS_execve, "/bin", nullptr, environ);
    no_file = errno;
  };
  EXPECT_TRUE(watch("exit 0").success());
  EXPECT_EQ(no_text, EFAULT);
  EXPECT_EQ(no_file, EACCES);
}

// A wall clock that is set meanwhile must not put what came first behind what came last.
TEST_F(ProgramWatchTest, what_it_and_the_spy_see_has_one_clock_that_nobody_sets) {
  const std::int64_t before_ns = evidence_now_ns();
  EXPECT_TRUE(watch("/bin/true; " + link.string() + " -c answer.cpp -o answer.o").success());
  ASSERT_THAT(seen.compiles, SizeIs(1));
  ASSERT_THAT(seen.programs, Not(IsEmpty()));
  EXPECT_LT(before_ns, seen.programs.front().time_ns);
  EXPECT_LT(seen.programs.front().time_ns, seen.compiles[0].time_ns);
  EXPECT_LT(seen.compiles[0].time_ns, evidence_now_ns());
}

TEST_F(ProgramWatchTest, a_compile_by_the_spy_is_recorded_once) {
  EXPECT_TRUE(watch(link.string() + " -c answer.cpp -o answer.o").success());
  ASSERT_THAT(seen.compiles, SizeIs(1));
  EXPECT_EQ(seen.compiles[0].mode, "pass");
  EXPECT_THAT(seen.programs, Not(Contains(Field(&ProgramEvent::program, HasSubstr("cc1plus")))));
}

TEST_F(ProgramWatchTest, a_spy_with_other_settings_is_noticed) {
  const std::string file = spy_settings_file(link).string();
  settings = {file};
  const std::string compile = link.string() + " -c answer.cpp -o answer.o";
  EXPECT_TRUE(watch(compile).success());
  EXPECT_EQ(misled, "");
  (void)watch("cp " + file + " kept && echo >> " + file + " && " + compile + "; cp kept " + file);
  EXPECT_THAT(misled, HasSubstr("is not what tunecheck wrote"));
  (void)watch("ln " + link.string() + " other && cp " + file +
              " other.spy.json && ./other -c answer.cpp");
  EXPECT_THAT(misled, HasSubstr("was started as"));
  settings.clear();
  (void)watch("./other -c answer.cpp");
  EXPECT_EQ(misled, "") << "any will do";
}

TEST_F(ProgramWatchTest, settings_that_the_judge_changes_meanwhile_mislead_nobody) {
  const std::filesystem::path file = spy_settings_file(link);
  SpyStarts spies({spy()}, {file});
  const std::string before = read_text_file(file).value();
  ASSERT_TRUE(spies.change([&] { return write_file(file, before + "\n"); }));
  spies.examine(link);
  EXPECT_EQ(spies.misled(), "");
  ASSERT_TRUE(write_file(file, before));
  spies.examine(link);
  EXPECT_THAT(spies.misled(), HasSubstr("is not what tunecheck wrote"));
}

TEST_F(ProgramWatchTest, a_compiler_past_the_spy_is_refused_where_none_may_run) {
  refuses = true;
  EXPECT_TRUE(watch(compiler.string() + " -c answer.cpp -o answer.o 2> refused; " +
                    compiler.string() + " --version > version")
                  .success());
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "answer.o"));
  EXPECT_THAT(text("refused"), HasSubstr("Permission denied"));
  EXPECT_THAT(text("version"), Not(IsEmpty()));
  EXPECT_THAT(seen.compiles, ElementsAre(Field(&CompileEvent::mode, "refused"),
                                         Field(&CompileEvent::query, true)));
}

TEST_F(ProgramWatchTest, a_copy_of_a_compiler_under_another_name_is_seen_by_what_it_starts) {
  CommandOptions asks;
  asks.arguments = {compiler.string(), "-print-prog-name=cc1plus"};
  const std::filesystem::path part = split_words(run_command(asks)->output).at(0);
  if (!part.has_parent_path()) GTEST_SKIP() << compiler << " starts no cc1plus";
  refuses = true;
  EXPECT_FALSE(watch("cp " + compiler.string() + " harmless && ./harmless -B" +
                     part.parent_path().string() + " -c answer.cpp")
                   .success());
  EXPECT_THAT(seen.compiles, Contains(AllOf(Field(&CompileEvent::mode, "refused"),
                                            Field(&CompileEvent::tool, HasSubstr("cc1plus")))));
}

TEST_F(ProgramWatchTest, code_that_was_made_meanwhile_is_seen_where_the_probe_is_missing) {
  const std::string load = "LD_PRELOAD=$PWD/answer.so /bin/true";
  EXPECT_TRUE(watch(link.string() + " -shared -fPIC answer.cpp -o answer.so && " + load).success());
  ASSERT_THAT(seen.unseen_code, SizeIs(1));
  EXPECT_EQ(seen.unseen_code[0].file, folder.path() / "answer.so");
  EXPECT_THAT(seen.unseen_code[0].program, EndsWith("/true"));
}

TEST_F(ProgramWatchTest, code_that_is_loaded_beside_the_probe_is_not_unseen) {
  EXPECT_TRUE(watch(link.string() + " -shared -fPIC answer.cpp -o answer.so && LD_PRELOAD=" +
                    find_launch_probe()->string() + ":$PWD/answer.so /bin/true")
                  .success());
  EXPECT_THAT(seen.unseen_code, IsEmpty());
}

TEST_F(ProgramWatchTest, one_that_is_killed_ends_while_it_is_watched) {
  EXPECT_EQ(watch("kill -9 $$").signal, SIGKILL);
}

TEST_F(ProgramWatchTest, a_program_that_is_not_there_is_none) {
  EXPECT_EQ(watch("/nowhere/c++ 2> /dev/null").exit_status, 127);
  EXPECT_THAT(seen.compiles, IsEmpty());
}

TEST_F(ProgramWatchTest, the_judge_cannot_be_killed) {
  const std::string judge = std::to_string(::getpid());
  for (const std::string& target : {judge, "-" + std::to_string(::getpgrp()), std::string("-1")})
    EXPECT_NE(watch("bash -c 'kill -0 -- " + target + "' 2> refused").exit_status, 0) << target;
  EXPECT_THAT(text("refused"), HasSubstr("not permitted"));
  EXPECT_TRUE(watch("sleep 10 & kill $!").success());
}

TEST_F(ProgramWatchTest, a_judge_that_is_itself_watched_says_that_it_sees_no_programs) {
  const auto program = program_folder() / "tunecheck";
  if (!std::filesystem::exists(program)) GTEST_SKIP() << "there is no " << program;
  (void)watch(program.string() + " doctor > doctor 2> /dev/null");
  EXPECT_THAT(text("doctor"), HasSubstr("optional  seccomp notification"));
}

TEST(ProgramNames, compilers_have_versions_and_targets) {
  for (const char* const name : {"c++", "g++", "g++-12", "x86_64-linux-gnu-g++-12", "clang++-14",
                                 "clang-14", "nvcc", "cc1plus", "ptxas", "arm-none-eabi-gcc-10.3"})
    EXPECT_TRUE(is_compiler_name(name)) << name;
  for (const char* const name : {"", "sh", "python3", "clang-format", "clang-format-14", "gcc-ar",
                                 "ld", "as", "ccache", "c++filt", "my"})
    EXPECT_FALSE(is_compiler_name(name)) << name;
}

}  // namespace
}  // namespace tunecheck
