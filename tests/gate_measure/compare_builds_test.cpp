// Sessions between real tuners, one of them with a bug planted.
#include "gate/measure/compare_builds.hpp"

#include <fstream>
#include <functional>

#include <gmock/gmock.h>

#include "core/resources.hpp"
#include "gate/measure/kernel_benchmarks.hpp"
#include "planted_build.hpp"

namespace tunecheck::gate {
namespace {

using test::make_build;
using testing::Each;
using testing::HasSubstr;

class CompareBuilds : public testing::Test {
 protected:
  void SetUp() override { make_build(folder.path() / "base", ""); }

  Result<GateResult> compare(const std::vector<std::string>& metrics,
                             const std::vector<std::string>& kernels = {"rmsnorm"},
                             std::size_t pairs = 20, std::size_t tunings = 1) {
    CompareOptions options;
    TUNECHECK_TRY(options.base, open_build(folder.path() / "base", "reference", {}));
    TUNECHECK_TRY(options.head, open_build(folder.path() / "head", "reference", {}));
    options.kernels = kernels;
    options.sizes = {"smoke"};
    options.metrics = metrics;
    options.tunings = tunings;
    options.out = folder.path() / "out";
    options.tuned = tuned;
    GateResult result;
    result.backend = "cpu";
    // Short: what is planted here is far larger than any noise.
    result.settings.screen_pairs = 7;
    result.settings.least_pairs = pairs;
    result.settings.most_pairs = pairs;
    TUNECHECK_CHECK(compare_builds(options, result));
    return result;
  }

