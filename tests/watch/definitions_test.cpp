// Which line of a program in Python defines the kernel that a finding is of. The program launches
// through the frames of Triton; tests/watch/programs/python says how.
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/command.hpp"
#include "watch/watch.hpp"

namespace tunecheck::watch {
namespace {

namespace fs = std::filesystem;

const fs::path program = fs::path(WATCHED_PYTHON) / "train.py";

int line_of(const std::string& text) {
  std::ifstream file(program);
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.find(text) != line.npos) return number;
  }
  return 0;
}

// WRONG of the step, with an object of this class between the tuner and the launch.
WatchResult::Finding watched(const std::string& way, const std::string& name) {
  WatchOptions options;
  options.command = {"python3", program.string(), WATCHED_INCLUDE, WATCHED_KERNELS};
  if (!way.empty()) options.command.push_back(way);
  options.out =
      fs::temp_directory_path() / ("definitions-" + name + "-" + std::to_string(::getpid()));
  options.at_most = std::uint64_t{64} << 20;
  options.warm_runs = 1;
  testing::internal::CaptureStdout();
  const auto result = watch_program(options, [](const std::string&) {});
  const std::string said = testing::internal::GetCapturedStdout();
  std::error_code ignored;
  fs::remove_all(options.out, ignored);
  EXPECT_TRUE(result) << (result ? "" : result.error().text());
  if (!result) return {};
  EXPECT_EQ(said, "") << "code of the program ran that would not have without the watch";
  for (const WatchResult::Run& run : result->runs)
    EXPECT_EQ(run.end, "exit status 0") << run.name;
  EXPECT_EQ(result->findings.size(), 1U);
  EXPECT_FALSE(result->timelines.empty());
  if (result->findings.empty() || result->timelines.empty()) return {};
  EXPECT_TRUE(result->timelines.front().definition == result->findings.front().definition);
  return result->findings.front();
}

struct Definitions : testing::Test {
  Definitions() {
    if (find_program("python3").empty()) skip();
  }
  static void skip() { GTEST_SKIP() << "there is no python3"; }
};

TEST_F(Definitions, a_finding_names_the_function_that_the_tuner_was_made_of) {
  const WatchResult::Finding finding = watched("", "plain");
  EXPECT_EQ(finding.word, WatchWord::wrong);
  EXPECT_THAT(finding.place.file, testing::EndsWith("programs/python/train.py"));
  EXPECT_EQ(finding.place.line, line_of("sgd[(1,)]"));
  EXPECT_EQ(finding.definition.file, finding.place.file);
  EXPECT_EQ(finding.definition.line, line_of("@stand_in.autotune"));
  EXPECT_EQ(finding.definition.function, "sgd");
}

TEST_F(Definitions, no_attribute_of_an_object_on_the_way_is_asked) {
  EXPECT_EQ(watched("Strange", "strange").definition.function, "sgd");
}

TEST_F(Definitions, an_object_that_is_made_of_itself_ends_the_search_and_no_program) {
  EXPECT_EQ(watched("Circle", "circle").definition.function, "sgd");
}

TEST_F(Definitions, an_object_that_is_made_of_a_function_of_another_name_is_passed_by) {
  EXPECT_EQ(watched("Other", "other").definition.function, "sgd");
}

}  // namespace
}  // namespace tunecheck::watch
