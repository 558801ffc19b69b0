// A real tuner alone, as the head of a session whose base is stored.
#include "gate/measure/measure_build.hpp"

#include <algorithm>

#include <gmock/gmock.h>

#include "core/device_kinds.hpp"
#include "planted_build.hpp"

namespace tunecheck::gate {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class MeasureBuild : public testing::Test {
 protected:
  Result<GateResult> measure(const std::function<bool(const std::string&)>& is_wanted) {
    MeasureOptions options;
    TUNECHECK_TRY(options.build, open_build(folder.path() / "head", "reference", {}));
    options.cases = {{"rmsnorm", "smoke", DeviceKind::cpu}};
    options.is_wanted = is_wanted;
    options.tunings = 2;
    options.processes = 3;
    options.out = folder.path() / "out";
    options.so_far = [this](const GateResult& result) -> Result<void> {
      ++reports;
      EXPECT_FALSE(result.is_complete);
      return {};
    };
    GateResult result;
    result.backend = "cpu";
    result.settings.planted = planted;
    TUNECHECK_CHECK(measure_build(options, result));
    return result;
  }

  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-gaterun").value();
  int reports = 0;
  double planted = 0.1;
};

TEST_F(MeasureBuild, runs_so_many_processes_of_each_benchmark_and_counts) {
  test::make_build(folder.path() / "head", "recompile_on_reload");
  const GateResult result = measure([](const std::string&) { return true; }).value();
  ASSERT_THAT(result.benchmarks, SizeIs(metrics().size()));
  for (const BenchmarkResult& benchmark : result.benchmarks) {
    ASSERT_THAT(benchmark.pairs, SizeIs(3)) << benchmark.subject.name;
    for (const PairRecord& record : benchmark.pairs) {
      EXPECT_THAT(record.pair.base.samples, IsEmpty());
      EXPECT_THAT(record.pair.head.samples, Each(testing::Gt(0)));
    }
  }
  EXPECT_EQ(reports, 3 * static_cast<int>(metrics().size()));
  ASSERT_THAT(result.counts, SizeIs(5));
  EXPECT_EQ(result.counts[0].subject.name, "rmsnorm/smoke/cpu/warm_compiles");
  EXPECT_THAT(result.counts[0].head, testing::ElementsAre(1, 1, 1));
  EXPECT_THAT(result.counts[0].base, IsEmpty());
  EXPECT_THAT(result.head.tuner, HasSubstr("mutant:recompile_on_reload"));
}

TEST_F(MeasureBuild, what_is_not_wanted_is_not_run) {
  test::make_build(folder.path() / "head", "");
  const GateResult result =
      measure([](const std::string& name) { return name.ends_with("/winner_time"); }).value();
  ASSERT_THAT(result.benchmarks, SizeIs(1));
  EXPECT_THAT(result.counts, SizeIs(3)) << "nothing was started warm";
}

// What is planted is for canaries, and a history has none.
TEST_F(MeasureBuild, is_never_slowed_by_what_is_planted) {
  test::make_build(folder.path() / "head", "");
  const auto shortest = [this](double share) {
    planted = share;
    const GateResult result =
        measure([](const std::string& name) { return name.ends_with("/winner_time"); }).value();
    const std::vector<double>& samples = result.benchmarks.at(0).pairs.at(0).pair.head.samples;
    return *std::min_element(samples.begin(), samples.end());
  };
  // Nothing next to the test makes the shortest launch last a hundred times as long.
  EXPECT_LT(shortest(1000), 100 * shortest(0));
}

TEST_F(MeasureBuild, a_build_that_cannot_tune_says_so_of_each_benchmark) {
  test::make_build_with(folder.path() / "head", "/bin/false", "");
  const GateResult result = measure([](const std::string&) { return true; }).value();
  ASSERT_THAT(result.benchmarks, SizeIs(metrics().size()));
  for (const BenchmarkResult& benchmark : result.benchmarks) {
    ASSERT_THAT(benchmark.pairs, SizeIs(1));
    EXPECT_THAT(benchmark.pairs[0].pair.head.failure, HasSubstr("exit status 1"));
  }
}

// Once the tuning's counts were "no observer saw a launch", and those of a warm start were 0.
TEST_F(MeasureBuild, a_probe_that_is_blind_ends_the_session) {
  const auto refusal = [this](const std::string& condition, const std::string& metric) {
    std::filesystem::remove_all(folder.path() / "head");
    test::make_build_with(folder.path() / "head", test::under_blind_probe(folder.path(), condition),
                          "");
    const auto measured =
        measure([&](const std::string& name) { return name.ends_with("/" + metric); });
    return measured ? "none" : measured.error().text();
  };
  const std::string expected = "the probe sees no launch: there is no CUPTI";
  EXPECT_EQ(refusal("$cached -eq 0", "winner_time"), expected) << "in the tuning";
  for (const char* const metric : {"warm_start", "dispatch"})
    EXPECT_EQ(refusal("$cached -gt 0", metric), expected) << metric;
}

}  // namespace
}  // namespace tunecheck::gate
