// What a watch says of programs that become ready, and of those that are edited.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "watched.hpp"

namespace tunecheck::watch {
namespace {

namespace fs = std::filesystem;

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using Words = std::set<std::string>;

const WatchResult::Finding& found(const WatchResult& result, WatchWord word) {
  for (const WatchResult::Finding& finding : result.findings)
    if (finding.word == word) return finding;
  static const WatchResult::Finding none;
  ADD_FAILURE() << "no " << name_of(word);
  return none;
}

TEST(Ready, what_is_tuned_or_compiled_after_the_program_said_that_it_is_ready_is_late) {
  Watched watched("tunes_when_ready");
  watched.options.ready.text = "is ready";
  const WatchResult result = watched.run();
  EXPECT_EQ(words_of(result), (Words{"LATE scale", "LATE"}));
  for (const WatchResult::Finding& finding : result.findings) {
    EXPECT_EQ(finding.run, "cold");
    EXPECT_THAT(finding.text, HasSubstr("s after the program was ready"));
  }
  EXPECT_TRUE(result.runs.at(0).ready_after_ns);
  EXPECT_EQ(result.exit_status(), 1);
}

TEST(Ready, what_was_tuned_before_is_right) {
  Watched watched("warms_up");
  watched.options.ready.text = "is ready";
  const WatchResult result = watched.run();
  EXPECT_EQ(words_of(result), Words{});
  EXPECT_TRUE(result.runs.at(2).ready_after_ns);
  EXPECT_EQ(result.exit_status(), 0);
}

TEST(Ready, a_file_says_it_too) {
  Watched late("tunes_when_ready");
  const fs::path file = late.options.out.string() + "-ready";
  const Variable name("READY_FILE", file);
  std::ofstream(file) << "of an earlier start\n";
  late.options.ready.files = {file};
  EXPECT_EQ(words_of(late.run()), (Words{"LATE scale", "LATE"}));
  Watched right("warms_up");
  right.options.ready.files = {file};
  EXPECT_EQ(words_of(right.run()), Words{});
  fs::remove(file);
}

// The program's home is another one than the user's.
TEST(Ready, a_file_in_the_home_of_the_program_is_found) {
  const fs::path home = fs::temp_directory_path() / ("ready-home-" + std::to_string(::getpid()));
  fs::create_directories(home);
  const Variable own("HOME", home);
  Watched watched("restores");
  watched.options.command = {"/bin/sh", "-c",
                             "touch \"$HOME/up\"; exec " WATCHED_PROGRAMS " restores"};
  watched.options.ready.files = {home / "up"};
  watched.options.warm_runs = 0;
  EXPECT_THAT(words_of(watched.run()), Contains("LATE sgd"));
  EXPECT_FALSE(fs::exists(home / "up"));
  fs::remove_all(home);
}

TEST(Ready, so_many_seconds_after_the_start) {
  Watched watched("restores");
  watched.options.ready.after = std::chrono::seconds(0);
  EXPECT_THAT(words_of(watched.run()), Contains("LATE sgd"));
  // The program ended before that: then nothing is known.
  watched.options.ready.after = std::chrono::seconds(1000);
  const WatchResult result = watched.run();
  EXPECT_EQ(words_of(result), Words{});
  EXPECT_TRUE(result.was_never_ready);
  EXPECT_EQ(result.exit_status(), 4);
}

TEST(Ready, a_program_that_never_says_it_is_not_trusted) {
  Watched watched("tunes_when_ready");
  watched.options.ready.text = "is redy";
  const WatchResult result = watched.run();
  EXPECT_THAT(result.notes, Contains(HasSubstr("did not become ready")));
  EXPECT_EQ(result.exit_status(), 4);
}

TEST(Ready, the_last_line_of_a_child_counts) {
  Watched watched("becomes_ready_in_a_child");
  watched.options.ready.text = "is ready";
  const WatchResult result = watched.run();
  EXPECT_TRUE(result.runs.at(0).ready_after_ns);
  EXPECT_EQ(words_of(result), Words{});
}

// Output and error output go where they went, whole, and not through one another.
TEST(Ready, output_is_handed_on_as_it_is) {
  Watched watched("restores");
  const fs::path out = watched.options.out.string() + "-out";
  watched.options.command = {
      "/bin/sh", "-c",
      "test -t 1 && echo a terminal; printf 'x\\n\\ty\\n'; echo no >&2; head -c 3000000 /dev/zero"};
  watched.options.ready.text = "x";
  watched.options.warm_runs = 0;
  std::fflush(stdout);
  const int before = ::dup(1);
  ASSERT_NE(std::freopen(out.c_str(), "w", stdout), nullptr);
  const WatchResult result = watched.run();
  std::fflush(stdout);
  ::dup2(before, 1);
  ::close(before);
  std::ifstream file(out, std::ios::binary);
  std::string said{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(said, testing::StartsWith("a terminal\nx\n\ty\n"));
  EXPECT_EQ(said.size(), std::string("a terminal\nx\n\ty\n").size() + 3000000);
  EXPECT_TRUE(result.runs.at(0).ready_after_ns);
  fs::remove(out);
}

// A folder with the kernel and the header that it includes.
struct Edit : testing::Test {
  Edit() : folder(fs::temp_directory_path() / ("watch-sources-" + std::to_string(::getpid()))) {
    fs::create_directories(folder);
    fs::copy_file(fs::path(WATCHED_KERNELS) / "times_factor.cpp", folder / "times_factor.cpp",
                  fs::copy_options::overwrite_existing);
    write_header("#define FACTOR 2\n");
    sources.emplace("SOURCES", folder);
  }
  ~Edit() override { fs::remove_all(folder); }
  void write_header(const std::string& text) const { std::ofstream(folder / "factor.h") << text; }
  [[nodiscard]] WatchResult watch(const std::string& program, const std::string& header) const {
    Watched watched(program);
    watched.options.warm_runs = 1;
    watched.options.edit = "printf '" + header + "' > " + (folder / "factor.h").string();
    return watched.run();
  }
  fs::path folder;
  std::optional<Variable> sources;
};

TEST_F(Edit, an_artifact_that_was_made_before_the_edit_is_stale) {
  const WatchResult result = watch("forgets_headers", "#define FACTOR 3\\n");
  EXPECT_EQ(words_of(result), Words{"STALE times_factor"});
  const WatchResult::Finding& finding = found(result, WatchWord::stale);
  EXPECT_EQ(finding.run, "edited");
  EXPECT_THAT(finding.text, HasSubstr("made before the edit"));
  EXPECT_THAT(finding.text, HasSubstr("it leaves other bits"));
  EXPECT_THAT(finding.details, Contains(HasSubstr("block=1")));
  ASSERT_EQ(result.runs.size(), 5U);
  EXPECT_EQ(result.runs[2].name, "edited");
  EXPECT_EQ(result.runs[2].compiles, 0);
  EXPECT_EQ(result.runs[4].name, "fresh 2");
  EXPECT_EQ(result.runs[4].compiles, 4);
  EXPECT_EQ(result.exit_status(), 1);
}

TEST_F(Edit, a_tuner_that_knows_its_headers_is_right) {
  const WatchResult result = watch("knows_headers", "#define FACTOR 3\\n");
  EXPECT_EQ(words_of(result), Words{});
  EXPECT_EQ(result.runs.at(2).compiles, 4);
  EXPECT_EQ(result.exit_status(), 0);
}

// Lines and debug information change, and nothing that is run.
TEST_F(Edit, a_comment_makes_nothing_stale) {
  const std::string header = "static inline float two() { return 2; }\n#define FACTOR two()\n";
  write_header(header);
  std::string edited = "// a word\n\n" + header;
  for (std::size_t at = 0; (at = edited.find('\n', at)) != edited.npos; at += 2)
    edited.replace(at, 1, "\\n");
  const WatchResult result = watch("forgets_headers", edited);
  EXPECT_EQ(words_of(result), Words{});
  EXPECT_EQ(result.runs.at(2).compiles, 0);
}

TEST_F(Edit, an_edit_of_nothing_makes_nothing_stale) {
  EXPECT_EQ(words_of(watch("forgets_headers", "#define FACTOR 2\\n")), Words{});
}

TEST_F(Edit, a_winner_of_the_old_source_is_unclear) {
  const WatchResult result = watch("keeps_winner", "#define FACTOR 3\\n");
  EXPECT_EQ(words_of(result), (Words{"COMPILED", "unclear STALE times_factor"}));
  EXPECT_THAT(found(result, WatchWord::stale).text, HasSubstr("not chosen again"));
}

TEST_F(Edit, that_cannot_be_done_is_an_error) {
  Watched watched("knows_headers");
  watched.options.warm_runs = 0;
  watched.options.edit = "echo no such patch >&2; exit 3";
  const auto result = watch_program(watched.options, [](const std::string&) {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(result.error().text(), HasSubstr("ended with exit status 3: no such patch"));
}

// The user's own caches, filled before the watch.
struct OwnCaches : Edit {
  OwnCaches() : home(folder / "home") {
    fs::create_directories(home);
    own_home.emplace("HOME", home);
  }
  static void fill(const std::string& program) {
    ASSERT_EQ(std::system((WATCHED_PROGRAMS " " + program + " > /dev/null").c_str()), 0);
  }
  [[nodiscard]] static WatchResult watch_fresh(const std::string& program) {
    Watched watched(program);
    watched.options.uses_own_caches = true;
    watched.options.runs_fresh = true;
    watched.options.warm_runs = 1;
    return watched.run();
  }
  fs::path home;
  std::optional<Variable> own_home;
};

TEST_F(OwnCaches, that_are_older_than_a_header_are_stale) {
  fill("forgets_headers");
  write_header("#define FACTOR 3\n");
  const WatchResult result = watch_fresh("forgets_headers");
  EXPECT_EQ(words_of(result), Words{"STALE times_factor"});
  EXPECT_THAT(found(result, WatchWord::stale).text, HasSubstr("builds otherwise"));
  ASSERT_EQ(result.runs.size(), 3U);
  EXPECT_EQ(result.runs[0].name, "warm 1");
}

TEST_F(OwnCaches, of_what_is_there_now_are_right) {
  fill("forgets_headers");
  EXPECT_EQ(words_of(watch_fresh("forgets_headers")), Words{});
  fill("knows_headers");
  write_header("#define FACTOR 3\n");
  fill("knows_headers");
  EXPECT_EQ(words_of(watch_fresh("knows_headers")), Words{});
}

TEST_F(OwnCaches, that_a_longer_search_has_filled_are_unclear) {
  {
    const Variable is_long("LONG", "1");
    fill("longer_search");
  }
  const WatchResult result = watch_fresh("longer_search");
  EXPECT_EQ(words_of(result), Words{"unclear STALE times_factor"});
  EXPECT_THAT(found(result, WatchWord::stale).text, HasSubstr("a longer search or is in a table"));
  EXPECT_EQ(result.exit_status(), 0);
}

}  // namespace
}  // namespace tunecheck::watch
