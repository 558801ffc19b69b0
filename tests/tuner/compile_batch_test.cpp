// Configs are tried while others are compiled, where trials have a device of their own.
#include "tuner/compile_batch.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "probe_kernel.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;

class DeviceBackend : public FunctionBackend {
 public:
  using FunctionBackend::FunctionBackend;
  bool has_own_device = true;
  [[nodiscard]] bool compiles_beside_trials() const override { return has_own_device; }
};

// What has been tried, for compilers that ask.
struct Tried : TunerObserver {
  void on_measured(const Config& config, const TrialRecord& /*record*/) override {
    const std::scoped_lock lock(mutex);
    if (configs.insert(config).second) order.push_back(config);
    changed.notify_all();
  }
  bool within(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, limit, [&] { return !configs.empty(); });
  }
  std::mutex mutex;
  std::condition_variable changed;
  std::set<Config> configs;
  std::vector<Config> order;  // in which they were tried first
};

class CompilesBesideTrials : public testing::Test {
 protected:
  Result<CallReport> call() {
    TunerParts parts = TunerParts::standard();
    parts.observer = m_tried;
    const ProbeTensors tensors;
    auto report = fresh_call(m_backend, m_folder.request(), tensors, m_cache.path(), parts);
    if (report) {
      EXPECT_TRUE(tensors.hold_one_launch());
    }
    return report;
  }

  // The compiler of the last config waits for a trial of another one, but no longer than `limit`.
  void wait_for_a_trial(std::chrono::milliseconds limit) {
    m_backend.refuses_to_compile = [this, limit](const Config& config) {
      if (config == last) m_was_tried = m_tried->within(limit);
      return std::optional<std::string>();
    };
  }

  const Config last = {{"block", 2}, {"vec", 4}};
  bool m_was_tried = false;
  ProbeFolder m_folder;
  DeviceBackend m_backend{run_probe};
  TemporaryFolder m_cache = TemporaryFolder::create("tunecheck-batch").value();
  std::shared_ptr<Tried> m_tried = std::make_shared<Tried>();
};

TEST_F(CompilesBesideTrials, a_config_is_tried_while_another_is_compiled) {
  wait_for_a_trial(std::chrono::seconds(20));
  const auto report = call();
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_TRUE(m_was_tried);
  EXPECT_TRUE(m_tried->configs.contains(last));
  EXPECT_EQ(m_backend.compiles(), static_cast<int>(report->trials.size()));
}

TEST_F(CompilesBesideTrials, none_is_tried_before_all_are_compiled_where_they_share_a_processor) {
  m_backend.has_own_device = false;
  wait_for_a_trial(std::chrono::milliseconds(100));
  const auto report = call();
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_FALSE(m_was_tried);
}

// What compilers take is not taken from the time for trials, and what is tried first is compiled
// first.
TEST_F(CompilesBesideTrials, waiting_for_a_compiler_does_not_end_a_search) {
  std::vector<Config> compiled;
  m_backend.refuses_to_compile = [&](const Config& config) -> std::optional<std::string> {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    compiled.push_back(config);
    return std::nullopt;
  };
  TuneRequest request = m_folder.request();
  request.search = SearchOptions{};
  request.search->time = std::chrono::milliseconds(300);
  TunerParts parts = TunerParts::standard();
  parts.observer = m_tried;
  const ProbeTensors tensors;
  const auto report = fresh_call(m_backend, request, tensors, m_cache.path(), parts);
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_EQ(m_tried->order, compiled);
}

TEST_F(CompilesBesideTrials, one_that_does_not_compile_is_reported_and_not_tried) {
  m_backend.refuses_to_compile = [&](const Config& config) -> std::optional<std::string> {
    if (config != last) return std::nullopt;
    (void)m_tried->within(std::chrono::seconds(20));
    return "no such thing";
  };
  const auto report = call();
  ASSERT_TRUE(report) << report.error().text();
  for (const Trial& trial : report->trials)
    if (trial.config == last) {
      EXPECT_THAT(trial.failure, HasSubstr("does not compile: no such thing"));
    }
  EXPECT_FALSE(m_tried->configs.contains(last));
}

// Nobody waits for ever for what a compiler does not say.
TEST_F(CompilesBesideTrials, an_exception_of_the_backend_is_thrown_on_to_whoever_waits) {
  const TuneRequest request = m_folder.request();
  std::vector<CompileRequest> requests(2);
  requests[0].kernel = requests[1].kernel = &request.kernel;
  m_backend.refuses_to_compile = [](const Config&) -> std::optional<std::string> {
    throw std::runtime_error("out of compilers");
  };
  CompileBatch batch(m_backend, {0, 1}, requests, 1);
  EXPECT_THROW((void)batch.take(1), std::runtime_error);
  EXPECT_THROW((void)batch.take(0), std::runtime_error);
}

}  // namespace
}  // namespace tunecheck::test
