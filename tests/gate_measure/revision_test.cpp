// A real repository with two commits, whose CMake project puts tunecheck's own programs in its bin:
// building tunecheck itself would take a quarter of an hour.
#include "gate/measure/revision.hpp"

#include <gmock/gmock.h>

#include "core/command.hpp"
#include "core/resources.hpp"
#include "gate/measure/build.hpp"
#include "planted_build.hpp"

namespace tunecheck::gate {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Revision : public testing::Test {
 protected:
  void SetUp() override {
    if (find_program("git").empty()) GTEST_SKIP() << "there is no git (git)";
    ASSERT_TRUE(create_folders(folder.path() / "repository"));
    fs::current_path(folder.path() / "repository");
    ASSERT_TRUE(write_file("CMakePresets.json", R"({"version": 4, "configurePresets": [
        {"name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build/release"}]})"));
    ASSERT_TRUE(
        write_file("CMakeLists.txt",
                   fmt::format("cmake_minimum_required(VERSION 3.25)\nproject(toy LANGUAGES NONE)\n"
                               "add_custom_target(tunecheck-programs COMMAND ${{CMAKE_COMMAND}} -E "
                               "create_symlink {} bin)\n",
                               program_folder().string())));
    ASSERT_TRUE(create_folders("kernels"));
    fs::copy(find_resources().kernels / "rmsnorm", "kernels/rmsnorm", fs::copy_options::recursive);
    ASSERT_TRUE(create_folders("framework/adapter/reference"));
    commit("tunecheck-adapter-reference", "");
    git("tag base");
    commit("tunecheck-adapter-mutants", "--mutant slow_store");
  }
  void TearDown() override { fs::current_path(before); }

  static std::string git(const std::string& arguments) {
    CommandOptions options;
    options.arguments = {"sh", "-c", "git -c user.name=n -c user.email=e@x " + arguments};
    const auto result = run_command(options);
    if (!result) {
      ADD_FAILURE() << result.error().text();
      return "";
    }
    EXPECT_TRUE(result->end.success()) << result->output;
    return result->output;
  }
  static void commit(const std::string& program, const std::string& arguments) {
    ASSERT_TRUE(write_file("framework/adapter/reference/adapter.info",
                           test::adapter_info(program, arguments)));
    git("init --quiet . && git add . && git -c user.name=n -c user.email=e@x commit --quiet -m x");
  }
  Result<RevisionBuild> build(const std::string& revision) {
    return build_revision(revision, folder.path() / "builds", 1,
                          [this](const std::string& line) { said.push_back(line); });
  }

  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-gaterun").value();
  const fs::path before = fs::current_path();
  std::vector<std::string> said;
};

TEST_F(Revision, each_revision_is_a_build_with_its_own_adapter) {
  const Build base = open_build(build("base")->folder, "reference", {}).value();
  const Build head = open_build(build("HEAD")->folder, "reference", {}).value();
  EXPECT_THAT(base.adapter.command.at(0), HasSubstr("/bin/tunecheck-adapter-reference"));
  EXPECT_EQ(head.adapter.command.back(), "slow_store");
  EXPECT_TRUE(head.kernels.contains("rmsnorm"));
}

TEST_F(Revision, is_built_once_and_leaves_the_repository_alone) {
  const std::string commit = build("base")->commit;
  EXPECT_EQ(commit + "\n", git("rev-parse base"));
  EXPECT_EQ(build("HEAD~1")->commit, commit);
  EXPECT_THAT(said, testing::ElementsAre(HasSubstr("building base, commit " + commit)));
  EXPECT_EQ(git("status --porcelain"), "");
  EXPECT_EQ(git("worktree list | wc -l"), "1\n");
}

TEST_F(Revision, what_is_none_or_cannot_be_built_says_why) {
  EXPECT_THAT(build("nowhere").error().text(), HasSubstr("nowhere: expected a folder"));
  EXPECT_THAT(build("--help").error().text(), HasSubstr("or a revision"));
  ASSERT_TRUE(write_file("CMakeLists.txt", "message(FATAL_ERROR broken)\n"));
  git("add . && git -c user.name=n -c user.email=e@x commit --quiet -m x");
  const auto built = build("HEAD");
  EXPECT_THAT(built.error().text(), HasSubstr("configure.log"));
}

}  // namespace
}  // namespace tunecheck::gate
