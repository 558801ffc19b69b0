#include "gate/measure/build.hpp"

#include <gmock/gmock.h>

#include "core/resources.hpp"
#include "harness/process/adapter_process.hpp"
#include "planted_build.hpp"

namespace tunecheck::gate {
namespace {

using test::make_build;
using testing::HasSubstr;

class BuildCase : public testing::Test {
 protected:
  std::string complaint(const std::string& adapter = "reference") const {
    const auto build = open_build(folder.path(), adapter, {});
    return build ? "none" : build.error().text();
  }
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-gaterun").value();
};

TEST_F(BuildCase, an_installation_has_an_adapter_of_its_own_and_kernels) {
  make_build(folder.path(), "");
  const Build build = open_build(folder.path(), "reference", {}).value();
  EXPECT_EQ(build.adapter.command.at(0), (folder.path() / "bin/tunecheck-adapter-reference"));
  EXPECT_EQ(locate_program(build.adapter), build.adapter.command.at(0));
  EXPECT_TRUE(build.kernels.contains("rmsnorm"));
}

TEST_F(BuildCase, builds_that_differ_are_described_differently) {
  make_build(folder.path() / "one", "");
  make_build(folder.path() / "other", "slow_store");
  const auto one = describe(open_build(folder.path() / "one", "reference", {}).value());
  const auto other = describe(open_build(folder.path() / "other", "reference", {}).value());
  EXPECT_NE(one.at("program"), other.at("program"));
  EXPECT_EQ(one.at("kernel rmsnorm"), other.at("kernel rmsnorm"));
}

TEST_F(BuildCase, builds_whose_kernels_have_other_sources_are_described_differently) {
  make_build(folder.path(), "");
  const std::filesystem::path kernels = folder.path() / "share/tunecheck/kernels";
  std::filesystem::remove(kernels);
  ASSERT_TRUE(create_folders(kernels));
  std::filesystem::copy(find_resources().kernels / "rmsnorm", kernels / "rmsnorm",
                        std::filesystem::copy_options::recursive);
  const auto digest = [this] {
    return describe(open_build(folder.path(), "reference", {}).value()).at("kernel rmsnorm");
  };
  const std::string before = digest();
  EXPECT_EQ(digest(), before);
  const std::filesystem::path source = kernels / "rmsnorm/cpu.cpp";
  ASSERT_TRUE(write_file(source, read_text_file(source).value() + "// other\n"));
  EXPECT_NE(digest(), before);
}

TEST_F(BuildCase, a_build_folder_finds_kernels_and_adapters_in_its_source_tree) {
  std::filesystem::create_directory_symlink(program_folder(), folder.path() / "bin");
  ASSERT_TRUE(write_file(folder.path() / "CMakeCache.txt",
                         "# comment\nCMAKE_HOME_DIRECTORY:INTERNAL=" TUNECHECK_SOURCE_ROOT "\n"));
  EXPECT_EQ(complaint(), "none");
}

TEST_F(BuildCase, a_checkout_has_an_adapter_of_its_own_and_kernels_of_this_tunecheck) {
  const std::filesystem::path tuner = folder.path() / "tuner";
  ASSERT_TRUE(create_folders(tuner));
  ASSERT_TRUE(write_file(tuner / "adapter.info",
                         "adapter { name mine command \"./mine.sh\" cache_variable CACHE "
                         "backends cpu kernels \"axpy_inplace\" }\n"));
  ASSERT_TRUE(write_file(tuner / "mine.sh", "#!/bin/sh\n"));
  EXPECT_THAT(complaint("tuner/adapter.info"), HasSubstr("mine.sh")) << "it cannot be run";
  std::filesystem::permissions(tuner / "mine.sh", std::filesystem::perms::owner_all);
  const Build build = open_build(folder.path(), "tuner/adapter.info", {}).value();
  EXPECT_EQ(std::filesystem::canonical(locate_program(build.adapter)), tuner / "mine.sh");
  ASSERT_EQ(build.kernels.size(), 1U) << "those that the adapter has";
  EXPECT_TRUE(build.kernels.contains("axpy_inplace"));
  EXPECT_THAT(complaint("elsewhere/adapter.info"), HasSubstr("there are no kernels"));
}

TEST_F(BuildCase, what_is_no_build_is_refused_with_what_is_missing) {
  EXPECT_THAT(complaint(), HasSubstr("there are no kernels"));
  make_build(folder.path(), "");
  EXPECT_THAT(complaint("refrence"), HasSubstr("did you mean \"reference\""));
  std::filesystem::remove(folder.path() / "bin");
  EXPECT_THAT(complaint(), HasSubstr("expected bin/tunecheck-adapter-reference"));
  EXPECT_THAT(open_build(folder.path() / "missing", "reference", {}).error().text(),
              HasSubstr("missing"));
}

}  // namespace
}  // namespace tunecheck::gate
