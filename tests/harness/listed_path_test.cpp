#include "harness/process/listed_path.hpp"

#include <cstdlib>
#include <optional>

#include <gmock/gmock.h>

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ListedPathTest : public testing::Test {
 protected:
  fs::path folder(const std::string& name) const {
    fs::create_directory(m_home.path() / name);
    return m_home.path() / name;
  }
  const TemporaryFolder m_home = TemporaryFolder::create("tunecheck-listed").value();
};

TEST_F(ListedPathTest, a_name_that_needs_none_is_its_own) {
  const fs::path plain = folder("plain-é");
  EXPECT_EQ(ListedPath::create(plain)->path(), plain);
}

TEST_F(ListedPathTest, a_blank_or_a_colon_is_reached_through_a_link) {
  for (const char* const name : {"two words", "with:colon"}) {
    const fs::path odd = folder(name);
    const auto listed = ListedPath::create(odd / "not-there-yet").value();
    EXPECT_EQ(listed.string().find_first_of(" :"), std::string::npos) << listed.string();
    EXPECT_EQ(fs::read_symlink(listed.path()), odd / "not-there-yet");
    fs::create_directory(odd / "not-there-yet");
    EXPECT_TRUE(fs::equivalent(listed.path(), odd / "not-there-yet"));
  }
}

TEST_F(ListedPathTest, the_link_goes_with_the_last_copy_and_what_it_leads_to_stays) {
  const fs::path odd = folder("two words");
  std::optional<ListedPath> first = ListedPath::create(odd).value();
  std::optional<ListedPath> second = first;
  const fs::path link = first->path();
  first.reset();
  EXPECT_TRUE(fs::is_symlink(link));
  second.reset();
  EXPECT_FALSE(fs::exists(link.parent_path()));
  EXPECT_TRUE(fs::exists(odd));
}

TEST_F(ListedPathTest, a_temporary_folder_that_cannot_be_listed_either_is_refused) {
  const fs::path odd = folder("two words");
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", odd.c_str(), 1);
  const auto listed = ListedPath::create(odd);
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
  ASSERT_FALSE(listed);
  EXPECT_THAT(listed.error().text(),
              HasSubstr("TMPDIR: expected a folder whose name has no blank"));
  EXPECT_THAT(listed.error().text(), HasSubstr(odd.string()));
}

}  // namespace
}  // namespace tunecheck::test
