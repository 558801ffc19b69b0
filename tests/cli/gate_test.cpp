// `tunecheck gate` as a user runs it: what it takes, what it leaves, and how it ends.
#include <algorithm>
#include <csignal>
#include <cstdio>
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
  for (int i = 0; i < 50; ++i) {
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

TEST(Gate, the_same_times_give_the_same_file_but_for_when_it_was_made) {
  const Place place;
  for (int i = 0; i < 75; ++i) {
    place.write(fmt::format("old-{:02}.json", i), google_json(100 + 1.7 * (i % 7)));
    place.write(fmt::format("new-{:02}.json", i), google_json(104 + 2.3 * (i % 5)));
  }
  const auto file = [&](const std::string& out) {
    (void)place.run({"gate", "--base", "old-*.json", "--head", "new-*.json", "--out", out});
    json result = json::parse(place.read(out + "/gate.json"));
    for (const char* const when : {"started", "wall_ns"})
      EXPECT_EQ(result.erase(when), 1U);
    return result.dump();
  };
  const std::string first = file("first");
  EXPECT_THAT(first, HasSubstr("fresh pairs")) << "a confirmation is part of it";
  EXPECT_EQ(file("second"), first);
}

// They may have to share a CPU; equal programs are equal all the same.
TEST(Gate, three_sessions_at_once_find_no_difference_between_equal_programs) {
  const Place place;
  const Environment locks = {{"TUNECHECK_CPU_LOCKS", (place.path() / "locks").string()}};
  std::vector<std::thread> sessions;
  for (int i = 0; i < 3; ++i)
    sessions.emplace_back([&, out = fmt::format("out-{}", i)] {
      (void)place.run({"gate", "--base", TUNECHECK_TOY_BENCHMARK, "--head", TUNECHECK_TOY_BENCHMARK,
                       "--out", out},
                      locks);
    });
  for (std::thread& session : sessions)
    session.join();
  std::vector<int> alone_on;
  for (int i = 0; i < 3; ++i) {
    const json result = json::parse(place.read(fmt::format("out-{}/gate.json", i)));
    EXPECT_EQ(result["complete"], true);
    for (const json& benchmark : result["benchmarks"]) {
      if (benchmark["role"] != "measured") continue;
      EXPECT_THAT(benchmark["answer"], testing::AnyOf("pass", "inconclusive"))
          << benchmark["name"] << benchmark["reason"];
    }
    int cpu = -1;
    const std::string pinning = result["pinning"];
    if (std::sscanf(pinning.c_str(), "processes were pinned to CPU %d", &cpu) == 1 &&
        pinning.find("no other session uses") != std::string::npos)
      alone_on.push_back(cpu);
  }
  std::sort(alone_on.begin(), alone_on.end());
  EXPECT_EQ(std::unique(alone_on.begin(), alone_on.end()), alone_on.end());
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
      {{"--base", "old.json", "--head", "damaged.json"}, "damaged.json:1: "},
      {{"--base", "old.json", "--base", "old*.json", "--head", "old.json"},
       "old.json: expected each file once, found it twice"},
      {{"--base", "/bin/false", "--head", "/bin/false"},
       "/bin/false: expected a program of Google Benchmark: --benchmark_list_tests: exit status 1"},
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
      {{"--base", "old.json", "--head", "old.json", "--resume"}, "gate.json:1: expected JSON"}};
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

// The build that these tests are of, with a bug planted.
std::string head_with(const Place& place, const std::string& mutant) {
  const Resources own = find_resources();
  place.write("head/share/tunecheck/adapters/reference/adapter.info",
              fmt::format("adapter\n{{\n  name reference\n  command tunecheck-adapter-mutants\n"
                          "  arguments \"--mutant {}\"\n  cache_variable TUNECHECK_CACHE_DIR\n"
                          "  compiler_variable TUNECHECK_CXX\n  backends cpu\n"
                          "  capabilities \"cache artifact burst\"\n}}\n",
                          mutant));
  std::filesystem::create_directory_symlink(program_folder(), place.path() / "head/bin");
  std::filesystem::create_directory_symlink(own.kernels,
                                            place.path() / "head/share/tunecheck/kernels");
  return "head";
}

const std::string own_build = program_folder().parent_path().string();

// Coarse, and so of few pairs.
Ran coarsely(const Place& place, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "gate");
  arguments.insert(arguments.end(), {"--delta", "20%", "--tolerance", "50%"});
  return place.run(arguments);
}

