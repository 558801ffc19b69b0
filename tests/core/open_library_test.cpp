#include "core/libraries/open_library.hpp"

#include <cstdlib>
#include <dlfcn.h>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "core/files.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class OpenLibrary : public testing::Test {
 protected:
  // A library that every program here has.
  static fs::path some_library() {
    Dl_info place{};
    const auto* const function = reinterpret_cast<const void*>(&::getenv);
    return ::dladdr(function, &place) != 0 ? fs::canonical(place.dli_fname) : fs::path();
  }
  static Result<void*> open(const fs::path& path) { return open_library(path, RTLD_LAZY); }
  fs::path path(const char* name) const { return m_folder.path() / name; }

 private:
  TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-test-library").value();
};

TEST_F(OpenLibrary, takes_a_file_a_link_to_one_and_a_bare_name) {
  fs::create_symlink(some_library(), path("link.so"));
  for (const fs::path& each : {some_library(), path("link.so"), fs::path("libc.so.6")}) {
    const auto opened = open(each);
    ASSERT_TRUE(opened) << opened.error().text();
    EXPECT_NE(::dlsym(*opened, "getenv"), nullptr);
    ::dlclose(*opened);
  }
}

// The loader would wait until a process writes to it.
TEST_F(OpenLibrary, does_not_wait_for_a_fifo) {
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  fs::create_symlink("fifo", path("link.so"));
  for (const char* const each : {"fifo", "link.so"}) {
    EXPECT_FALSE(may_be_library(path(each)));
    const auto opened = open(path(each));
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().text(), path(each).string() + ": expected a regular file");
  }
}

TEST_F(OpenLibrary, of_what_is_no_library_names_the_path) {
  fs::create_symlink("circle", path("circle"));
  ASSERT_TRUE(write_file(path("text.so"), std::string_view("no library\n")));
  for (const fs::path& each : {path("none.so"), path("circle"), path("text.so"), path(""),
                               fs::path("/dev/null"), fs::path("libnothing-of-this-name.so")}) {
    const auto opened = open(each);
    ASSERT_FALSE(opened) << each;
    EXPECT_THAT(opened.error().text(), HasSubstr(each.string()));
  }
}

}  // namespace
}  // namespace tunecheck::test
