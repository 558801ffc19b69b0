// `tunecheck gate calibrate --real` and `--from` as a user runs them.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <set>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>

#include "program.hpp"

namespace tunecheck::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<json> lines_of(const std::string& text) {
  std::vector<json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(json::parse(line));
  return lines;
}

// A session of equal builds.
json session(int number, const std::string& answer) {
  return {{"number", number},  {"head", 0.0},
          {"load", "idle"},    {"at_once", 1},
          {"answer", answer},  {"reason", ""},
          {"change", 0.0},     {"would_find", 0.04},
          {"pairs", 10},       {"seconds", 1.5},
          {"other_work", 0.0}, {"benchmarks", 1},
          {"slower", 0},       {"faster", 0},
          {"undecided", 0},    {"kernels", "k"},
          {"size", "smoke"},   {"metrics", "winner_time"},
          {"backend", "sim"},  {"whole", false},
          {"delta", 0.02},     {"tolerance", 0.05},
          {"machine", "M"},    {"build", "b"},
          {"seed", number},    {"started", "2026-11-25T20:00:00Z"}};
}

std::string sessions(int count, const std::string& answer, int first = 1) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += session(first + i, answer).dump() + "\n";
  return text;
}

// Both processes play sessions of one file, and a second command goes on with it.
TEST(GateCalibrate, plays_at_once_stores_each_session_once_and_goes_on) {
  const Place place;
  const std::vector<std::string> three = {"gate", "calibrate", "--real", "3", "--at-once", "2"};
  const Ran first = place.run(three);
  ASSERT_EQ(first.status, 0) << first.out << first.err;
  const std::string file = "out/sessions.jsonl";
  const std::vector<json> played = lines_of(place.read(file));
  ASSERT_EQ(played.size(), 3U);
  std::set<int> numbers;
  for (const json& line : played) {
    numbers.insert(line["number"].get<int>());
    EXPECT_EQ(line["at_once"], 2);
    EXPECT_EQ(line["kernels"], "rmsnorm");
    EXPECT_GT(line["seconds"], 0);
  }
  EXPECT_EQ(numbers, (std::set<int>{1, 2, 3}));
  EXPECT_THAT(first.out, HasSubstr("| 2 sessions at once | same | 3 |"));

  // A kill left a part of a line.
  place.write(file, place.read(file) + "{\"number\":");
  const Ran second = place.run({"gate", "calibrate", "--real", "1", "--plant", "50%"});
  EXPECT_EQ(second.status, 0) << second.out << second.err;
  EXPECT_THAT(second.out,
              HasSubstr("sessions.jsonl:4: removed the last line, which was cut after 10 bytes"));
  ASSERT_EQ(lines_of(place.read(file)).size(), 4U);
  EXPECT_EQ(lines_of(place.read(file))[3]["head"], 0.5);
  EXPECT_GT(lines_of(place.read(file))[3]["change"], 0.2);

  const std::string before = place.read(file);
  const Ran shown = place.run({"gate", "calibrate", "--from", file});
  EXPECT_EQ(shown.status, 0);
  EXPECT_THAT(second.out, HasSubstr(shown.out)) << "the same table";
  const Ran other = place.run({"gate", "calibrate", "--real", "1", "--kernel", "axpy_inplace"});
  EXPECT_EQ(other.status, 3);
  EXPECT_THAT(other.err,
              HasSubstr("sessions.jsonl:1: kernels: expected sessions of \"axpy_inplace\""));
  EXPECT_EQ(std::count(other.err.begin(), other.err.end(), '\n'), 1) << other.err;
  EXPECT_EQ(place.read(file), before);
}

