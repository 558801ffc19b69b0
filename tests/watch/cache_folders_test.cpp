// What a watched program finds in the place of the user's home and caches.
#include "watch/cache_folders.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tunecheck::watch {
namespace {

namespace fs = std::filesystem;

struct Home : testing::Test {
  Home() {
    for (const char* const folder :
         {"home/.triton/cache", "home/.cache/triton", "home/.cache/huggingface", "home/work",
          "home/.local/share/mine", "caches/flashinfer", "caches/pip"}) {
      fs::create_directories(top / folder);
      std::ofstream(top / folder / "file") << folder;
    }
  }
  ~Home() override { fs::remove_all(top); }

  CacheFolders create(std::vector<std::string> variables = {},
                      std::vector<std::string> hidden = {}) {
    auto folders = CacheFolders::create(root, environment, variables, hidden, top / "tmp");
    EXPECT_TRUE(folders);
    folders->apply(environment);
    return *folders;
  }

  fs::path top = fs::temp_directory_path() / ("watch-home-" + std::to_string(::getpid()));
  fs::path root = top / "root";
  Environment environment = {{"HOME", top / "home"}, {"PATH", "/bin"}};
};

TEST_F(Home, caches_of_kernels_are_hidden_and_everything_else_is_found) {
  create();
  const fs::path home = environment["HOME"];
  EXPECT_NE(home, top / "home");
  EXPECT_FALSE(fs::exists(home / ".triton"));
  EXPECT_FALSE(fs::exists(home / ".cache/triton"));
  EXPECT_TRUE(fs::exists(home / ".cache/huggingface/file"));
  EXPECT_TRUE(fs::exists(home / "work/file"));
  EXPECT_EQ(environment["PATH"], "/bin");
}

TEST_F(Home, only_known_folders_hold_nothing_but_kernels) {
  const CacheFolders folders = create({"MY_CACHE"});
  const fs::path home = environment["HOME"];
  for (const fs::path& known :
       {home / ".triton/cache/x", root / "CUDA_CACHE_PATH", root / "NUMBA_CACHE_DIR/x",
        top / "tmp/y", home / ".cache/torch/kernels", top / "anywhere/__pycache__"})
    EXPECT_TRUE(folders.is_of_kernels(known)) << known;
  for (const fs::path& other : {home / ".cache/mine", home / "model", home, root / "MY_CACHE"})
    EXPECT_FALSE(folders.is_of_kernels(other)) << other;
}

TEST_F(Home, a_file_of_the_users_home_has_another_name_inside) {
  const CacheFolders folders = create();
  EXPECT_EQ(folders.inside(top / "home/run/up"), fs::path(environment["HOME"]) / "run/up");
  EXPECT_EQ(folders.inside(top / "elsewhere"), top / "elsewhere");
}

TEST_F(Home, what_is_written_to_a_hidden_cache_stays_below_the_root) {
  create();
  const fs::path home = environment["HOME"];
  fs::create_directories(home / ".cache/triton");
  std::ofstream(home / ".cache/triton/new") << 1;
  EXPECT_FALSE(fs::exists(top / "home/.cache/triton/new"));
  EXPECT_TRUE(fs::exists(top / "home/.cache/triton/file"));
}

TEST_F(Home, a_user_may_hide_more) {
  create({}, {".local/share/mine", "work/"});
  const fs::path home = environment["HOME"];
  EXPECT_FALSE(fs::exists(home / ".local/share/mine"));
  EXPECT_TRUE(fs::exists(home / ".local/share"));
  EXPECT_TRUE(fs::exists(home / ".cache/huggingface/file"));
}

TEST_F(Home, variables_of_tuners_that_are_set_name_folders_of_the_watch) {
  environment["TRITON_CACHE_DIR"] = top / "elsewhere";
  environment["MY_CACHE"] = top / "mine";
  create({"MY_CACHE"});
  EXPECT_EQ(environment["TMPDIR"], top / "tmp");
  for (const char* const name : {"TRITON_CACHE_DIR", "MY_CACHE", "CUDA_CACHE_PATH"}) {
    EXPECT_TRUE(environment[name].starts_with(root.string())) << name;
    EXPECT_TRUE(fs::is_directory(environment[name])) << name;
  }
  EXPECT_FALSE(environment.contains("HELION_CACHE_DIR"));
}

TEST_F(Home, the_folder_of_caches_is_shadowed_where_it_has_a_place_of_its_own) {
  environment["XDG_CACHE_HOME"] = top / "caches";
  create();
  const fs::path caches = environment["XDG_CACHE_HOME"];
  EXPECT_FALSE(fs::exists(caches / "flashinfer"));
  EXPECT_TRUE(fs::exists(caches / "pip/file"));
}

TEST_F(Home, says_which_folders_are_not_its_own) {
  const CacheFolders folders = create();
  const fs::path home = environment["HOME"];
  EXPECT_EQ(folders.outside(home / ".triton"), "");
  EXPECT_EQ(folders.outside(home / "new/folder"), "");
  EXPECT_EQ(folders.outside(home / "work"), (top / "home/work").string());
  EXPECT_EQ(folders.outside(top / "caches"), (top / "caches").string());
}

TEST_F(Home, begins_without_what_an_earlier_watch_has_left) {
  create();
  std::ofstream(root / "CUDA_CACHE_PATH/left") << 1;
  environment["HOME"] = top / "home";
  create();
  EXPECT_FALSE(fs::exists(root / "CUDA_CACHE_PATH/left"));
}

// A program may save what its user wants to keep.
TEST_F(Home, what_a_program_saved_is_told_and_survives_the_next_watch) {
  const CacheFolders folders = create();
  const fs::path home = environment["HOME"];
  EXPECT_THAT(folders.saved_in_home(), testing::IsEmpty());
  std::ofstream(home / "result.txt") << "mine";
  fs::create_directories(home / ".cache/mine");
  std::ofstream(home / ".cache/mine/entry") << 1;
  EXPECT_THAT(folders.saved_in_home(), testing::ElementsAre((home / "result.txt").string()));
  environment["HOME"] = top / "home";
  create();
  EXPECT_TRUE(fs::exists(root.string() + "-kept-1/home/result.txt"));
  EXPECT_FALSE(fs::exists(root / "home/result.txt"));
}

// Any other folder of .cache may hold tuned kernels.
TEST_F(Home, of_the_folder_of_caches_only_models_data_and_packages_are_found) {
  fs::create_directories(top / "home/.cache/mytuner");
  fs::create_directories(top / "home/.cache/torch/hub");
  fs::create_directories(top / "home/.cache/torch/kernels");
  create();
  const fs::path home = environment["HOME"];
  EXPECT_FALSE(fs::exists(home / ".cache/mytuner"));
  EXPECT_TRUE(fs::exists(home / ".cache/torch/hub"));
  EXPECT_FALSE(fs::exists(home / ".cache/torch/kernels"));
}

}  // namespace
}  // namespace tunecheck::watch