  static const BenchmarkResult& benchmark(const GateResult& result, const std::string& metric) {
    for (const BenchmarkResult& each : result.benchmarks)
      if (each.subject.metric == metric && each.role == Role::measured) return each;
    throw std::out_of_range(metric);
  }
  static const BenchmarkResult& canary(const GateResult& result, const std::string& name) {
    for (const BenchmarkResult& each : result.benchmarks)
      if (each.subject.name == name) return each;
    throw std::out_of_range(name);
  }
  static const CountResult& count(const GateResult& result, const std::string& metric) {
    for (const CountResult& each : result.counts)
      if (each.subject.metric == metric) return each;
    throw std::out_of_range(metric);
  }

  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-gaterun").value();
  std::function<void(const KernelSide&, const KernelSide&)> tuned;
};

TEST_F(CompareBuilds, a_slow_store_is_a_slower_warm_start_with_the_same_counts) {
  make_build(folder.path() / "head", "slow_store");
  const GateResult result = compare({"warm_start"}).value();
  const BenchmarkResult start = benchmark(result, "warm_start");
  EXPECT_EQ(start.finding.answer, Answer::regression) << start.finding.reason;
  EXPECT_GT(start.pairs[0].pair.head.samples.at(0), 1e8) << "ns: the store alone takes as long";
  for (const CountResult& each : result.counts)
    EXPECT_EQ(each.finding.answer, Answer::pass) << each.subject.name << each.finding.reason;
  // Two tunings of equals may choose another winner, whose cost is then measured as well.
  const std::size_t changes = result.winner_changes.size();
  EXPECT_EQ(result.benchmarks.size(), 3U + 2 * changes) << "canaries included";
  EXPECT_THAT(result.head.tuner, HasSubstr("mutant:slow_store"));
}

std::vector<std::string> canaries(const GateResult& result) {
  std::vector<std::string> names;
  for (const BenchmarkResult& each : result.benchmarks)
    if (each.role != Role::measured) names.push_back(each.subject.name);
  return names;
}

// The third set-up of all is neither the base's nor the head's.
TEST_F(CompareBuilds, a_canary_of_equal_builds_sees_what_makes_a_side_slow) {
  std::filesystem::remove_all(folder.path() / "base");
  for (const char* side : {"base", "head"})
    test::make_build_with(folder.path() / side,
                          test::slow_after_tuning(folder.path(), "$tunings -eq 3"), "");
  const GateResult result = compare({"warm_start"}).value();
  // How else it is answered depends on what runs beside the test.
  EXPECT_NE(benchmark(result, "warm_start").finding.answer, Answer::regression);
  EXPECT_EQ(result.answer, Answer::invalid);
  EXPECT_THAT(result.reason, HasSubstr("though base and head are the same build"));
  EXPECT_EQ(canary(result, "canary/same/warm_start").finding.answer, Answer::regression);
}

TEST_F(CompareBuilds, one_compile_more_on_a_warm_start_is_counted) {
  make_build(folder.path() / "head", "recompile_on_reload");
  const GateResult result = compare({"warm_start"}, {"rmsnorm"}, 7).value();
  const CountResult compiles = count(result, "warm_compiles");
  EXPECT_EQ(compiles.finding.answer, Answer::regression);
  EXPECT_EQ(compiles.finding.reason, "base 0, head 1");
  EXPECT_THAT(compiles.base, Each(0));
  EXPECT_GE(compiles.head.size(), 7U);
  EXPECT_EQ(count(result, "warm_launches").finding.answer, Answer::pass);
}

// What the head chooses is one question, and whether its code is slower another: the kernel is the
// same.
TEST_F(CompareBuilds, a_head_that_chooses_worse_is_told_by_fresh_tunings) {
  make_build(folder.path() / "head", "winner_without_times");
  // Something next to the test may disturb the base's one tuning so that both choose the same
  // config, and then there is nothing to tell, or half of its tunings: the session is asked again.
  GateResult result;
  const auto tells = [&] {
    return !result.winner_changes.empty() &&
           benchmark(result, "winner_choice").finding.change > 0.1;
  };
  for (int session = 0; session < 4 && !tells(); ++session)
    result = compare({"winner_time"}).value();
  ASSERT_EQ(result.winner_changes.size(), 1U);
  const WinnerChange& change = result.winner_changes[0];
  EXPECT_NE(change.base, change.head);
  EXPECT_EQ(change.base_winners.at(change.base), 1);
  EXPECT_EQ(change.benchmark, "rmsnorm/smoke/cpu/winner_choice");
  // The kernel's best config takes a third of the time of the others, and the head never chooses
  // it.
  const Finding choice = benchmark(result, "winner_choice").finding;
  // Whatever runs next to the test disturbs some of the base's tunings too: 20 pairs may be too few
  // to tell.
  EXPECT_THAT(choice.answer, testing::AnyOf(Answer::regression, Answer::inconclusive));
  EXPECT_GT(choice.change, 0.1) << choice.reason;
  const Finding code = benchmark(result, "winner_time").finding;
  EXPECT_NE(code.answer, Answer::regression) << code.reason;
  EXPECT_NE(code.answer, Answer::improved) << code.reason;
}

// Of two tunings each, base, head and the build of the canary chose alike, but not in the same
// order. Without a look at what was chosen, every pair would have two caches that differ in it.
TEST_F(CompareBuilds, both_processes_of_a_pair_begin_with_a_cache_in_which_the_same_config_won) {
  std::filesystem::remove_all(folder.path() / "base");
  const std::string program =
      test::tuner_of_two_minds(folder.path(), "$tunings -eq 1 -o $tunings -eq 4 -o $tunings -eq 6");
  for (const char* side : {"base", "head"})
    test::make_build_with(folder.path() / side, program, "");
  std::vector<std::string> chosen;
  tuned = [&](const KernelSide& base, const KernelSide& head) {
    for (const KernelSide* const side : {&base, &head})
      for (const Tuning& tuning : side->tunings())
        chosen.push_back(tuning.winner);
  };
  const GateResult result = compare({"warm_start"}, {"rmsnorm"}, 7, 2).value();
  ASSERT_EQ(chosen.size(), 4U);
  ASSERT_NE(chosen[0], chosen[1]);
  ASSERT_EQ(chosen, (std::vector{chosen[0], chosen[1], chosen[1], chosen[0]}));
  std::ifstream lines(folder.path() / "warm_starts");
  std::size_t pairs = 0, caches_of_the_default = 0;
  for (std::string first, second; std::getline(lines, first) && std::getline(lines, second);) {
    ++pairs;
    EXPECT_EQ(first, second) << "in pair " << pairs << " of all";
    if (first == "stores_the_default") ++caches_of_the_default;
  }
  std::size_t run = 0;
  for (const BenchmarkResult& each : result.benchmarks)
    run += each.pairs.size();
  EXPECT_THAT(canaries(result), testing::ElementsAre("canary/same/warm_start", "canary/slowed"));
  EXPECT_GE(run, 21U) << "pairs of the benchmark and of two canaries";
  EXPECT_EQ(pairs, run) << "whose processes all found a cache";
  EXPECT_GT(caches_of_the_default, 0U);
  EXPECT_LT(caches_of_the_default, pairs);
}

// The head's five tunings are disturbed, and no others: by what they chose, every pair would be
// slower.
TEST_F(CompareBuilds, unlucky_tunings_of_equal_builds_are_no_regression) {
  std::filesystem::remove_all(folder.path() / "base");
  const std::string program = test::unlucky_tuner(
      folder.path(), "$tunings -le 10 -a $((tunings % 2)) -eq 0", "winner_without_times");
  for (const char* side : {"base", "head"})
    test::make_build_with(folder.path() / side, program, "");
  const GateResult result = compare({"winner_time"}, {"rmsnorm"}, 20, 5).value();
  // What runs next to the test may disturb the base's too: then there is no change to tell.
  EXPECT_EQ(result.benchmarks.size(), 3U + result.winner_changes.size()) << "canaries included";
  for (const BenchmarkResult& each : result.benchmarks) {
    if (each.role != Role::measured) continue;
    EXPECT_NE(each.finding.answer, Answer::regression) << each.subject.name << each.finding.reason;
    EXPECT_NE(each.finding.answer, Answer::improved) << each.subject.name << each.finding.reason;
  }
}

TEST_F(CompareBuilds, every_metric_is_measured) {
  make_build(folder.path() / "head", "");
  const GateResult result = compare({}, {"rmsnorm"}, 7).value();
  for (const Metric& metric : metrics())
    for (const PairRecord& record : benchmark(result, std::string(metric.name)).pairs)
      for (const ProcessRun& run : {record.pair.base, record.pair.head}) {
        EXPECT_EQ(run.failure, "") << metric.name;
        ASSERT_FALSE(run.samples.empty()) << metric.name;
        EXPECT_THAT(run.samples, Each(testing::Gt(0))) << metric.name;
      }
  EXPECT_THAT(canaries(result), testing::ElementsAre("canary/same/winner_time",
                                                     "canary/same/warm_start", "canary/slowed"));
  EXPECT_EQ(count(result, "warm_compiles").finding.answer, Answer::pass);
  EXPECT_EQ(count(result, "warm_launches").head.at(0), 1);
  EXPECT_EQ(count(result, "trials").base.at(0), 6) << "all configs of the space";
  EXPECT_EQ(count(result, "tuning_compiles").base.at(0), 6);
  EXPECT_EQ(count(result, "artifacts").base.at(0), 1) << "the winner's";
}

TEST_F(CompareBuilds, a_head_that_cannot_tune_is_a_regression_and_a_base_makes_it_invalid) {
  test::make_build_with(folder.path() / "head", "/bin/false", "");
  const GateResult result = compare({}).value();
  EXPECT_EQ(result.answer, Answer::regression);
  EXPECT_THAT(result.benchmarks.at(0).finding.reason, HasSubstr("the head failed in pair 1"));
  std::filesystem::rename(folder.path() / "base", folder.path() / "good");
  std::filesystem::rename(folder.path() / "head", folder.path() / "base");
  std::filesystem::rename(folder.path() / "good", folder.path() / "head");
  EXPECT_EQ(compare({})->answer, Answer::invalid);
}

TEST_F(CompareBuilds, counts_that_only_one_side_has_are_not_compared) {
  test::make_build_with(folder.path() / "head", test::without_warm_starts(folder.path()), "");
  const GateResult result = compare({"warm_start"}, {"rmsnorm"}, 7).value();
  EXPECT_EQ(benchmark(result, "warm_start").finding.answer, Answer::regression);
  std::vector<std::string> counted;
  for (const CountResult& each : result.counts)
    counted.push_back(each.subject.metric);
  EXPECT_THAT(counted, testing::ElementsAre("tuning_compiles", "trials", "artifacts"));
}

TEST_F(CompareBuilds, builds_without_a_kernel_in_common_cannot_be_compared) {
  make_build(folder.path() / "head", "");
  const std::filesystem::path kernels = folder.path() / "head/share/tunecheck/kernels";
  std::filesystem::remove(kernels);
  ASSERT_TRUE(create_folders(kernels));
  std::filesystem::create_directory_symlink(find_resources().kernels / "axpy_inplace",
                                            kernels / "axpy_inplace");
  EXPECT_EQ(compare({}).error().text(), "base and head have no kernel and size in common");
}

TEST_F(CompareBuilds, a_kernel_that_is_not_there_is_a_mistake) {
  make_build(folder.path() / "head", "");
  const auto compared = compare({}, {"rmsnrm"});
  EXPECT_THAT(compared.error().text(), HasSubstr("did you mean \"rmsnorm\""));
  EXPECT_EQ(compared.error().key, "--kernel");
}

}  // namespace
}  // namespace tunecheck::gate
