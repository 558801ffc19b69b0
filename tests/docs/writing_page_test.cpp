// docs/writing-an-adapter.md, followed word for word: its files are written, its commands run.
#include <filesystem>

#include <gmock/gmock.h>

#include "console.hpp"
#include "core/command.hpp"
#include "core/resources.hpp"
#include "page.hpp"

namespace tunecheck::test::writing_page {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

const Page& page() {
  static const Page the_page("writing-an-adapter.md");
  return the_page;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == text.npos) throw std::runtime_error("the page does not show " + from);
  return text.replace(at, from.size(), to);
}

// A file or a command of the page, with tunecheck where it is for this test.
std::string here(std::string text) {
  const Resources own = find_resources();
  for (const auto& [shown, real] :
       {std::pair<std::string, std::string>{"/opt/tunecheck/share/tunecheck/adapters/python",
                                            own.adapters / "python"},
        {"/opt/tunecheck/share/tunecheck/include", own.include}})
    for (std::size_t at; (at = text.find(shown)) != text.npos;)
      text.replace(at, shown.size(), real);
  return text;
}

class WritingPage : public testing::Test {
 protected:
  void SetUp() override {
    if (find_program("python3").empty()) GTEST_SKIP() << "the page needs python3";
    for (const std::string file :
         {"toy.py", "adapter.py", "adapter.info", "toy.cpp", "toy.info", "toy.go", "toy_go.info"})
      console.write(file, here(page().file(file)));
    std::filesystem::permissions(console.folder() / "adapter.py",
                                 std::filesystem::perms::owner_all);
  }

  // Follows the commands below a heading.
  void follow(const std::string& section) {
    int commands = 0;
    for (const Block& block : page().blocks("console")) {
      if (block.section != section) continue;
      for (const Command& command : commands_of(block.text)) {
        const std::string output = console.run(here(command.line));
        EXPECT_TRUE(is_shown_as(output, command.output)) << command.line << '\n' << output;
        ++commands;
      }
    }
    EXPECT_GT(commands, 0) << section;
  }

  // The scenario of first results with a tuner that does something beside its work; its status.
  int run_with(const std::string& file, const std::string& text, std::string* output) const {
    console.write(file, text);
    int status = -1;
    *output = console.run(
        "tunecheck run restore.first_result_is_right --keep --adapter ./adapter.info", &status);
    return status;
  }
  int run_beginning_with(const std::string& line, std::string* output) const {
    return run_with("toy.py",
                    replaced(here(page().file("toy.py")), "import json", line + "\nimport json"),
                    output);
  }
  // As its tuner starts to tune.
  int run_tuning_with(const std::string& line, std::string* output) const {
    return run_with("toy.py",
                    replaced(here(page().file("toy.py")), "        saved, best",
                             "        " + line + "\n        saved, best"),
                    output);
  }

  Console console;
  std::string log() const {
    return read_text_file(console.folder() /
                          "out/work/restore.first_result_is_right/cold/adapter.log")
        .value_or("");
  }
};

TEST_F(WritingPage, leads_to_a_judged_tuner_in_python) {
  follow("In Python");
}

TEST_F(WritingPage, leads_to_a_judged_tuner_in_cpp) {
  follow("In C++, or anything else");
}

TEST_F(WritingPage, leads_to_a_judged_tuner_in_go) {
  if (find_program("go").empty()) GTEST_SKIP() << "Go is not installed";
  follow("In Go");
}

TEST_F(WritingPage, shows_how_a_broken_one_is_found_out) {
  follow("Is it judged at all?");
}

TEST_F(WritingPage, all_that_the_toy_can_do_is_asked_and_the_failure_that_the_page_names_is_there) {
  const std::string output = console.run("tunecheck run --adapter ./adapter.info");
  EXPECT_THAT(output, HasSubstr("fail invalidation.space_that_comes_back_must_hit"));
  EXPECT_THAT(output, ContainsRegex("restore +4 +0 +0 +0 +53 "));
  EXPECT_THAT(output, HasSubstr("the adapter has no kernel \"rmsnorm\""));
}

TEST_F(WritingPage, a_tuner_that_is_not_installed_ends_the_run_with_one_line) {
  std::string output;
  EXPECT_EQ(run_beginning_with("import no_such_package", &output), 4);
  EXPECT_EQ(output,
            "tunecheck: the adapter cannot run on \"cpu\": ModuleNotFoundError: No module "
            "named 'no_such_package'\n");
}

TEST_F(WritingPage, a_tuner_that_dies_in_its_import_ends_the_run_with_one_line) {
  std::string output;
  EXPECT_EQ(run_beginning_with("raise SystemExit('no licence')", &output), 4);
  EXPECT_EQ(output, "tunecheck: the adapter cannot run on \"cpu\": SystemExit: no licence\n");
}

TEST_F(WritingPage, a_tuner_that_ends_its_process_in_its_import_is_a_verdict) {
  std::string output;
  EXPECT_EQ(run_beginning_with("import os; os._exit(3)", &output), 1);
  EXPECT_THAT(output, HasSubstr("the adapter ended instead of answering \"hello\": exit status 3"));
}

TEST_F(WritingPage, a_tuner_that_prints_does_no_harm) {
  std::string output;
  EXPECT_EQ(run_tuning_with("print('tuning'); os.system('echo a child')", &output), 0) << output;
  EXPECT_THAT(log(), HasSubstr("tuning"));
  EXPECT_THAT(log(), HasSubstr("a child"));
}

TEST_F(WritingPage, launches_of_a_fork_are_seen) {
  std::string output;
  // The child launches a config on what the parent has spoilt: that must not stay unseen.
  EXPECT_EQ(
      run_tuning_with("child = os.fork(); launch = build(configs[0]) if child == 0 else None; "
                      "memory[4096:4100] = b'abcd'; "
                      "launch() and None if child == 0 else os.waitpid(child, 0); "
                      "os._exit(0) if child == 0 else None",
                      &output),
      1)
      << output;
  EXPECT_THAT(output, HasSubstr("inputs.pristine"));
}

TEST_F(WritingPage, a_thread_that_is_left_behind_fails_that_scenario) {
  console.write("adapter.info", replaced(here(page().file("adapter.info")), "backends",
                                         "time_limit 4\n  backends"));
  std::string output;
  EXPECT_EQ(
      run_tuning_with("import threading; threading.Thread(target=time.sleep, args=[60]).start()",
                      &output),
      1);
  EXPECT_THAT(output, HasSubstr("the adapter was asked to quit: no end within the"));
}

TEST_F(WritingPage, a_long_first_compile_needs_a_longer_time_limit) {
  std::string output;
  const auto limited = [&](const std::string& limit) {
    console.write("adapter.info", replaced(here(page().file("adapter.info")), "backends",
                                           "time_limit " + limit + "\n  backends"));
    return run_tuning_with("time.sleep(5)", &output);
  };
  EXPECT_EQ(limited("3"), 1);
  EXPECT_THAT(output, HasSubstr("the adapter gave no answer to \"call\" within 3000 ms"));
  EXPECT_EQ(limited("60"), 0) << output;
}

TEST_F(WritingPage, an_exit_in_python_is_a_failed_call) {
  std::string output;
  EXPECT_EQ(run_tuning_with("raise SystemExit(2)", &output), 1);
  EXPECT_THAT(output, HasSubstr("the call failed: SystemExit: 2"));
}

}  // namespace
}  // namespace tunecheck::test::writing_page
