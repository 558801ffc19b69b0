// What goes where: pipes, terminals, full disks.
#include <gmock/gmock.h>

#include "program.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Output, has_no_escape_codes_in_a_pipe) {
  const Ran ran = Place().run({"checks", "list"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, Not(HasSubstr("\x1b")));
}

TEST(Output, is_coloured_on_a_terminal) {
  if (!has_terminals()) GTEST_SKIP() << "there are no pseudo-terminals here";
  const Ran ran = Place().run_on_terminal({"checks", "list"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, HasSubstr("\x1b[1mrestore\x1b[0m"));
}

TEST(Output, has_no_colour_on_a_terminal_where_no_color_is_set_or_it_is_dumb) {
  if (!has_terminals()) GTEST_SKIP() << "there are no pseudo-terminals here";
  const Place place;
  EXPECT_THAT(place.run_on_terminal({"checks", "list"}, {{"NO_COLOR", "1"}}).out,
              Not(HasSubstr("\x1b")));
  EXPECT_THAT(place.run_on_terminal({"checks", "list"}, {{"TERM", "dumb"}}).out,
              Not(HasSubstr("\x1b")));
  EXPECT_THAT(place.run_on_terminal({"checks", "list"}, {{"NO_COLOR", ""}}).out, HasSubstr("\x1b"))
      << "an empty NO_COLOR is none";
}

TEST(Output, has_colour_in_a_pipe_where_it_is_forced) {
  const Place place;
  const auto list = [&](const Environment& further) {
    return place.run({"checks", "list"}, further).out;
  };
  EXPECT_THAT(list({{"FORCE_COLOR", "1"}}), HasSubstr("\x1b"));
  EXPECT_THAT(list({{"FORCE_COLOR", "0"}}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(list({{"FORCE_COLOR", "1"}, {"NO_COLOR", "1"}}), Not(HasSubstr("\x1b")));
}

TEST(Output, that_nobody_got_is_no_success) {
  const Place place;
  const Ran ran = place.shell(tunecheck_program() + " checks list > /dev/full");
  EXPECT_EQ(ran.status, 4);
  EXPECT_THAT(ran.err, HasSubstr("cannot write to stdout"));
}

}  // namespace
}  // namespace tunecheck::test
