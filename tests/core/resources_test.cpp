#include "core/resources.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

#include "core/files.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

class RootVariable {
 public:
  explicit RootVariable(const fs::path& root) { ::setenv("TUNECHECK_ROOT", root.c_str(), 1); }
  RootVariable(const RootVariable&) = delete;
  RootVariable& operator=(const RootVariable&) = delete;
  ~RootVariable() { ::unsetenv("TUNECHECK_ROOT"); }
};

TEST(Resources, a_program_in_a_build_folder_uses_the_source_tree) {
  const Resources resources = find_resources();
  EXPECT_TRUE(fs::is_regular_file(resources.include / "tunecheck/cpu_kernel.h"));
  EXPECT_TRUE(fs::is_directory(resources.adapters / "protocol"));
  EXPECT_TRUE(fs::is_directory(resources.templates / "kernel"));
  EXPECT_EQ(resources.kernels.parent_path(), resources.scenarios.parent_path());
}

TEST(Resources, a_named_root_is_laid_out_like_an_installed_one) {
  const auto root = TemporaryFolder::create("tunecheck-test-root");
  ASSERT_TRUE(root);
  const RootVariable variable(root->path());
  const Resources resources = find_resources();
  EXPECT_EQ(resources.kernels, root->path() / "kernels");
  EXPECT_EQ(resources.scenarios, root->path() / "scenarios");
  EXPECT_EQ(resources.adapters, root->path() / "adapters");
  EXPECT_EQ(resources.include, root->path() / "include");
  EXPECT_EQ(resources.templates, root->path() / "templates");
}

TEST(Resources, a_named_root_may_be_a_source_tree) {
  const auto root = TemporaryFolder::create("tunecheck-test-root");
  ASSERT_TRUE(root && create_folders(root->path() / "framework"));
  const RootVariable variable(root->path());
  EXPECT_EQ(find_resources().adapters, root->path() / "framework/adapter");
}

TEST(Resources, the_program_knows_its_folder) {
  EXPECT_TRUE(fs::exists(program_folder() / "tunecheck-test-core"));
}

}  // namespace
}  // namespace tunecheck
