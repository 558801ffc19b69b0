#pragma once
// A workspace of the toy kernel.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/command.hpp"
#include "core/files.hpp"
#include "harness/process/workspace.hpp"
#include "toy_kernel.hpp"

namespace tunecheck::test {

namespace fs = std::filesystem;

class WorkspaceCase : public testing::Test {
 protected:
  WorkspaceCase()
      : folder(*TemporaryFolder::create("tunecheck-test-workspace")),
        kernel(write_kernel(folder.path() / "toy")),
        workspace(Workspace::create(folder.path() / "work" / "one", kernel).value()) {}
  ~WorkspaceCase() override { workspace.remove(); }

  // The text of a file of the workspace's own kernel.
  std::string kernel_text(const std::string& file) const {
    return read_text_file(workspace.kernel_folder() / file).value();
  }
  void touch(Touch::Target target) {
    const auto touched = workspace.touch({target}, kernel);
    ASSERT_TRUE(touched) << touched.error().text();
  }
  void act(CacheAction::Kind action, const std::string& glob = "") {
    const auto done = workspace.act({action, glob}, adapter);
    ASSERT_TRUE(done) << done.error().text();
  }
  fs::path cached(const std::string& file, const std::string& text = "0123456789") const {
    const fs::path path = workspace.cache_folder() / file;
    fs::create_directories(path.parent_path());
    EXPECT_TRUE(write_file(path, text));
    return path;
  }
  static unsigned mode(const fs::path& path) {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
    return status.st_mode & 0777;
  }
  // The status of a shell command, run as the adapter's process would be.
  int shell(const std::string& command) const {
    CommandOptions options;
    options.arguments = {"/bin/sh", "-c", command};
    options.in_child = workspace.child_setup();
    return run_command(options).value().end.exit_status;
  }

  TemporaryFolder folder;
  AdapterInfo adapter;
  KernelDefinition kernel;
  Workspace workspace;
};

}  // namespace tunecheck::test
