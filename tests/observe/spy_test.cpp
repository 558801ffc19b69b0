#include <array>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <sys/wait.h>

#include "core/digest.hpp"
#include "spy_fixture.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class Spy : public SpyFixture {
 protected:
  void SetUp() override {
    SpyFixture::SetUp();
    put(source, "int answer() { return 42; }\n");
  }
  [[nodiscard]] CommandResult compile() const {
    return run({"-c", source.string(), "-o", object.string()});
  }
  fs::path source = folder.path() / "answer.cpp";
  fs::path object = folder.path() / "answer.o";
};

TEST_F(Spy, a_compile_passes_and_is_recorded) {
  EXPECT_TRUE(compile().end.success());
  const auto events = recorded();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].tool, link.string());
  EXPECT_THAT(events[0].arguments, ElementsAre("-c", source.string(), "-o", object.string()));
  EXPECT_FALSE(events[0].query);
  EXPECT_EQ(events[0].mode, "pass");
  EXPECT_EQ(events[0].exit_status, 0);
  EXPECT_EQ(events[0].output_digest, artifact_digest(read_binary_file(object).value()));
  EXPECT_FALSE(events[0].from_store);
  EXPECT_GT(events[0].pid, 0);
  EXPECT_GT(events[0].time_ns, 0);
  EXPECT_GT(events[0].wall_ns, 0);
}

TEST_F(Spy, tells_which_variables_are_not_as_the_tuner_got_them) {
  CommandOptions options;
  options.arguments = {link.string(), "-c", source.string(), "-o", object.string()};
  options.environment = Environment{{"PATH", "/usr/bin:/bin"}, {"KEPT", "yes"}, {"NEW", "1=2"},
                                    {"CHANGED", "now"},        {"PWD", "/"},    {"EMPTY", ""}};
  (*options.environment)["LONG"] = std::string(300, 'x');
  (*options.environment)["TUNECHECK_PROBE_WATCH"] = "no";
  settings.environment = {{"PATH", "/usr/bin:/bin"}, {"KEPT", "yes"}, {"CHANGED", "then"},
                          {"GONE", "yes"},           {"EMPTY", ""},   {"LD_PRELOAD", "probe.so"}};
  install();
  ASSERT_TRUE(run_command(options)->end.success());
  EXPECT_THAT(recorded().at(0).environment,
              ElementsAre("CHANGED=now", "LONG=" + std::string(200, 'x'), "NEW=1=2", "GONE"));
  settings.environment.clear();
  install();
  ASSERT_TRUE(run_command(options)->end.success());
  EXPECT_THAT(recorded().at(1).environment, testing::IsEmpty());
}

TEST_F(Spy, the_output_is_what_the_compiler_itself_makes) {
  EXPECT_TRUE(compile().end.success());
  const auto seen = read_binary_file(object).value();
  CommandOptions direct;
  direct.arguments = {"c++", "-c", source.string(), "-o", object.string()};
  ASSERT_TRUE(run_command(direct)->end.success());
  EXPECT_EQ(seen, read_binary_file(object).value());
}

TEST_F(Spy, a_failing_compile_shows_its_message_and_status) {
  put(source, "this is no C++\n");
  const CommandResult result = compile();
  EXPECT_EQ(result.end.exit_status, 1);
  EXPECT_THAT(result.output, HasSubstr("answer.cpp:1:1: error:"));
  ASSERT_EQ(recorded().size(), 1u);
  EXPECT_EQ(recorded()[0].exit_status, 1);
  EXPECT_EQ(recorded()[0].output_digest, "");
}

TEST_F(Spy, an_assembler_is_spied_on_and_refused_like_a_compiler) {
  const fs::path assembler = folder.path() / "real-ptxas";
  put(assembler, "#!/bin/sh\ncp \"$3\" \"$5\"\n");
  fs::permissions(assembler, fs::perms::owner_all);
  link = folder.path() / "bin" / "ptxas";
  settings.real_compiler = assembler;
  install();
  const fs::path text = folder.path() / "kernel.ptx";
  const fs::path cubin = folder.path() / "kernel.cubin";
  put(text, ".version 9.0\n");
  const std::vector<std::string> command = {"-lineinfo", "--gpu-name=sm_90a", text.string(), "-o",
                                            cubin.string()};
  EXPECT_TRUE(run(command).end.success());
  fs::remove(cubin);
  settings.mode = "poisoned";
  install();
  EXPECT_EQ(run(command).end.exit_status, 86);
  EXPECT_FALSE(fs::exists(cubin));
  const auto events = recorded();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].tool, link.string());
  EXPECT_EQ(events[0].output_digest, artifact_digest(read_binary_file(text).value()));
  EXPECT_FALSE(events[0].query);
  EXPECT_EQ(events[1].exit_status, 86);
}

