// Paths that name the same thing in two runs, without a compiler.
#include "observe/spy/movable_paths.hpp"

#include <gtest/gtest.h>

#include "core/files.hpp"

namespace tunecheck::spy {
namespace {

namespace fs = std::filesystem;

// A compiler may say either of its names.
TEST(MovablePaths, are_those_below_the_workspace_and_below_what_it_is_a_link_to) {
  const auto folder = TemporaryFolder::create("tunecheck-paths").value();
  const fs::path link = folder.path() / "workspace";
  fs::create_directory_symlink("/usr/include", link);
  const MovablePaths paths(link);
  EXPECT_TRUE(paths.is_movable(link / "stdio.h"));
  EXPECT_TRUE(paths.is_movable("/usr/include/stdio.h"));
  EXPECT_FALSE(paths.is_movable("/usr/include2/stdio.h"));
  EXPECT_FALSE(MovablePaths({}).is_movable("/usr/include/stdio.h"));
}

TEST(MovablePaths, are_the_temporary_ones_alone_where_the_workspace_is_gone) {
  const MovablePaths paths("/nowhere/workspace");
  EXPECT_TRUE(paths.is_movable("/nowhere/workspace/kernel.cpp"));
  EXPECT_TRUE(paths.is_movable("/tmp/kernel.cpp"));
  EXPECT_FALSE(paths.is_movable("/usr/include/stdio.h"));
}

TEST(MovablePaths, are_found_again_from_each_place_that_is_said_of_them) {
  MovablePaths paths({});
  (void)paths.name_folder("/tmp/one/deep/include");
  (void)paths.name_folder("/tmp/one");
  (void)paths.name_folder("/tmp/two");
  for (const fs::path file : {"/tmp/one/deep/include/part.h", "/tmp/two/part.h",
                              "/tmp/beside/part.h", "/usr/include/stdio.h"}) {
    EXPECT_FALSE(paths.places_of(file).empty());
    for (const Place& place : paths.places_of(file))
      EXPECT_EQ(paths.path_of(place).lexically_normal(), file) << place.root;
  }
  EXPECT_EQ(paths.places_of("/tmp/one/deep/include/part.h").size(), 2U);
}

}  // namespace
}  // namespace tunecheck::spy
