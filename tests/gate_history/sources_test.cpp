// Runs from what the gate and Google Benchmark wrote.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "gate/history/gate_run.hpp"
#include "gate/history/google_benchmark.hpp"
#include "stored_runs.hpp"

namespace tunecheck::test {
namespace {

using namespace history;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

gate::GateResult session() {
  gate::GateResult session;
  session.started = "2024-05-01T12:00:00Z";
  session.adapter = "reference";
  session.backend = "cpu";
  session.tunecheck_version = "0.1.0";
  session.is_complete = true;
  session.answer = gate::Answer::pass;
  session.environment = {
      {"cpu", "Toy CPU"}, {"host", "here"}, {"system", "Linux 6"}, {"gpu_driver", "580"}};
  session.head = {
      "HEAD", "", "0123abc", "reference 0.1.0", {{"program", "1"}, {"kernel axpy", "2"}}};
  gate::BenchmarkResult benchmark;
  benchmark.subject = {"axpy/smoke/cpu/warm_start", "warm_start", "axpy", "smoke", "cpu", "ns"};
  benchmark.pairs = {{gate::Side::base, {{{90, 91, 92}, ""}, {{100, 102, 101}, ""}}},
                     {gate::Side::base, {{{93}, ""}, {{}, "signal 11"}}},
                     {gate::Side::head, {{{94}, ""}, {{103}, ""}}}};
  session.benchmarks = {benchmark, benchmark, benchmark, benchmark};
  session.benchmarks[1].role = gate::Role::slowed;
  session.benchmarks[2].subject.metric = "winner_choice";
  session.benchmarks[3].subject.metric = "winner_change";
  session.counts.push_back(
      {{"axpy/smoke/cpu/trials", "trials", "axpy", "smoke", "cpu", "trials"}, {}, {12}, {13, 13}});
  return session;
}

TEST(GateRun, has_what_the_processes_of_the_head_gave) {
  const MeasuredRun run = run_of(session(), gate::Side::head).value();
  EXPECT_EQ(mistake_in(check(run)), "");
  EXPECT_EQ(run.suite, "reference on cpu");
  EXPECT_EQ(run.revision, "0123abc");
  EXPECT_EQ(run.tuner, "reference 0.1.0");
  EXPECT_EQ(run.environment.at("host"), "here");
  ASSERT_THAT(run.sets, SizeIs(2)) << "canaries and what each side chooses are of no side";
  EXPECT_EQ(run.sets[0].benchmark, "axpy/smoke/cpu/warm_start");
  EXPECT_THAT(run.sets[0].processes, ElementsAre(101, 103));
  EXPECT_EQ(run.sets[0].fingerprint,
            (Fingerprint{{"backend", "cpu"}, {"cpu", "Toy CPU"}, {"kernel_sources", "2"}}));
  EXPECT_EQ(run.sets[1].kind, Kind::count);
  EXPECT_THAT(run.sets[1].processes, ElementsAre(13, 13));
}

TEST(GateRun, of_the_base_is_another_run) {
  const MeasuredRun base = run_of(session(), gate::Side::base).value();
  EXPECT_THAT(base.sets[0].processes, ElementsAre(91, 93, 94));
  EXPECT_NE(base.digest, run_of(session(), gate::Side::head)->digest);
}

// A run is stored once, and histories outlive versions of tunecheck.
TEST(GateRun, is_known_again_in_histories_of_earlier_versions) {
  EXPECT_EQ(run_of(session(), gate::Side::base)->digest, "7642f73698d75233ba485d0ee64ac8c8");
  EXPECT_EQ(run_of(session(), gate::Side::head)->digest, "f2bc1a641faceaae507bd01a3f57f7e6");
}

TEST(GateRun, of_a_session_that_is_not_to_be_trusted_is_refused) {
  gate::GateResult result = session();
  result.is_complete = false;
  EXPECT_EQ(mistake_in(run_of(result, gate::Side::head)), "expected a session that was finished");
  result = session();
  result.answer = gate::Answer::invalid;
  result.reason = "the canary was not found";
  EXPECT_EQ(mistake_in(run_of(result, gate::Side::head)),
            "expected a session that can be trusted: the canary was not found");
}

json recording() {
  return json::parse(R"({
    "context": {"date": "2024-05-01T14:00:00+02:00", "host_name": "here",
      "executable": "./build/bench_sort", "num_cpus": 2, "mhz_per_cpu": 2893,
      "cpu_scaling_enabled": false, "caches": [], "load_avg": [0.5],
      "library_build_type": "release", "revision": "0123abc"},
    "benchmarks": [
      {"name": "sort/64", "run_name": "sort/64", "run_type": "iteration", "repetition_index": 0,
       "real_time": 1.5, "cpu_time": 1.4, "time_unit": "us"},
      {"name": "sort/64", "run_name": "sort/64", "run_type": "iteration", "repetition_index": 1,
       "real_time": 1.7, "cpu_time": 1.6, "time_unit": "us"},
      {"name": "sort/64_mean", "run_name": "sort/64", "run_type": "aggregate",
       "aggregate_name": "mean", "real_time": 1.6, "cpu_time": 1.5, "time_unit": "us"},
      {"name": "copy", "real_time": 20, "cpu_time": 20, "time_unit": "ns"}]})");
}

std::string mistake_in_files(const std::vector<json>& files) {
  std::vector<SourceFile> sources;
  for (const json& file : files)
    sources.push_back({"a.json", file.dump()});
  return mistake_in(read_google_benchmark(sources));
}

TEST(GoogleBenchmark, gives_each_benchmark_the_median_of_its_repetitions) {
  const MeasuredRun run = read_google_benchmark({{"a.json", recording().dump()}}).value();
  EXPECT_EQ(mistake_in(check(run)), "");
  EXPECT_EQ(run.suite, "bench_sort");
  EXPECT_EQ(run.started, "2024-05-01T12:00:00Z");
  EXPECT_EQ(run.revision, "0123abc");
  ASSERT_THAT(run.sets, SizeIs(2));
  EXPECT_EQ(run.sets[1].benchmark, "sort/64");
  EXPECT_THAT(run.sets[1].processes, ElementsAre(testing::DoubleNear(1600, 1e-9)));
  EXPECT_EQ(run.sets[1].fingerprint, (Fingerprint{{"caches", "[]"},
                                                  {"cpu_scaling_enabled", "false"},
                                                  {"library_build_type", "release"},
                                                  {"num_cpus", "2"}}));
  EXPECT_EQ(run.environment.at("mhz_per_cpu"), "2893");
}

TEST(GoogleBenchmark, files_of_one_run_are_its_processes) {
  json second = recording();
  second["benchmarks"][3]["real_time"] = 22;
  const MeasuredRun run =
      read_google_benchmark({{"a.json", recording().dump()}, {"b.json", second.dump()}}).value();
  EXPECT_THAT(run.sets[0].processes, ElementsAre(20, 22));
  second["context"]["num_cpus"] = 4;
  EXPECT_THAT(mistake_in_files({recording(), second}),
              HasSubstr("a.json: expected a process of the same run: measured under different "
                        "conditions, so times cannot be compared: num_cpus: \"2\""));
  second = recording();
  second["context"]["revision"] = "other";
  EXPECT_EQ(mistake_in_files({recording(), second}),
            "a.json: expected a process of the same program and revision");
}

TEST(GoogleBenchmark, refuses_what_a_history_cannot_keep) {
  EXPECT_THAT(mistake_in(read_google_benchmark({{"a.json", "{\"context\""}})),
              testing::StartsWith("a.json:1: expected a file that Google Benchmark wrote: "));
  json file = recording();
  file["benchmarks"][0]["real_time"] = 0;
  EXPECT_EQ(mistake_in_files({file}), "a.json:1: benchmark \"sort/64\": expected positive times");
  file["benchmarks"][0] = {{"name", "sort/64"}, {"error_occurred", true}, {"error_message", "no"}};
  EXPECT_EQ(mistake_in_files({file}), "a.json:1: benchmark \"sort/64\" has no result: no");
  file = recording();
  file["context"]["date"] = "today";
  EXPECT_THAT(mistake_in_files({file}), HasSubstr("a.json: expected a time such as"));
  file["context"].erase("executable");
  EXPECT_EQ(
      mistake_in_files({file}),
      "a.json: expected a file that Google Benchmark wrote, with \"executable\" in its context");
}

}  // namespace
}  // namespace tunecheck::test
