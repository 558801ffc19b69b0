// The probe counts where it is told to, and records where it is not.
#include "observe/launch_counts.hpp"

#include <unistd.h>

#include <gtest/gtest.h>

#include "core/command.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"
#include "observe/evidence.hpp"
#include "observe/tools.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

class CountingProbe : public testing::Test {
 protected:
  CountingProbe() {
    const fs::path source = m_folder.path() / "scale.cpp";
    EXPECT_TRUE(write_file(source, std::string_view(R"(#include <tunecheck/cpu_kernel.h>
using F = tunecheck::Tensor<float>;
int scale(F plain, F, F, F, F, F, float step) {
  plain(0, 0) += step;
  return plain(0, 0) > 1e6F ? 3 : 0;
}
TUNECHECK_KERNEL(scale)
)")));
    CommandOptions options;
    options.arguments = {
        "c++",  "-std=c++17", "-shared", "-fPIC", "-I" + find_resources().include.string(),
        source, "-o",         artifact()};
    const auto compiled = run_command(options);
    EXPECT_TRUE(compiled && compiled->end.success());
    EXPECT_TRUE(make_launch_counts(counts()));
  }

  [[nodiscard]] fs::path artifact() const { return m_folder.path() / "scale.so"; }
  [[nodiscard]] fs::path counts() const { return m_folder.path() / "counts"; }
  [[nodiscard]] fs::path evidence() const { return m_folder.path() / "evidence.jsonl"; }

  // Runs a case of the launch helper, which counts as the adapter if `is_adapter`.
  void run(const std::string& name, bool counts_launches = true, bool is_adapter = true,
           Counted counted = Counted::all) const {
    CommandOptions options;
    options.arguments = {program_folder() / "observe-launch-helper", name, artifact()};
    options.environment = current_environment();
    (*options.environment)["LD_PRELOAD"] = find_launch_probe().value();
    (*options.environment)["TUNECHECK_PROBE_EVIDENCE"] = evidence();
    (*options.environment)["TUNECHECK_PROBE_COUNTS"] = counts();
    options.in_child = [&] {
      if (counts_launches) (void)start_counting(counts(), is_adapter ? ::getpid() : 1, counted);
    };
    const auto ran = run_command(options);
    ASSERT_TRUE(ran);
    EXPECT_TRUE(ran->end.success()) << ran->output;
  }

  [[nodiscard]] std::size_t recorded() const {
    std::uint64_t from = 0;
    return fs::exists(evidence()) ? read_evidence(evidence(), from).value().launches.size() : 0;
  }

  TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-counts").value();
};

TEST_F(CountingProbe, counts_launches_and_their_time_and_records_none) {
  run("twice");
  const LaunchCounts counted = stop_counting(counts()).value();
  EXPECT_EQ(counted.launches, 2U);
  EXPECT_EQ(counted.ended, 2U);
  EXPECT_EQ(counted.failed, 0U);
  EXPECT_EQ(counted.trial_launches, 0U);
  EXPECT_GT(counted.elapsed_ns, 0U);
  EXPECT_EQ(recorded(), 0U);
}

TEST_F(CountingProbe, tells_launches_of_forked_children_apart) {
  run("fork");
  const LaunchCounts counted = stop_counting(counts()).value();
  EXPECT_EQ(counted.launches, 2U);
  EXPECT_EQ(counted.trial_launches, 1U);
  EXPECT_EQ(counted.ended, 2U);
}

TEST_F(CountingProbe, whoever_is_not_the_adapter_makes_trials) {
  run("twice", true, false);
  const LaunchCounts counted = stop_counting(counts()).value();
  EXPECT_EQ(counted.launches, 0U);
  EXPECT_EQ(counted.trial_launches, 2U);
  EXPECT_EQ(counted.elapsed_ns, 0U);
}

TEST_F(CountingProbe, that_counts_trials_records_what_the_adapter_launches_itself) {
  run("fork", true, true, Counted::trials);
  const LaunchCounts counted = stop_counting(counts()).value();
  EXPECT_EQ(counted.launches, 0U);
  EXPECT_EQ(counted.trial_launches, 0U);
  EXPECT_EQ(recorded(), 3U) << "and the child's first launch";
}

// What a tuner times comes after it.
TEST_F(CountingProbe, that_counts_trials_records_the_first_launch_of_each_and_no_other) {
  run("twice", true, false, Counted::trials);
  const LaunchCounts counted = stop_counting(counts()).value();
  EXPECT_EQ(counted.trial_launches, 1U);
  EXPECT_EQ(recorded(), 1U);
}

TEST_F(CountingProbe, loses_no_launch_of_several_threads) {
  run("threads");
  const LaunchCounts counted = stop_counting(counts()).value();
  EXPECT_EQ(counted.launches, 200U);
  EXPECT_EQ(counted.ended, 200U);
}

TEST_F(CountingProbe, records_while_counting_is_off) {
  run("twice", false);
  EXPECT_EQ(recorded(), 2U);
  EXPECT_EQ(stop_counting(counts()).value().launches, 0U);
}

TEST_F(CountingProbe, begins_anew_each_time) {
  run("twice");
  run("once");
  EXPECT_EQ(stop_counting(counts()).value().launches, 1U);
}

TEST_F(CountingProbe, a_file_that_is_not_there_is_an_error) {
  EXPECT_FALSE(start_counting(m_folder.path() / "nothing", 1));
  EXPECT_FALSE(stop_counting(m_folder.path() / "nothing"));
}

}  // namespace
}  // namespace tunecheck
