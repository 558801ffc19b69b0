// `tunecheck gate` as a user runs it: what it takes, what it leaves, and how it ends.
#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "core/resources.hpp"
#include "program.hpp"

namespace tunecheck::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

std::string google_json(double time_ns) {
  return json{{"benchmarks", {{{"name", "sort"}, {"real_time", time_ns}, {"time_unit", "ns"}}}}}
      .dump();
}

TEST(Gate, one_recording_each_is_inconclusive_and_fails_only_where_that_is_asked) {
  const Place place;
  place.write("old.json", google_json(100));
  place.write("new.json", google_json(120));
  const Ran ran = place.run({"gate", "--base", "old.json", "--head", "new.json"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("one pair of +20.0 %"), HasSubstr("\nINCONCLUSIVE: ")));
  EXPECT_EQ(json::parse(place.read("out/gate.json"))["answer"], "inconclusive");
  EXPECT_EQ(
      place.run({"gate", "--base", "old.json", "--head", "new.json", "--fail-on", "inconclusive"})
          .status,
      5);
}

TEST(Gate, several_files_are_several_processes) {
  const Place place;
  for (int i = 0; i < 40; ++i) {
    place.write(fmt::format("old-{:02}.json", i), google_json(100 + i % 3));
    place.write(fmt::format("new-{:02}.json", i), google_json(110 + i % 4));
  }
  const Ran ran = place.run({"gate", "--base", "old-*.json", "--head", "new-*.json"});
  EXPECT_EQ(ran.status, 2) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("regression    sort: "));
}

// Slower by 8 %, which is a regression where nothing else is said.
TEST(Gate, what_counts_as_slower_can_be_said) {
  const Place place;
  for (int i = 0; i < 40; ++i) {
    place.write(fmt::format("old-{:02}.json", i), google_json(100 + i % 3));
    place.write(fmt::format("new-{:02}.json", i), google_json(108 + i % 3));
  }
  const Ran ran = place.run({"gate", "--base", "old-*.json", "--head", "new-*.json", "--delta",
                             "10%", "--tolerance", "15 %"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("\nPASS: "), HasSubstr("delta 10 %, tolerance 15 %")));
  const json settings = json::parse(place.read("out/gate.json"))["settings"];
  EXPECT_EQ(settings["delta"], 0.1);
  EXPECT_EQ(settings["tolerance"], 0.15);
  EXPECT_EQ(settings["planted"], 0.3);
}

TEST(Gate, the_same_file_twice_is_not_to_be_trusted) {
  const Place place;
  place.write("old.json", google_json(100));
  const Ran ran = place.run({"gate", "--base", "old.json", "--head", "old.json"});
  EXPECT_EQ(ran.status, 4);
  EXPECT_THAT(ran.out, HasSubstr("INVALID: base and head are the same files"));
}

TEST(Gate, bad_input_is_one_line_and_what_is_stored_stays) {
  const Place place;
  place.write("old.json", google_json(100));
  place.write("damaged.json", R"({"benchmarks": [)");
  place.write("out/gate.json", "of an earlier session");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--base", "old.json"}, "--head"},
      {{"--head", "old.json"}, "--base"},
      {{"--base", "none.json", "--head", "old.json"}, "none.json: "},
      {{"--base", "old.json", "--head", "damaged.json"}, "damaged.json: "},
      {{"--base", "old.json", "--head", "."}, "two builds, two programs, or JSON files"},
      {{"--base", "nowhere", "--head", "."}, "nowhere: expected a folder"},
      {{"--base", ".", "--head", "."}, "there are no kernels"},
      {{"--base", ".", "--head", ".", "--metric", "warm"}, "unknown metric"},
      {{"--base", "old.json", "--head", "old.json", "--delta", "0"},
       "--delta: expected a percentage from 0.1 to 50, found \"0\""},
      {{"--base", "old.json", "--head", "old.json", "--tolerance", "lots"},
       "--tolerance: expected a percentage from 0.1 to 100, found \"lots\""},
      {{"--base", "old.json", "--head", "old.json", "--delta", "5%"},
       "--tolerance: expected more than --delta, 5 %, found 5 %"},
      {{"--base", "old.json", "--head", "old.json", "--resume"}, "gate.json: expected"}};
  for (const auto& [arguments, text] : cases) {
    std::vector<std::string> all = {"gate"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Ran ran = place.run(all);
    EXPECT_EQ(ran.status, 3) << text << ran.out << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(text));
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_EQ(place.read("out/gate.json"), "of an earlier session");
  }
}

TEST(Gate, a_session_that_was_killed_leaves_its_pairs_and_is_resumed) {
  const Place place;
  const std::vector<std::string> session = {
      TUNECHECK_PROGRAM,       "gate",  "--base", TUNECHECK_TOY_BENCHMARK, "--head",
      TUNECHECK_TOY_BENCHMARK, "--out", "out"};
  CommandOptions options;
  options.arguments = session;
  options.folder = place.path();
  {
    LineProcess process = LineProcess::start(options, place.path() / "log").value();
    const auto pairs = [&] {
      std::size_t pairs = 0;
      const json result =
          place.has("out/gate.json") ? json::parse(place.read("out/gate.json")) : json::object();
      for (const json& benchmark : result.value("benchmarks", json::array()))
        pairs += benchmark["pairs"].size();
      return pairs;
    };
    while (pairs() < 5)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ::kill(process.id(), SIGKILL);
    (void)process.wait(std::chrono::seconds(10));
  }
  const json left = json::parse(place.read("out/gate.json"));
  EXPECT_EQ(left["complete"], false);
  EXPECT_EQ(left["exit_status"], 4);
  std::vector<std::string> resuming(session.begin() + 1, session.end());
  resuming.emplace_back("--resume");
  const Ran ran = place.run(resuming);
  const json whole = json::parse(place.read("out/gate.json"));
  EXPECT_EQ(whole["complete"], true) << ran.out << ran.err;
  EXPECT_EQ(ran.status, whole["exit_status"]);
  EXPECT_EQ(whole["started"], left["started"]);
  EXPECT_EQ(whole["benchmarks"][0]["pairs"][0], left["benchmarks"][0]["pairs"][0]);
  EXPECT_EQ(
      place.run({"gate", "--base", TUNECHECK_TOY_BENCHMARK, "--head", "/bin/true", "--resume"})
          .status,
      3)
      << "another session";
  resuming.insert(resuming.end(), {"--tolerance", "6%"});
  const Ran other = place.run(resuming);
  EXPECT_EQ(other.status, 3) << "another rule";
  EXPECT_THAT(other.err, HasSubstr("gate.json: --resume: expected a session of the same"));
}

}  // namespace
}  // namespace tunecheck::test
