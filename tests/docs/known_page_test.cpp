// docs/known-failures.md: its example, run as it stands there.
#include <set>

#include <gmock/gmock.h>

#include "console.hpp"
#include "core/files.hpp"
#include "judge/scenario/known_marks.hpp"
#include "page.hpp"

namespace tunecheck::test::known_page {
namespace {

using testing::UnorderedElementsAreArray;

const Page& page() {
  static const Page the_page("known-failures.md");
  return the_page;
}

TEST(KnownFailuresPage, its_example_does_what_it_shows) {
  const Console console;
  ASSERT_FALSE(page().blocks("info").empty());
  console.write("my.info", page().blocks("info")[0].text);
  std::vector<int> statuses;
  for (const Block& block : page().blocks("console"))
    for (const Command& command : commands_of(block.text)) {
      int status = -1;
      const std::string output = console.run(command.line, &status);
      EXPECT_TRUE(is_shown_as(output, command.output)) << command.line << '\n' << output;
      statuses.push_back(status);
    }
  EXPECT_THAT(statuses, testing::ElementsAre(0, 1));
}

TEST(KnownFailuresPage, lists_every_key_of_a_mark_and_no_other) {
  const Console console;
  console.write("my.info", "known { nonsense x }\n");
  const auto marks = read_known_failures({console.folder() / "my.info"}, {});
  ASSERT_FALSE(marks);
  EXPECT_THAT(page().names_in_table("Known failures", "key"),
              UnorderedElementsAreArray(words_expected(marks.error().message)));
}

}  // namespace
}  // namespace tunecheck::test::known_page
