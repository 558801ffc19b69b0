#include "gate/rule/google_benchmark_json.hpp"

#include <gmock/gmock.h>

namespace tunecheck::gate {
namespace {

using testing::ElementsAre;
using testing::StartsWith;
using testing::UnorderedElementsAre;

std::string mistake(const std::string& text) {
  const auto run = parse_google_benchmark(text, "x.json");
  return run ? "" : run.error().text();
}

// A file with this one benchmark.
std::string file_with(const std::string& benchmark) {
  return R"({"context": {}, "benchmarks": [)" + benchmark + "]}";
}

TEST(GoogleBenchmarkJson, aggregates_are_left_out_and_units_are_converted) {
  const GoogleBenchmarkRun run = parse_google_benchmark(R"({
    "context": {"executable": "./a", "num_cpus": 2, "caches": []},
    "benchmarks": [
      {"name": "b", "run_name": "b", "run_type": "iteration", "real_time": 2.5, "time_unit": "us"},
      {"name": "b", "run_name": "b", "run_type": "iteration", "real_time": 3.5, "time_unit": "us"},
      {"name": "b_mean", "run_name": "b", "run_type": "aggregate", "real_time": 3, "time_unit": "us"},
      {"name": "a", "real_time": 0, "time_unit": "s"}]})",
                                                        "x.json")
                                     .value();
  EXPECT_THAT(run.names, ElementsAre("b", "a"));
  EXPECT_THAT(run.times.at("b").samples, ElementsAre(2500, 3500));
  EXPECT_THAT(run.times.at("a").samples, ElementsAre(0)) << "judging it is not the reader's";
  EXPECT_THAT(run.context,
              UnorderedElementsAre(testing::Pair("executable", "./a"),
                                   testing::Pair("num_cpus", "2"), testing::Pair("caches", "[]")));
}

TEST(GoogleBenchmarkJson, cpu_time_is_taken_where_the_benchmark_is_about_it) {
  const auto cpu_samples = [](const std::string& name) {
    const auto run =
        parse_google_benchmark(file_with(R"({"name": ")" + name +
                                         R"(", "real_time": 3, "cpu_time": 2, "time_unit": "us"})"),
                               "x.json");
    return run.value().times.at(name).cpu_samples;
  };
  EXPECT_THAT(cpu_samples("sort/8"), ElementsAre(2000));
  for (const char* const name :
       {"sort/8/real_time", "sort/manual_time", "sort/threads:2", "sort/process_time"})
    EXPECT_THAT(cpu_samples(name), testing::IsEmpty()) << name;
  const auto without = parse_google_benchmark(
      file_with(R"({"name": "a", "real_time": 3, "cpu_time": "?", "time_unit": "us"})"), "x.json");
  EXPECT_THAT(without.value().times.at("a").cpu_samples, testing::IsEmpty());
}

TEST(GoogleBenchmarkJson, what_failed_or_was_skipped_says_why) {
  const GoogleBenchmarkRun run = parse_google_benchmark(file_with(R"(
      {"name": "a", "error_occurred": true, "error_message": "no input"},
      {"name": "b", "skipped": true, "skip_message": "no GPU"},
      {"name": "c", "skipped": true})"),
                                                        "x.json")
                                     .value();
  EXPECT_EQ(run.times.at("a").failure, "no input");
  EXPECT_EQ(run.times.at("b").failure, "no GPU");
  EXPECT_EQ(run.times.at("c").failure, "it was skipped");
}

TEST(GoogleBenchmarkJson, what_is_none_is_refused) {
  for (const char* const text :
       {"", "{", "[]", "{}", "3", R"({"context": 3, "benchmarks": 3})", R"({"benchmarks": [{}]})",
        R"({"benchmarks": [{"name": 3}]})", R"({"benchmarks": [{"name": "a", "run_type": 3}]})",
        R"({"benchmarks": [{"name": "a", "real_time": NaN, "time_unit": "ns"}]})",
        R"({"benchmarks": [{"name": "a", "real_time": 1e999, "time_unit": "ns"}]})"})
    EXPECT_THAT(
        mistake(text),
        testing::MatchesRegex("x.json:(1:)? expected a file that Google Benchmark wrote: [^\n]*"))
        << text;
}

TEST(GoogleBenchmarkJson, a_mistake_has_its_line) {
  const std::string start =
      "{\n\"context\": {\"benchmarks\": [3]},\n\"of\": \"benchmarks\",\n"
      "\"benchmarks\": [\n";
  const std::string good = "{\"name\": \"a, [\", \"real_time\": 1,\n \"time_unit\": \"ns\"},\n";
  EXPECT_THAT(mistake(start + good + "\n{\"name\": \"b\", \"real_time\": \"x\"}]}"),
              StartsWith("x.json:8: benchmark \"b\": \"real_time\": expected a number"));
  EXPECT_THAT(mistake(start + good + good + "3]}"),
              StartsWith("x.json:9: expected a file that Google Benchmark wrote: "));
  EXPECT_THAT(mistake(start + good + "nonsense]}"),
              StartsWith("x.json:7: expected a file that Google Benchmark wrote: "));
  const GoogleBenchmarkRun run =
      parse_google_benchmark(start + good + "{\"name\": \"b\", \"skipped\": true}]}", "x.json")
          .value();
  EXPECT_THAT(run.lines, UnorderedElementsAre(testing::Pair("a, [", 5), testing::Pair("b", 7)));
}

TEST(GoogleBenchmarkJson, a_benchmark_without_a_time_is_named) {
  EXPECT_EQ(mistake(file_with(R"({"name": "a", "real_time": "x", "time_unit": "ns"})")),
            "x.json:1: benchmark \"a\": \"real_time\": expected a number, found \"x\"");
  EXPECT_EQ(mistake(file_with(R"({"name": "a", "time_unit": "ns"})")),
            "x.json:1: benchmark \"a\": \"real_time\": expected a number, found null");
  EXPECT_EQ(mistake(file_with(R"({"name": "a", "real_time": 1, "time_unit": "h"})")),
            "x.json:1: benchmark \"a\": \"time_unit\": expected ns, us, ms or s, found \"h\"");
  EXPECT_EQ(mistake(file_with(R"({"name": "a", "real_time": 1})")),
            "x.json:1: benchmark \"a\": \"time_unit\": expected ns, us, ms or s, found null");
  EXPECT_EQ(mistake(file_with("")), "x.json: expected repetitions of a benchmark, found none");
  EXPECT_EQ(mistake(file_with(R"({"name": "a", "run_type": "aggregate", "real_time": 1})")),
            "x.json: expected repetitions of a benchmark, found none");
}

TEST(GoogleBenchmarkJson, a_result_of_ours_is_called_by_its_name) {
  EXPECT_EQ(mistake(R"({"schema": "1.0.0", "tunecheck_version": "0.1.0", "benchmarks": []})"),
            "x.json: expected a file that Google Benchmark wrote, found one that tunecheck wrote");
}

TEST(GoogleBenchmarkJson, is_told_from_other_files) {
  EXPECT_TRUE(is_google_benchmark(file_with("")));
  EXPECT_FALSE(is_google_benchmark("{\"schema\": \"1.0.0\"}"));
  EXPECT_FALSE(is_google_benchmark("{"));
}

}  // namespace
}  // namespace tunecheck::gate
