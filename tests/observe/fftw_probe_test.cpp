// What the observer of FFTW tells of a program that plans and executes.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/command.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"
#include "core/tensor_view.hpp"
#include "observe/evidence.hpp"
#include "observe/tools.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

constexpr std::int64_t rows = 4;
constexpr std::int64_t cols = 64;

class FftwProbe : public testing::Test {
 protected:
  // FFTW need not be there; then the program is not built.
  void SetUp() override {
    if (!fs::exists(program_folder() / "observe-fftw-work")) GTEST_SKIP() << "FFTW is not here";
  }

  Evidence run(const std::string& program, const std::vector<std::string>& arguments,
               const Environment& more = {}) {
    const fs::path file = folder.path() / ("evidence-" + std::to_string(++m_runs) + ".jsonl");
    CommandOptions options;
    options.arguments = {(program_folder() / program).string()};
    options.arguments.insert(options.arguments.end(), arguments.begin(), arguments.end());
    options.environment = current_environment();
    (*options.environment)["LD_PRELOAD"] =
        find_launch_probe().value().string() + ":" + find_fftw_probe().value().string();
    (*options.environment)["TUNECHECK_PROBE_EVIDENCE"] = file.string();
    (*options.environment)["TUNECHECK_PROBE_KERNEL"] = "dft";
    (*options.environment)["TUNECHECK_PROBE_WATCH"] = "yes";
    for (const auto& [name, value] : more)
      (*options.environment)[name] = value;
    const auto result = run_command(options);
    EXPECT_TRUE(result && result->end.success()) << (result ? result->output : "");
    std::uint64_t from = 0;
    if (!fs::exists(file)) return {};
    auto evidence = read_evidence(file, from);
    EXPECT_TRUE(evidence.has_value()) << evidence.error().text();
    return evidence ? *evidence : Evidence();
  }

  std::vector<LaunchEvent> launches(const std::string& what, const std::string& file = "") {
    std::vector<std::string> arguments = {what};
    if (!file.empty()) arguments.push_back(file);
    return run("observe-fftw-work", arguments).launches;
  }

  // 0, 1, 2, ... or zeros, as the program has them.
  static std::string digest_of(std::vector<std::int64_t> shape, bool counts) {
    std::int64_t count = 1;
    for (const std::int64_t size : shape)
      count *= size;
    std::vector<double> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; counts && i < values.size(); ++i)
      values[i] = static_cast<double>(i);
    return digest_elements(
        {reinterpret_cast<std::byte*>(values.data()), DType::f64, Layout::contiguous(shape)});
  }

  const TemporaryFolder folder = TemporaryFolder::create("fftw-probe").value();

 private:
  int m_runs = 0;
};

TEST_F(FftwProbe, sees_each_plan_that_is_measured_and_the_one_that_is_executed) {
  const auto seen = launches("row");
  ASSERT_GT(seen.size(), 5U);
  EXPECT_THAT(seen, Each(AllOf(Field(&LaunchEvent::kernel, "dft"),
                               Field(&LaunchEvent::config, StartsWith("(dft-")),
                               Field(&LaunchEvent::config, Not(HasSubstr("\n"))),
                               Field(&LaunchEvent::ended, true))));
  const bool was_tried = std::any_of(seen.begin(), seen.end() - 1, [&](const LaunchEvent& trial) {
    return trial.config == seen.back().config;
  });
  EXPECT_TRUE(was_tried) << seen.back().config;
}

TEST_F(FftwProbe, digests_the_arrays_where_the_plan_runs) {
  const auto seen = launches("row");
  ASSERT_GT(seen.size(), 5U);
  // The planner fills them with zeros first.
  EXPECT_THAT(seen.front().digests,
              ElementsAre(digest_of({cols, 2}, false), digest_of({cols, 2}, false)));
  ASSERT_THAT(seen.back().digests, SizeIs(2));
  EXPECT_EQ(seen.back().digests[0], digest_of({cols, 2}, true));
  ASSERT_THAT(seen.back().places, SizeIs(2));
  EXPECT_THAT(seen.back().places[0].shape, ElementsAre(cols, 2));
  EXPECT_THAT(seen.back().places[0].strides, ElementsAre(2, 1));
}