// A session against a build that has never been measured: its head becomes the stored run. What it
// says of the times does not matter here, but one that a busy machine makes invalid is not stored:
// it is asked again.
void measure_once(const Place& place) {
  json session;
  for (int time = 0; time < 4; ++time) {
    const Ran ran = coarsely(place, {"--base", own_build, "--head", own_build, "--kernel",
                                     "rmsnorm", "--metric", "warm_start", "--out", "once"});
    session = json::parse(place.read("once/gate.json"));
    ASSERT_EQ(session["complete"], true) << ran.out << ran.err;
    if (session["answer"] != "invalid") return;
  }
  FAIL() << "this machine is too busy: " << session["reason"];
}

// A stored base that cannot be used is one line, and nothing is measured.
void expect_refusals(const Place& place) {
  const json stored = json::parse(place.read("once/gate.json"));
  const auto write = [&](const std::string& file, const auto& change) {
    json changed = stored;
    change(changed);
    place.write(file, changed.dump());
  };
  write("cpu.json", [](json& all) { all["environment"]["cpu"] = "Z80"; });
  write("ended.json", [](json& all) { all["complete"] = false; });
  write("schema.json", [](json& all) { all["schema"] = "9.0.0"; });
  write("nan.json", [](json& all) {
    all["benchmarks"][0]["pairs"][0]["head"]["samples"] = json::array({nullptr});
  });
  write("one.json", [](json& all) {
    for (json& benchmark : all["benchmarks"])
      benchmark["pairs"].erase(benchmark["pairs"].begin() + 1, benchmark["pairs"].end());
  });
  place.write("damaged.json", "{");
  place.write("damaged.sqlite", "hello");
  place.write("out/gate.json", "of an earlier session");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"cpu.json"}, "cpu: \"Z80\" in the baseline, "},
      {{"ended.json"}, "ended.json: expected a session that was finished"},
      {{"schema.json"}, "schema.json: /schema: expected version 1.x, found \"9.0.0\""},
      {{"nan.json"}, "expected a positive time, found nan"},
      {{"one.json"}, "expected at least 2 processes, found 1"},
      {{"damaged.json"}, "damaged.json:1: expected JSON"},
      {{"none.json"}, "none.json: cannot read"},
      {{"last", "--db", "none.sqlite"}, "none.sqlite: expected a history; there is none"},
      {{"last", "--db", "damaged.sqlite"}, "damaged.sqlite: expected a history"},
      {{"once/gate.json", "--kernel", "axpy_inplace"}, "none of the benchmarks to measure"},
      {{"once/gate.json", "--resume"}, "--resume: expected a session without --against"},
      {{"once/gate.json", "--base", own_build}, "--base excludes --against"}};
  for (const auto& [arguments, text] : cases) {
    std::vector<std::string> all = {"gate", "--head", own_build, "--against"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Ran ran = place.run(all);
    EXPECT_EQ(ran.status, 3) << text << ran.out << ran.err;
    EXPECT_EQ(ran.out, "") << text;
    EXPECT_THAT(ran.err, HasSubstr(text));
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_EQ(place.read("out/gate.json"), "of an earlier session");
  }
  EXPECT_THAT(place.run({"gate", "--against", "once/gate.json", "--head", "once/gate.json"}).err,
              HasSubstr("--head: expected one build or revision, because of --against"));
}

TEST(Gate, a_stored_run_is_a_base_for_counts_names_what_decides_about_times_or_is_refused) {
  const Place place;
  ASSERT_NO_FATAL_FAILURE(measure_once(place));
  EXPECT_EQ(
      place.run({"history", "add", "once/gate.json", "--db", "h.sqlite", "--revision", "0123abc"})
          .status,
      0);
  const Ran ran = coarsely(place, {"--against", "last", "--db", "h.sqlite", "--head",
                                   head_with(place, "recompile_on_reload")});
  EXPECT_EQ(ran.status, 2) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("warm_compiles: base 0, head 1"));
  EXPECT_THAT(ran.out, HasSubstr("run 1 of h.sqlite, commit 0123abc"));
  const json result = json::parse(place.read("out/gate.json"));
  EXPECT_EQ(result["kind"], "stored");
  EXPECT_EQ(result["complete"], true);
  const Place slow;
  slow.write("gate.json", place.read("once/gate.json"));
  const Ran slower = coarsely(slow, {"--against", "gate.json", "--head",
                                     head_with(slow, "slow_store"), "--fail-on", "inconclusive"});
  EXPECT_EQ(slower.status, 5) << slower.out << slower.err;
  const json finding = json::parse(slow.read("out/gate.json"))["benchmarks"][0];
  EXPECT_EQ(finding["answer"], "inconclusive");
  EXPECT_THAT(finding["reason"].get<std::string>(),
              HasSubstr("`tunecheck gate --base REVISION --head head --delta 20% --tolerance 50% "
                        "--kernel rmsnorm --size smoke --metric warm_start` would tell"));
  expect_refusals(place);
}

}  // namespace
}  // namespace tunecheck::test
