// The public face of the library is six headers, each of which can be included alone.
#include <filesystem>
#include <set>
#include <string>

#include <gmock/gmock.h>

#include "core/files.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;
const fs::path root = TUNECHECK_SOURCE_ROOT;

TEST(PublicHeaders, are_six) {
  std::set<std::string> names;
  for (const auto& file : fs::directory_iterator(root / "framework/library/include/tunecheck"))
    names.insert(file.path().filename().string());
  EXPECT_THAT(names, testing::ElementsAre("backend.hpp", "kernel.hpp", "result.hpp", "tensor.hpp",
                                          "tunecheck.h", "tuner.hpp"));
}

TEST(PublicHeaders, are_all_that_a_program_needs) {
  const std::string program = read_text_file(root / "tests/consumer/project/main.cpp").value();
  EXPECT_EQ(program.find("#include \""), std::string::npos);
  for (const char* const header : {"backend", "kernel", "result", "tensor", "tuner"})
    EXPECT_NE(program.find(std::string("<tunecheck/") + header + ".hpp>"), std::string::npos);
}

TEST(PublicHeaders, that_of_c_is_one_that_c_compilers_take) {
  const std::string file = (root / "framework/library/include/tunecheck/tunecheck.h").string();
  const std::string command =
      "cc -std=c99 -Wall -Wextra -Wpedantic -Werror -fsyntax-only '" + file + "'";
  if (std::system("cc --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no cc here";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace tunecheck::test
