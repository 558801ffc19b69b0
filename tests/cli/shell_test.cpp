// What shells complete, and pages for man(1).
#include <filesystem>

#include <gmock/gmock.h>

#include "program.hpp"

namespace tunecheck::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct Shell : testing::Test {
  static bool has(const std::string& program) { return !find_program(program).empty(); }

  // The words alone, one a line.
  [[nodiscard]] std::string words(std::vector<std::string> typed) const {
    typed.insert(typed.begin(), {"completion", "words", "--"});
    const Ran ran = place.run(typed);
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    std::string all;
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);)
      all += line.substr(0, line.find('\t')) + "\n";
    return all;
  }
  // What a real bash is told when somebody has typed this and presses Tab.
  [[nodiscard]] std::string bash(const std::string& typed) const {
    place.write("typed.txt", typed);
    place.write("complete.bash",
                "source <(tunecheck completion bash)\n"
                "COMP_LINE=\"$(<typed.txt)\"; COMP_POINT=${#COMP_LINE}\n"
                "_tunecheck 2>errors.txt\n"
                "printf '%s\\n' \"${COMPREPLY[@]}\"\n");
    const Ran ran = place.shell("bash --norc complete.bash");
    EXPECT_EQ(ran.err, "");
    return ran.out;
  }
  Place place;
};

TEST_F(Shell, completes_commands_and_their_options) {
  EXPECT_THAT(words({""}), AllOf(HasSubstr("run\n"), HasSubstr("demo\n"), HasSubstr("kernels\n")));
  EXPECT_EQ(words({"kern"}), "kernels\n");
  EXPECT_EQ(words({"kernels", ""}), "list\nprove\ntune\n");
  EXPECT_EQ(words({"run", "--ma"}), "--maxfail\n");
  EXPECT_EQ(words({"run", "--jobs", "--ma"}), "");  // a value is due
  EXPECT_EQ(words({"watch", "--", "pyth"}), "");    // another program's
  EXPECT_EQ(words({"cache", ""}), "explain\nexport\ngc\nimport\nlist\nremote\nshow\nverify\n");
  EXPECT_EQ(words({"cache", "gc", "--dr"}), "--dry-run\n");
}

TEST_F(Shell, completes_values_that_only_the_program_knows) {
  EXPECT_EQ(words({"run", "--adapter", "refe"}), "reference\n");
  EXPECT_EQ(words({"run", "--adapter=refe"}), "--adapter=reference\n");
  EXPECT_EQ(words({"run", "--adapter", "mutant:no_restor"}), "mutant:no_restore\n");
  EXPECT_EQ(words({"run", "--keep", "restore.first_result"}), "restore.first_result_is_right\n");
  EXPECT_EQ(words({"run", "reload.x", "restore.first_result"}), "restore.first_result_is_right\n");
  EXPECT_EQ(words({"run", "--exclude", "restore.first_result"}), "restore.first_result_is_right\n");
  EXPECT_EQ(words({"run", "--backend", ""}), "cpu\ncuda\nhip\n");
  EXPECT_EQ(words({"kernels", "prove", "axpy_in"}), "axpy_inplace\n");
  EXPECT_EQ(words({"report", "mark"}), "markdown\n");
  EXPECT_EQ(words({"run", "--where", "fam"}), "family:\n");
  EXPECT_EQ(words({"run", "--where", "not family:restor"}), "not family:restore\n");
}

TEST_F(Shell, bash_completes) {
  EXPECT_EQ(bash("tunecheck kern"), "kernels\n");
  EXPECT_THAT(bash("tunecheck "), HasSubstr("run\n"));
  EXPECT_EQ(bash("tunecheck cache exp"), "explain\nexport\n");
  EXPECT_EQ(bash("tunecheck run --adapter refe"), "reference\n");
  // Readline has divided the word at the ':' and replaces what is behind it.
  EXPECT_EQ(bash("tunecheck run --adapter mutant:no_restor"), "no_restore\n");
  EXPECT_EQ(bash("tunecheck run --adapter=refe"), "reference\n");
  EXPECT_EQ(bash("tunecheck report html out/resu"), "\n");  // files: bash knows them better
}

