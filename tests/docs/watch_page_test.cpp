// docs/watch.md, followed as it stands there: from a program that nobody has changed to the mended
// one.
#include <gmock/gmock.h>

#include "console.hpp"
#include "page.hpp"
#include "result/watch_result.hpp"

namespace tunecheck::test::watch_page {
namespace {

using testing::ElementsAreArray;

const Page& page() {
  static const Page the_page("watch.md");
  return the_page;
}

TEST(WatchPage, leads_from_a_program_to_the_mended_one_by_its_own_commands_and_files) {
  const Console console;
  for (const char* const name : {"sgd.cpp", "mine.py"})
    console.write(name, page().file(name));
  std::vector<Command> commands;
  for (const Block& block : page().blocks("console"))
    for (const Command& command : commands_of(block.text))
      commands.push_back(command);
  ASSERT_EQ(commands.size(), 4U);
  int status = -1;
  std::string output = console.run(commands[0].line, &status);
  EXPECT_EQ(status, 1) << output;
  EXPECT_TRUE(is_shown_as(output, commands[0].output)) << output;

  std::string program = page().file("mine.py");
  const std::string loop =
      "        for _ in range(3):\n"
      "            begun = time.perf_counter()\n"
      "            launch(kernel, p, g, rate)\n"
      "            times[block] = time.perf_counter() - begun\n";
  const std::size_t at = program.find(loop);
  ASSERT_NE(at, program.npos);
  console.write("mine.py", program.replace(at, loop.size(), page().file("mended.txt")));
  for (std::size_t i = 1; i < commands.size(); ++i) {
    output = console.run(commands[i].line, &status);
    EXPECT_EQ(status, 0) << output;
    EXPECT_TRUE(is_shown_as(output, commands[i].output)) << output;
  }
}

TEST(WatchPage, lists_every_word_the_gravest_first_and_no_other) {
  std::vector<std::string> words;
  for (const WatchWord word : all_watch_words())
    words.emplace_back(name_of(word));
  EXPECT_THAT(page().names_in_table("Watching a program", "word"), ElementsAreArray(words));
}

TEST(WatchPage, names_every_option_of_the_command) {
  const Console console;
  const std::string help = console.run("tunecheck watch --help");
  std::string text;
  for (const char* const section :
       {"Watching a program", "Three minutes", "Caches and files", "What is seen, and what is not",
        "Two versions of a program", "In CI", "When the program is ready", "After an edit"})
    text += page().section(section);
  for (const char* const option :
       {"--include", "--cache", "--hide", "--use-my-caches", "--keep-allocator", "--at-most",
        "--allow", "--baseline", "--ready-text", "--ready-file", "--ready-after", "--edit",
        "--fresh", "--diff", "--format"}) {
    EXPECT_THAT(help, testing::HasSubstr(option));
    EXPECT_THAT(text, testing::HasSubstr(option));
  }
}

}  // namespace
}  // namespace tunecheck::test::watch_page