TEST_F(Spy, is_found_through_path_with_a_cleared_environment) {
  CommandOptions options;
  options.arguments = {"/bin/sh", "-c", "c++ -c answer.cpp -o answer.o"};
  options.environment = Environment{{"PATH", link.parent_path().string() + ":/usr/bin:/bin"}};
  options.folder = folder.path();
  const auto result = run_command(options);
  ASSERT_TRUE(result.has_value());
  EXPECT_TRUE(result->end.success()) << result->output;
  ASSERT_EQ(recorded().size(), 1u);
}

TEST_F(Spy, is_found_through_a_link_to_its_link) {
  const fs::path other = folder.path() / "my-compiler";
  fs::create_symlink("bin/c++", other);
  CommandOptions options;
  options.arguments = {other.string(), "-c", source.string(), "-o", object.string()};
  EXPECT_TRUE(run_command(options)->end.success());
  EXPECT_EQ(recorded().size(), 1u);
}

TEST_F(Spy, poisoned_it_refuses_and_records) {
  settings.mode = "poisoned";
  install();
  const CommandResult result = compile();
  EXPECT_EQ(result.end.exit_status, 86);
  EXPECT_THAT(result.output,
              HasSubstr("tunecheck: the compiler is poisoned: nothing may be compiled here"));
  EXPECT_FALSE(fs::exists(object));
  ASSERT_EQ(recorded().size(), 1u);
  EXPECT_EQ(recorded()[0].exit_status, 86);
  EXPECT_EQ(recorded()[0].mode, "poisoned");
}

TEST_F(Spy, poisoned_it_does_not_answer_from_the_store_either) {
  settings.store = folder.path() / "store";
  install();
  ASSERT_TRUE(compile().end.success());
  settings.mode = "poisoned";
  install();
  EXPECT_EQ(compile().end.exit_status, 86);
}

TEST_F(Spy, queries_pass_in_every_mode) {
  for (const char* const mode : {"pass", "poisoned", "crashing", "slow", "rebuilt", "lingering"}) {
    settings.mode = mode;
    install();
    for (const std::vector<std::string>& query :
         std::vector<std::vector<std::string>>{{"--version"},
                                               {"-v"},
                                               {"-dumpmachine"},
                                               {"-dumpversion"},
                                               {"-print-search-dirs"},
                                               {"-print-file-name=libc.so"},
                                               {"-###", "-c", "answer.cpp"},
                                               {"-E", "-dM", "-x", "c++", "/dev/null"},
                                               {"-E", "-dM", "-x", "c++", "-"}}) {
      EXPECT_TRUE(run(query).end.success()) << mode << ' ' << query[0];
      EXPECT_TRUE(recorded().back().query) << mode << ' ' << query[0];
    }
  }
}

TEST_F(Spy, rebuilt_it_says_the_same_version_and_makes_other_bytes_each_time_the_same) {
  const std::string version = run({"--version"}).output;
  ASSERT_TRUE(compile().end.success());
  const auto plain = read_binary_file(object).value();
  settings.mode = "rebuilt";
  for (const bool with_store : {false, true, true}) {
    settings.store = with_store ? folder.path() / "store" : fs::path();
    install();
    EXPECT_EQ(run({"--version"}).output, version);
    ASSERT_TRUE(compile().end.success());
    EXPECT_NE(read_binary_file(object).value(), plain);
    EXPECT_THAT(recorded().back().arguments,
                ElementsAre("-c", source.string(), "-o", object.string()))
        << "what the caller asked for";
  }
  EXPECT_TRUE(recorded().back().from_store);
}

TEST_F(Spy, rebuilt_it_names_another_program_where_the_compiler_names_one) {
  settings.mode = "rebuilt";
  settings.programs = folder.path() / "programs";
  fs::create_directory(settings.programs);
  install();
  const std::string real = run({"-print-prog-name=cc1"}).output;
  put(settings.programs / "cc1", "");
  EXPECT_EQ(run({"-print-prog-name=cc1"}).output == real, !real.starts_with('/'));
  put(settings.programs / "no-such-program", "");
  EXPECT_EQ(run({"-print-prog-name=no-such-program"}).output, "no-such-program\n");
}