// Where a shell is not installed, nothing can be said of it.
TEST_F(Shell, zsh_takes_the_script) {
  if (!has("zsh")) GTEST_SKIP() << "there is no zsh";
  place.write("complete.zsh",
              "autoload -Uz compinit; compinit -D -u\n"
              "source <(tunecheck completion zsh)\n"
              "compadd() { print -l -- $plain; }\n"  // what it would show
              "_files() { print files; }\n"
              "words=(tunecheck run --adapter refe); CURRENT=4; _tunecheck\n"
              "words=(tunecheck cache gc --dr); CURRENT=4; _tunecheck\n"
              "words=(tunecheck report html out/res); CURRENT=4; _tunecheck\n"
              "print ${_comps[tunecheck]}\n");
  const Ran ran = place.shell("zsh -f complete.zsh");
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out, "reference\n--dry-run\nfiles\n_tunecheck\n");
}

TEST_F(Shell, fish_completes) {
  if (!has("fish")) GTEST_SKIP() << "there is no fish";
  place.write("complete.fish",
              "tunecheck completion fish | source\n"
              "complete -C 'tunecheck run --adapter refe'\n"
              "complete -C 'tunecheck kern'\n"
              "complete -C 'tunecheck cache gc --dr'\n");
  const Ran ran = place.shell("fish --no-config complete.fish", {{"HOME", place.path().string()}});
  EXPECT_THAT(ran.out, StartsWith("reference\t"));
  EXPECT_THAT(ran.out, HasSubstr("\nkernels\t"));
  EXPECT_THAT(ran.out, HasSubstr("\n--dry-run\t"));
}

TEST_F(Shell, another_shell_is_a_mistake) {
  const Ran ran = place.run({"completion", "bashh"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err,
              StartsWith("tunecheck: SHELL: unknown shell \"bashh\"; did you mean \"bash\"?"));
}

TEST_F(Shell, a_page_says_what_help_says) {
  const Ran ran = place.run({"man", "run"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, StartsWith(".TH \"TUNECHECK\\-RUN\" 1 "));
  EXPECT_THAT(ran.out, HasSubstr("\\fB\\-\\-maxfail\\fR \\fIN\\fR"));
  EXPECT_THAT(ran.out, HasSubstr("tunecheck run \\-\\-quick"));
  EXPECT_THAT(place.run({"man", "cache", "gc"}).out, HasSubstr("\\fB\\-\\-limit\\fR \\fISIZE\\fR"));
  EXPECT_THAT(place.run({"man", "kernels", "prov"}).err,
              HasSubstr("unknown command \"prov\"; did you mean \"prove\"?"));
}

TEST_F(Shell, every_page_is_free_of_warnings) {
  ASSERT_EQ(place.run({"man", "--out", "man1"}).status, 0);
  for (const char* page : {"tunecheck", "tunecheck-run", "tunecheck-kernels-prove", "tunecheck-man",
                           "tunecheck-cache", "tunecheck-cache-gc", "tunecheck-cache-remote"})
    EXPECT_TRUE(place.has(std::string("man1/") + page + ".1")) << page;
  if (!has("groff")) GTEST_SKIP() << "there is no groff";
  const Ran ran = place.shell("groff -ww -K utf8 -Tutf8 -man -z man1/*.1");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
  const Ran shown = place.shell("groff -K utf8 -Tascii -P-cbou -man man1/tunecheck-run.1");
  EXPECT_THAT(shown.out, AllOf(HasSubstr("--maxfail N"), Not(HasSubstr("\\f"))));
}

}  // namespace
}  // namespace tunecheck::test
