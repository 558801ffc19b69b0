#include "cli/arguments.hpp"

#include <gtest/gtest.h>

#include "core/command.hpp"
#include "core/shell.hpp"

namespace tunecheck::test {
namespace {

std::string as_a_shell_reads(const std::string& argument) {
  CommandOptions options;
  options.arguments = {"/bin/sh", "-c", "printf %s " + shell_quoted(argument)};
  return run_command(options).value().output;
}

TEST(ShellQuoted, a_shell_reads_every_argument_as_it_was) {
  for (const std::string argument :
       {"plain", "two words", "it's", "'", "''", "$HOME `id` \\ \"x\"", "restore.*", "a\nb", "-n",
        "~", "#", "a;b", "é", "mutant:no_restore"})
    EXPECT_EQ(as_a_shell_reads(argument), argument);
  EXPECT_EQ(shell_quoted(""), "''");
}

TEST(ShellQuoted, leaves_alone_what_needs_no_quotes) {
  EXPECT_EQ(shell_quoted("mutant:no_restore"), "mutant:no_restore");
  EXPECT_EQ(shell_quoted("/tmp/a-b_c.info"), "/tmp/a-b_c.info");
}

TEST(WholeNumber, a_leading_zero_is_not_octal) {
  std::string text = "010";
  EXPECT_EQ(cli::whole_number(1, 20)(text), "");
  EXPECT_EQ(text, "10");
}

TEST(WholeNumber, both_ends_are_included_and_nothing_beyond) {
  for (std::string text : {"1", "20"})
    EXPECT_EQ(cli::whole_number(1, 20)(text), "");
  for (std::string text : {"0", "21", "-1", "", "1.5", "1 ", "0x5", "99999999999999999999"})
    EXPECT_NE(cli::whole_number(1, 20)(text), "") << text;
}

TEST(Percentage, becomes_a_share) {
  for (std::string text : {"2", "2%", "2 %", "2.0%"}) {
    EXPECT_EQ(cli::percentage(0, 10)(text), "");
    EXPECT_EQ(text, "0.02");
  }
}

TEST(Percentage, both_ends_are_included_and_nothing_beyond) {
  for (std::string text : {"0.5", "50%"})
    EXPECT_EQ(cli::percentage(0.5, 50)(text), "");
  for (std::string text : {"0.4", "51", "-1", "", "%", "nan", "inf", "2%%", "2 percent", "0,5"})
    EXPECT_EQ(cli::percentage(0.5, 50)(text),
              "expected a percentage from 0.5 to 50, found \"" + text + "\"");
}

}  // namespace
}  // namespace tunecheck::test
