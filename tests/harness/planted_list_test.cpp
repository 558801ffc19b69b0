// What is read of a program's answer to --list.
#include "harness/process/planted_list.hpp"

#include <gmock/gmock.h>

#include "core/files.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;

class PlantedList : public testing::Test {
 protected:
  // Runs a shell script with these lines as the program of an adapter.
  Result<std::vector<MutantInfo>> list_of(const std::string& lines) const {
    const auto script = m_folder.path() / "tuner";
    EXPECT_TRUE(write_file(script, std::string_view(lines)));
    return ask_for_planted({"/bin/sh", script.string()}, "mutants", std::chrono::seconds(30));
  }
  Result<std::vector<MutantInfo>> printed(const std::string& text) const {
    return list_of("cat << 'END'\n" + text + "\nEND\n");
  }

 private:
  TemporaryFolder m_folder = TemporaryFolder::create("planted").value();
};

TEST_F(PlantedList, has_each_mutant_with_what_must_catch_it) {
  const auto listed = printed(
      "[{\"name\": \"a_1\", \"summary\": \"text\", \"caught_by\": {\"x.y\": \"key.must_hit\"}},\n"
      " {\"name\": \"b\", \"summary\": \"\"}]");
  ASSERT_TRUE(listed) << listed.error().text();
  ASSERT_EQ(listed->size(), 2U);
  EXPECT_EQ(listed->at(0).name, "a_1");
  EXPECT_EQ(listed->at(0).summary, "text");
  EXPECT_EQ(listed->at(0).caught_by.at("x.y"), "key.must_hit");
  EXPECT_TRUE(listed->at(1).caught_by.empty());
}

TEST_F(PlantedList, is_what_stands_on_stdout_alone) {
  const auto listed = list_of(
      "echo 'DeprecationWarning: old' >&2\necho '[{\"name\": \"a\",'\necho more >&2\n"
      "printf '\"summary\": \"\"}]'\n");
  ASSERT_TRUE(listed) << listed.error().text();
  EXPECT_EQ(listed->size(), 1U);
}

TEST_F(PlantedList, of_a_program_that_fails_has_its_last_words) {
  const auto listed = list_of("echo 'Traceback:' >&2\necho 'ImportError: no toy' >&2\nexit 3\n");
  ASSERT_FALSE(listed);
  EXPECT_THAT(listed.error().text(), HasSubstr("tuner --list did not print its mutants: exit "
                                               "status 3: ImportError: no toy"));
  EXPECT_EQ(listed.error().kind, ErrorKind::machine);
}

TEST_F(PlantedList, with_a_mistake_names_the_entry_and_the_key) {
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"nothing", "expected JSON on stdout"},
      {"{}", "expected a list, found object"},
      {"[7]", "entry 1: expected an object, found number"},
      {R"([{"name": "a", "summary": ""}, {"summary": ""}])",
       "entry 2: name: expected text, and it is not there"},
      {R"([{"name": "a"}])", "entry 1: summary: expected text, and it is not there"},
      {R"([{"name": 7, "summary": ""}])", "entry 1: name: expected text, found number"},
      {R"([{"name": "a:b c/d", "summary": ""}])",
       "entry 1: name: expected lower-case letters, digits and '_', found \"a:b c/d\""},
      {R"([{"name": "a", "summary": "", "caught_by": ["x.y"]}])",
       "entry 1: caught_by: expected an object, each scenario with its check, found array"},
      {R"([{"name": "a", "summary": "", "caught_by": {"x.y": 1}}])",
       "entry 1: caught_by: expected the name of a check for \"x.y\", found number"},
      {R"([{"name": "a", "summary": "", "caught": {}}])",
       "entry 1: unknown key \"caught\"; expected one of: name, summary, caught_by"},
      {R"([{"name": "a", "summary": ""}, {"name": "a", "summary": ""}])", "it names \"a\" twice"}};
  for (const auto& [text, message] : mistakes) {
    const auto listed = printed(text);
    ASSERT_FALSE(listed) << text;
    EXPECT_THAT(listed.error().text(), HasSubstr("did not print its mutants: " + message));
    EXPECT_EQ(listed.error().kind, ErrorKind::bad_input) << text;
  }
}

}  // namespace
}  // namespace tunecheck::test
