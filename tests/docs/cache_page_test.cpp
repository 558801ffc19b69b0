// docs/cache-command.md, and the example of a burst: run as a reader would.
#include <gtest/gtest.h>

#include "console.hpp"
#include "page.hpp"

namespace tunecheck::test::cache_page {
namespace {

// Two winners in the folder cache: what a run leaves.
void fill_cache(const Console& console) {
  console.write("two.info", R"(scenario
{
  name     docs.two_winners
  because  "the page shows them"
  kernel   keyed_copy
  steps
  {
    space { block 16 }
    process cold { repeat 2 { call { scalars { variant $repeat } } } }
  }
}
)");
  int status = -1;
  const std::string output = console.run(
      "tunecheck run --scenarios two.info --keep && mv out/work/docs.two_winners/cache cache",
      &status);
  ASSERT_EQ(status, 0) << output;
}

TEST(CachePage, its_example_prints_what_it_shows) {
  const Console console;
  fill_cache(console);
  const auto blocks = Page("cache-command.md").blocks("console");
  ASSERT_EQ(blocks.size(), 1U);
  for (const Command& command : commands_of(blocks[0].text)) {
    int status = -1;
    const std::string output =
        console.run("export TUNECHECK_CACHE_DIR=cache\n" + command.line, &status);
    EXPECT_EQ(status, 0) << command.line << '\n' << output;
    EXPECT_TRUE(is_shown_as(output, command.output)) << command.line << '\n' << output;
  }
}

TEST(ScenariosPage, its_burst_passes_with_the_reference_tuner) {
  const Console console;
  console.write("burst.info", Page("scenarios.md").file("burst.info"));
  int status = -1;
  const std::string output = console.run("tunecheck run --scenarios burst.info", &status);
  EXPECT_EQ(status, 0) << output;
}

}  // namespace
}  // namespace tunecheck::test::cache_page
