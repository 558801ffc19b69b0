// Runs that somebody ends, that begin again, and whose disk is full.
#include <unistd.h>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace tunecheck::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::MatchesRegex;

// Job control gives what runs in the background the signals that a terminal's foreground has.
std::string in_background(const std::string& command) {
  return "set -m\ntunecheck " + command +
         " >shown.txt 2>said.txt &\npid=$!\n"
         "until_shown() { for _ in $(seq 1200); do [ \"$(grep -c \"$1\" shown.txt)\" -ge $2 ] && "
         "return; sleep 0.1; done; kill -KILL $pid; exit 99; }\n";
}

TEST(Interrupted, leaves_what_it_has_found_and_says_how_to_go_on) {
  const Place place;
  std::string scenarios;
  for (int i = 0; i < 40; ++i)
    scenarios += axpy_scenario("a.n" + std::to_string(i));
  place.write("mine.info", scenarios);
  place.write("script.bash", in_background("run --scenarios mine.info --jobs 1 -v") +
                                 "until_shown '^pass' 2\nkill -INT $pid\nwait $pid\nexit $?\n");
  EXPECT_EQ(place.shell("bash script.bash").status, 130) << place.read("shown.txt");
  EXPECT_THAT(place.read("said.txt"), HasSubstr("tunecheck: interrupted after "));
  EXPECT_THAT(place.read("said.txt"),
              HasSubstr("of 40 scenarios; out/result.json and junit.xml next to it have them, and "
                        "--resume goes on\n"));
  const json result = json::parse(place.read("out/result.json"));
  const std::size_t done = result["scenarios"].size();
  EXPECT_GE(done, 2U);
  EXPECT_EQ(result["pending"].size() + done, 40U);
  EXPECT_THAT(place.read("out/junit.xml"), HasSubstr("a.n"));
  for (const json& scenario : result["scenarios"])
    EXPECT_EQ(scenario["verdict"], "pass") << "its end is not the tuner's doing";
  EXPECT_EQ(place.run({"run", "--scenarios", "mine.info", "--resume", "--list"}).status, 0);
}

TEST(Watching, runs_again_when_a_file_changes_and_ends_with_the_last_status) {
  const Place place;
  place.write("mine.info", axpy_scenario("a.one"));
  place.write("broken.info", "scenario\n{\n  name a.one\n}\n");
  place.write("script.bash",
              in_background("run --scenarios mine.info --watch -q") +
                  "until_shown '^waiting for a change' 1\n"
                  "mv broken.info mine.info\n"
                  "until_shown '^mine.info changed$' 1\n"
                  "until_shown '^waiting for a change' 2\nkill -INT $pid\nwait $pid\nexit $?\n");
  const Ran ran = place.shell("bash script.bash");
  EXPECT_EQ(ran.status, 3) << place.read("shown.txt") << place.read("said.txt");
  EXPECT_THAT(place.read("shown.txt"), HasSubstr("PASS: 1 of 1"));
  EXPECT_THAT(place.read("said.txt"), HasSubstr("mine.info:"));
  EXPECT_THAT(place.run({"run", "--watch", "--list"}).err,
              HasSubstr("--watch: expected no --list or --resume next to it"));
}

// A tuner that forgets to put back what it changed once there is a file "broken".
class RunBefore : public testing::Test {
 protected:
  RunBefore() {
    place.write("mine.info", axpy_scenario("a.one") + axpy_scenario("a.two"));
    const std::string programs =
        std::filesystem::path(tunecheck_program()).parent_path().string() + "/";
    place.write("adapter.sh", "[ -e \"$(dirname \"$0\")/broken\" ] || exec '" + programs +
                                  "tunecheck-adapter-reference'\nexec '" + programs +
                                  "tunecheck-adapter-mutants' --mutant no_restore\n");
    place.write("adapter.info",
                "adapter { name mine  command \"/bin/sh\"  arguments \"" +
                    (place.path() / "adapter.sh").string() +
                    "\"  cache_variable TUNECHECK_CACHE  compiler_variable TUNECHECK_CXX  "
                    "backends cpu  capabilities \"cache in_place strided space\" }\n");
  }
  [[nodiscard]] int run(std::vector<std::string> more = {}) const {
    more.insert(more.begin(),
                {"run", "--adapter", "./adapter.info", "--scenarios", "mine.info", "--quiet"});
    return place.run(more).status;
  }
  /// Its first answer about when.
  [[nodiscard]] std::string since() const {
    const std::string page = place.read("out/report.html");
    const std::size_t at = page.find("\"since\":\"");
    return at == std::string::npos ? "" : page.substr(at + 9, page.find('"', at + 9) - at - 9);
  }

  const Place place;
};

TEST_F(RunBefore, in_the_same_folder_tells_what_is_new) {
  EXPECT_EQ(run(), 0);
  if (!place.has("out/report.html")) GTEST_SKIP() << "this build has no page";
  EXPECT_THAT(since(), HasSubstr("nothing to date"));
  place.write("broken", "");
  EXPECT_EQ(run(), 1);
  EXPECT_THAT(since(), MatchesRegex("2 new.* since the base, the run before in this folder.*, "
                                    "20..-..-.. ..:.. UTC; 0 failed there as well; 0 fixed"));
  EXPECT_EQ(run(), 1);
  EXPECT_THAT(since(), HasSubstr("; 2 failed there as well; 0 fixed"));
}

// What was not asked is not new, and an interrupted run does not replace a whole one.
TEST_F(RunBefore, tells_nothing_of_what_it_was_not_asked) {
  EXPECT_EQ(run({"a.one"}), 0);
  if (!place.has("out/report.html")) GTEST_SKIP() << "this build has no page";
  place.write("broken", "");
  EXPECT_EQ(run(), 1);
  EXPECT_THAT(since(), HasSubstr("this report has no base"));
  json whole = json::parse(place.read("out/result.json"));
  whole["pending"] = {"a.three"};
  place.write("out/result.json", whole.dump());
  EXPECT_EQ(run({"a.one"}), 1);
  EXPECT_EQ(json::parse(place.read("out/previous.json"))["scenarios"].size(), 1U);
}

TEST(FullDisk, is_one_line) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may mount a small disk";
  const Place place;
  if (place.shell("unshare -m true").status != 0) GTEST_SKIP() << "nothing can be mounted here";
  std::filesystem::create_directories(place.path() / "full");
  const std::string mounted =
      "exec unshare -m sh -c 'mount -t tmpfs -o size=6m none full && exec tunecheck run "
      "\"restore.[a-g]*\" --jobs 1 --out full/out'";
  const Ran ran = place.shell(mounted);
  EXPECT_EQ(ran.status, 4) << ran.out;
  EXPECT_THAT(ran.err, MatchesRegex("full/out[^\n]*the disk is full[^\n]*\n"));
}

}  // namespace
}  // namespace tunecheck::test
