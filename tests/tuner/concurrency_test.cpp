// One tuning per key, whoever asks.
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "probe_kernel.hpp"

namespace tunecheck::test {
namespace {

constexpr int callers = 4;

TEST(Concurrency, threads_that_want_one_key_tune_it_once) {
  const ProbeFolder folder;
  FunctionBackend backend(run_probe);
  Tuner tuner(backend, quick_options(""));
  TunedKernel kernel = tuner.bind(folder.request()).value();
  std::atomic<int> right{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < callers; ++i)
      threads.emplace_back([&] {
        const ProbeTensors tensors;
        if (kernel.call(tensors.arguments()).has_value() && tensors.hold_one_launch()) ++right;
      });
  }
  EXPECT_EQ(right, callers);
  EXPECT_EQ(backend.compiles(), 4);
}

TEST(Concurrency, threads_that_want_different_keys_all_get_theirs) {
  const ProbeFolder folder;
  FunctionBackend backend(run_probe);
  Tuner tuner(backend, quick_options(""));
  TunedKernel kernel = tuner.bind(folder.request()).value();
  std::atomic<int> right{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < callers; ++i)
      threads.emplace_back([&, i] {
        for (int repeat = 0; repeat < 50; ++repeat) {
          ProbeTensors tensors;
          tensors.set_alpha(1 + (i + repeat) % callers);
          if (kernel.call(tensors.arguments()).has_value() && tensors.hold_one_launch()) ++right;
        }
      });
  }
  EXPECT_EQ(right, callers * 50);
}

TEST(Concurrency, a_failed_tuning_leaves_nobody_waiting) {
  const ProbeFolder folder;
  FunctionBackend backend([](const Config&, const LaunchArguments&) { return 3; });
  Tuner tuner(backend, quick_options(""));
  TunedKernel kernel = tuner.bind(folder.request()).value();
  std::atomic<int> failed{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < callers; ++i)
      threads.emplace_back([&] {
        const ProbeTensors tensors;
        if (!kernel.call(tensors.arguments()).has_value()) ++failed;
      });
  }
  EXPECT_EQ(failed, callers);
}

TEST(Concurrency, processes_that_want_one_key_tune_it_once) {
  const ProbeFolder folder;
  const TemporaryFolder cache = TemporaryFolder::create("tunecheck-cache").value();
  std::vector<pid_t> children;
  for (int i = 0; i < callers; ++i) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      FunctionBackend backend(run_probe);
      const ProbeTensors tensors;
      const auto report = fresh_call(backend, folder.request(), tensors, cache.path());
      const bool right = report.has_value() && tensors.hold_one_launch();
      ::_exit(right ? backend.compiles() : 99);
    }
    children.push_back(child);
  }
  int compiles = 0;
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    compiles += WEXITSTATUS(status);
  }
  EXPECT_EQ(compiles, 4);
}

}  // namespace
}  // namespace tunecheck::test