TEST_F(FftwProbe, sees_no_trial_where_wisdom_has_the_plan) {
  const std::string file = folder.path() / "wisdom";
  const auto cold = launches("row", file);
  const auto warm = launches("row", file);
  ASSERT_GT(cold.size(), 5U);
  ASSERT_THAT(warm, SizeIs(1));
  EXPECT_EQ(warm.front().config, cold.back().config);
}

TEST_F(FftwProbe, tells_the_arrays_of_a_backward_transform_in_the_order_of_memory) {
  const auto seen = launches("backward");
  ASSERT_FALSE(seen.empty());
  ASSERT_THAT(seen.back().digests, SizeIs(2));
  EXPECT_EQ(seen.back().digests[0], digest_of({cols, 2}, true));
}

TEST_F(FftwProbe, tells_of_one_memory_twice_where_a_transform_is_in_place) {
  const auto seen = launches("in_place");
  ASSERT_FALSE(seen.empty());
  EXPECT_THAT(seen.back().digests,
              ElementsAre(digest_of({cols, 2}, true), digest_of({cols, 2}, true)));
}

TEST_F(FftwProbe, tells_of_the_arrays_that_a_plan_is_executed_for) {
  const auto seen = launches("new_arrays");
  ASSERT_FALSE(seen.empty());
  ASSERT_THAT(seen.back().digests, SizeIs(2));
  EXPECT_EQ(seen.back().digests[0], digest_of({cols, 2}, true));
}

TEST_F(FftwProbe, says_that_parts_alone_were_measured_where_the_whole_was_not) {
  const auto seen = launches("plane");
  ASSERT_THAT(seen, SizeIs(2));
  EXPECT_EQ(seen.front().config, "parts alone");
  EXPECT_THAT(seen.back().config, StartsWith("(dft-rank>=2/"));
  ASSERT_THAT(seen.back().digests, SizeIs(2));
  EXPECT_EQ(seen.back().digests[0], digest_of({rows, cols, 2}, true));
}

TEST_F(FftwProbe, is_inert_where_nobody_asks_for_a_kernel) {
  EXPECT_THAT(run("observe-fftw-work", {"row"}, {{"TUNECHECK_PROBE_EVIDENCE", ""}}).launches,
              IsEmpty());
}

// To look at memory that is laid out otherwise would end the process, or tell nonsense.
TEST(FftwProbeAlone, refuses_to_look_into_a_version_that_it_does_not_know) {
  const TemporaryFolder folder = TemporaryFolder::create("fftw-probe").value();
  const fs::path file = folder.path() / "evidence.jsonl";
  CommandOptions options;
  options.arguments = {(program_folder() / "observe-fftw-stranger-work").string()};
  options.environment = current_environment();
  (*options.environment)["LD_PRELOAD"] =
      find_launch_probe().value().string() + ":" + find_fftw_probe().value().string();
  (*options.environment)["TUNECHECK_PROBE_EVIDENCE"] = file.string();
  (*options.environment)["TUNECHECK_PROBE_KERNEL"] = "dft";
  const auto result = run_command(options);
  ASSERT_TRUE(result && result->end.success()) << (result ? result->end.text() : "");
  std::uint64_t from = 0;
  const Evidence evidence = read_evidence(file, from).value();
  EXPECT_THAT(evidence.launches, IsEmpty());
  ASSERT_THAT(evidence.troubles, SizeIs(1));
  EXPECT_THAT(evidence.troubles.front().what,
              AllOf(HasSubstr("expected the library fftw-3.3.10"), HasSubstr("fftw-4.0.0")));
}

}  // namespace
}  // namespace tunecheck