// Who waits for the end of the output waits for what was left, who waits for the compiler does not.
TEST_F(Spy, lingering_it_leaves_a_process_that_keeps_its_output_open) {
  settings.mode = "lingering";
  install();
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  const FileDescriptor output(ends[0]);
  FileDescriptor input(ends[1]);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(input.get(), STDOUT_FILENO);
    ::execl(link.c_str(), link.c_str(), "-c", source.c_str(), "-o", object.c_str(), nullptr);
    ::_exit(127);
  }
  input.reset();
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  pollfd watched{output.get(), POLLIN, 0};
  EXPECT_EQ(::poll(&watched, 1, 200), 0) << "neither more output nor its end";
  std::vector<int> left;
  for (const auto& process : fs::directory_iterator("/proc")) {
    std::error_code error;
    const fs::path stream = fs::read_symlink(process.path() / "fd" / "1", error);
    if (!error && stream == fs::read_symlink(fmt::format("/proc/self/fd/{}", output.get())))
      left.push_back(std::stoi(process.path().filename().string()));
  }
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(::kill(left[0], SIGKILL), 0);
  EXPECT_EQ(::poll(&watched, 1, 10'000), 1) << "the end";
}

TEST_F(Spy, a_compile_is_no_query_whatever_else_it_asks) {
  (void)run({"-v", "-c", "answer.cpp", "-o", "answer.o"});
  (void)run({"-E", "answer.cpp", "-o", "answer.i"});
  (void)run({"-DNAME", "-include", "--version", "-c", "answer.cpp", "-o", "answer.o"});
  for (const CompileEvent& event : recorded())
    EXPECT_FALSE(event.query) << event.arguments[0];
}

TEST_F(Spy, the_version_suffix_changes_the_first_line_of_the_version_alone) {
  const std::string plain = run({"--version"}).output;
  settings.version_suffix = " (toolchain 2)";
  install();
  std::string expected = plain;
  expected.insert(plain.find('\n'), " (toolchain 2)");
  EXPECT_EQ(run({"--version"}).output, expected);
  EXPECT_THAT(run({"-dumpmachine"}).output, Not(HasSubstr("toolchain 2")));
}

TEST_F(Spy, crashing_it_leaves_a_partial_file_and_dies) {
  settings.mode = "crashing";
  install();
  const CommandResult result = compile();
  EXPECT_EQ(result.end.signal, SIGSEGV);
  const auto left = read_binary_file(object);
  ASSERT_TRUE(left.has_value());
  EXPECT_LT(left->size(), 64u);
  ASSERT_EQ(recorded().size(), 1u);
  EXPECT_EQ(recorded()[0].exit_status, 128 + SIGSEGV);
  EXPECT_EQ(recorded()[0].output_digest, artifact_digest(*left));
}

TEST_F(Spy, slow_it_compiles_after_the_delay) {
  settings.mode = "slow";
  settings.delay_ms = 30;
  install();
  EXPECT_TRUE(compile().end.success());
  EXPECT_TRUE(fs::exists(object));
  // A lower bound: a busy machine only adds to it.
  EXPECT_GE(recorded().at(0).wall_ns, 30'000'000);
}

TEST_F(Spy, a_compiler_killed_by_a_signal_ends_the_spy_by_the_same) {
  const fs::path killed = folder.path() / "killed-compiler";
  put(killed, "#!/bin/sh\nkill -9 $$\n");
  fs::permissions(killed, fs::perms(0755));
  settings.real_compiler = killed;
  install();
  EXPECT_EQ(compile().end.signal, SIGKILL);
  EXPECT_EQ(recorded().at(0).exit_status, 128 + SIGKILL);
}

TEST_F(Spy, without_settings_it_says_so) {
  fs::remove(spy_settings_file(link));
  const CommandResult result = compile();
  EXPECT_EQ(result.end.exit_status, 87);
  EXPECT_THAT(result.output, HasSubstr("c++.spy.json"));
  EXPECT_FALSE(fs::exists(object));
}

TEST_F(Spy, what_cannot_be_recorded_is_not_compiled) {
  settings.evidence = folder.path() / "missing" / "evidence.jsonl";
  install();
  const CommandResult result = compile();
  EXPECT_EQ(result.end.exit_status, 87);
  EXPECT_THAT(result.output, HasSubstr("cannot record evidence"));
  EXPECT_FALSE(fs::exists(object));
}

TEST_F(Spy, does_not_replace_a_real_compiler) {
  const fs::path compiler = folder.path() / "bin" / "real";
  put(compiler, "#!/bin/sh\n");
  EXPECT_FALSE(install_spy(compiler, spy(), settings).has_value());
  EXPECT_EQ(read_text_file(compiler).value(), "#!/bin/sh\n");
}

TEST_F(Spy, is_not_put_in_front_of_itself_or_of_nothing) {
  settings.real_compiler = link;
  EXPECT_FALSE(install_spy(link, spy(), settings).has_value());
  settings.real_compiler = folder.path() / "nothing";
  EXPECT_FALSE(install_spy(link, spy(), settings).has_value());
  settings.real_compiler = "c++";
  settings.mode = "jolly";
  EXPECT_FALSE(install_spy(link, spy(), settings).has_value());
  EXPECT_TRUE(compile().end.success());
}

}  // namespace
}  // namespace tunecheck
