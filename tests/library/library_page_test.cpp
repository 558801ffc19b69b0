// docs/library.md, done as it stands there: its kernel is tuned by its programs.
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>

#include "docs/console.hpp"
#include "docs/page.hpp"

namespace tunecheck::test::library_page {
namespace {

namespace fs = std::filesystem;

const Page& page() {
  static const Page the_page("library.md");
  return the_page;
}

class LibraryPage : public testing::Test {
 protected:
  LibraryPage() {
    for (const char* const name : {"kernels/add_scaled/kernel.info", "kernels/add_scaled/cpu.cpp"})
      m_console.write(name, page().file(name));
    m_console.write("kernels/add_scaled/reference.cpp", "// for tunecheck kernels prove\n");
    const fs::path folder = fs::path(TUNECHECK_SHARED_LIBRARY).parent_path();
    ::setenv("TUNECHECK_FLAGS",
             ("-I" TUNECHECK_SOURCE_ROOT "/framework/library/include -L" + folder.string() +
              " -Wl,-rpath," + folder.string())
                 .c_str(),
             1);
    ::setenv("LD_LIBRARY_PATH", folder.c_str(), 1);
  }

  // The commands of a section, each with what the page says that it prints.
  void follow(const std::string& section) const {
    int commands = 0;
    for (const Block& block : page().blocks("console")) {
      if (block.section != section) continue;
      for (const Command& command : commands_of(block.text)) {
        const std::string output = m_console.run(command.line);
        EXPECT_TRUE(is_shown_as(output, command.output)) << command.line << '\n' << output;
        ++commands;
      }
    }
    EXPECT_GT(commands, 0) << section;
  }

  Console m_console;
};

TEST_F(LibraryPage, tunes_a_kernel_from_c) {
  m_console.write("program.c", page().file("program.c"));
  follow("In C");
}

TEST_F(LibraryPage, tunes_a_kernel_from_python_in_ten_lines) {
  const std::string program = page().file("program.py");
  m_console.write("program.py", program);
  follow("In Python");
  const std::string after_structure = program.substr(program.find("\n\ntunecheck,"));
  EXPECT_LE(std::count(after_structure.begin(), after_structure.end(), '\n') - 2, 11);
}

TEST_F(LibraryPage, names_each_public_header) {
  const std::string all = page().section("In C++") + page().section("In C");
  for (const auto& file :
       fs::directory_iterator(TUNECHECK_SOURCE_ROOT "/framework/library/include/tunecheck"))
    EXPECT_THAT(all, testing::HasSubstr("tunecheck/" + file.path().filename().string()));
}

}  // namespace
}  // namespace tunecheck::test::library_page