// By Ctrl-C, which reaches the processes that play as well.
TEST(GateCalibrate, says_what_it_has_kept_when_it_is_interrupted) {
  const Place place;
  CommandOptions options;
  options.arguments = {tunecheck_program(), "gate", "calibrate", "--real", "50", "--at-once", "2"};
  options.folder = place.path();
  const auto kept = [&] {
    return place.has("out/sessions.jsonl") ? lines_of(place.read("out/sessions.jsonl")).size() : 0;
  };
  ProcessEnd end;
  {
    LineProcess process = LineProcess::start(options, place.path() / "log").value();
    for (int tries = 0; kept() < 1 && tries < 600; ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ::kill(-process.id(), SIGINT);
    end = process.wait(std::chrono::seconds(20));
  }
  EXPECT_EQ(end.signal, SIGINT) << end.text();
  ASSERT_GE(kept(), 1U);
  EXPECT_EQ(place.read("log"),
            fmt::format("tunecheck: interrupted: {} of 50 sessions kept in out/sessions.jsonl; the "
                        "same command goes on\n",
                        kept()));
  for (const auto& entry : std::filesystem::directory_iterator(place.path() / "out"))
    EXPECT_EQ(entry.path().filename().string().find("process-"), std::string::npos) << entry;
}

TEST(GateCalibrate, plays_no_more_sessions_at_once_than_there_are_to_be) {
  const Place place;
  const Ran ran = place.run({"gate", "calibrate", "--real", "1", "--at-once", "3"});
  ASSERT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\n1 session, 20"));
  EXPECT_EQ(lines_of(place.read("out/sessions.jsonl")).at(0)["at_once"], 1);
}

// Killed, it cannot do anything more itself: the processes that play for it notice.
TEST(GateCalibrate, leaves_nothing_that_plays_when_it_is_killed) {
  const Place place;
  const Ran ran = place.shell(
      "'" + tunecheck_program() +
      "' gate calibrate --real 100 --at-once 2 > log & killed=$!\n"
      "tries=0\n"
      "until test -d out/compile-store || test $tries -gt 300; do sleep 0.1; tries=$((tries + 1)); "
      "done\n"
      "kill -KILL $killed; wait $killed\n"
      "playing() { for each in /proc/[0-9]*; do test \"$(readlink $each/cwd)\" = \"$PWD\" && "
      "test \"$(cat $each/comm)\" = tunecheck && echo $each; done; }\n"
      "tries=0\n"
      "until test -z \"$(playing)\" || test $tries -gt 100; do sleep 0.1; tries=$((tries + 1)); "
      "done\n"
      "playing > left\n");
  EXPECT_EQ(place.read("left"), "") << ran.out << ran.err;
  EXPECT_TRUE(place.has("out/compile-store")) << "it did play";
}

TEST(GateCalibrate, ends_with_1_where_a_rate_is_not_what_it_is_to_be) {
  const Place place;
  place.write("good.jsonl", sessions(300, "pass"));
  place.write("bad.jsonl", sessions(2, "regression", 301));
  const Ran good = place.run({"gate", "calibrate", "--from", "good.jsonl"});
  EXPECT_EQ(good.status, 0) << good.out;
  EXPECT_THAT(good.out, StartsWith("300 sessions, 2026-11-25\n"));
  EXPECT_THAT(good.out, HasSubstr("\nkept    at most one false alarm"));
  const Ran bad = place.run({"gate", "calibrate", "--from", "bad.jsonl", "good.jsonl"});
  EXPECT_EQ(bad.status, 1);
  EXPECT_THAT(bad.out, HasSubstr("\nBROKEN  at most one false alarm"));
  EXPECT_THAT(bad.out, HasSubstr("; 2 of 302\n"));
}

TEST(GateCalibrate, refuses_a_file_of_something_else) {
  const Place place;
  place.write("sessions.jsonl", sessions(1, "pass") + "{\"answer\": \"pass\"}\n");
  const Ran ran = place.run({"gate", "calibrate", "--from", "sessions.jsonl"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  EXPECT_EQ(place.run({"gate", "calibrate", "--from", "no.jsonl"}).status, 3);
  EXPECT_THAT(ran.err, StartsWith("sessions.jsonl:2: head: expected a number, found nothing"));
}

// Several calibrations share a folder. They keep everybody else out of it, and the other way round.
TEST(GateCalibrate, shares_its_folder_with_its_own_kind_alone) {
  const Place place;
  place.write("out/kept", "");
  place.write("one.json", R"({"context": {}, "benchmarks": [{"name": "b", "real_time": 1.0,
                              "time_unit": "ns"}]})");
  const FileDescriptor folder(
      ::open((place.path() / "out").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_EQ(::flock(folder.get(), LOCK_SH), 0);
  EXPECT_EQ(place.run({"gate", "--base", "one.json", "--head", "one.json"}).status, 4);
  EXPECT_EQ(place.run({"gate", "calibrate", "--real", "1"}).status, 0);
  ASSERT_EQ(::flock(folder.get(), LOCK_EX), 0);
  const Ran ran = place.run({"gate", "calibrate", "--real", "1"});
  EXPECT_EQ(ran.status, 4);
  EXPECT_THAT(ran.err, HasSubstr("another tunecheck is writing to this folder"));
}

TEST(GateCalibrate, counts_a_session_of_two_files_once_or_not_at_all) {
  const Place place;
  place.write("a.jsonl", sessions(2, "pass"));
  place.write("b.jsonl", sessions(2, "pass", 2));
  const Ran ran = place.run({"gate", "calibrate", "--from", "a.jsonl", "b.jsonl"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("b.jsonl:1: expected each session once, found number 2 of these "
                                 "files a second time\n"));
}

TEST(GateCalibrate, says_that_a_stored_line_was_cut) {
  const Place place;
  const std::string text = sessions(3, "pass");
  place.write("cut.jsonl", text.substr(0, text.size() - 20));
  const Ran ran = place.run({"gate", "calibrate", "--from", "cut.jsonl"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, StartsWith("2 sessions, "));
  EXPECT_THAT(ran.err, HasSubstr("cut.jsonl:3: left out the last line, which was cut after "));
}

TEST(GateCalibrate, stores_nothing_where_nothing_can_be_measured) {
  const Place place;
  const Ran ran = place.run({"gate", "calibrate", "--real", "2", "--backend", "hip"});
  if (ran.status == 0) GTEST_SKIP() << "a device for HIP is here";
  EXPECT_EQ(ran.status, 4) << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("the adapter cannot run on \"hip\""));
  EXPECT_EQ(place.read("out/sessions.jsonl"), "");
}

}  // namespace
}  // namespace tunecheck::test
