#include "tuner/trial/trial_runner.hpp"

#include <atomic>
#include <iostream>
#include <unistd.h>

#include <gtest/gtest.h>

namespace tunecheck {
namespace {

const TrialLimits limits{std::chrono::milliseconds(400), 0};

TEST(IsolatedTrialRunner, the_record_comes_back) {
  const auto outcome = IsolatedTrialRunner().run(
      [](TrialRecord& record) {
        record.samples = 2;
        record.elapsed_ns[1] = 42;
      },
      limits);
  EXPECT_EQ(outcome.value().failure, "");
  EXPECT_EQ(outcome.value().record.samples, 2);
  EXPECT_EQ(outcome.value().record.elapsed_ns[1], 42);
}

TEST(IsolatedTrialRunner, nothing_else_of_the_trial_is_seen) {
  int here = 1;
  const pid_t tuner = ::getpid();
  const auto outcome = IsolatedTrialRunner().run(
      [&](TrialRecord& record) {
        here = 2;
        record.samples = ::getpid() == tuner ? 1 : 2;
      },
      limits);
  EXPECT_EQ(here, 1);
  EXPECT_EQ(outcome.value().record.samples, 2);
}

TEST(IsolatedTrialRunner, progress_keeps_a_slow_trial_alive) {
  const auto outcome = IsolatedTrialRunner().run(
      [](TrialRecord& record) {
        for (int i = 0; i < 12; ++i) {
          ::usleep(50'000);
          std::atomic_ref(record.progress).fetch_add(1);
        }
      },
      limits);
  EXPECT_EQ(outcome.value().failure, "");
}

TEST(IsolatedTrialRunner, what_a_trial_printed_on_stdout_goes_nowhere) {
  testing::internal::CaptureStdout();
  (void)IsolatedTrialRunner().run([](TrialRecord&) { (void)!::write(STDOUT_FILENO, "noise", 5); },
                                  limits);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(IsolatedTrialRunner, a_process_that_the_trial_left_behind_is_ended_with_it) {
  const auto outcome = IsolatedTrialRunner().run(
      [](TrialRecord& record) {
        const pid_t left = ::fork();
        if (left == 0)
          for (;;)
            ::pause();
        record.samples = left;
      },
      limits);
  ASSERT_EQ(outcome.value().failure, "");
  const pid_t left = outcome.value().record.samples;
  // Its parent is gone, so somebody else reaps it; a zombie counts as ended.
  const auto has_ended = [&] {
    char state = 'Z';
    if (FILE* const file = ::fopen(fmt::format("/proc/{}/stat", left).c_str(), "r")) {
      if (::fscanf(file, "%*d (%*[^)]) %c", &state) != 1) state = 'Z';
      ::fclose(file);
    }
    return state == 'Z' || state == 'X';
  };
  for (int i = 0; i < 500 && !has_ended(); ++i)
    ::usleep(10'000);
  EXPECT_TRUE(has_ended());
}

TEST(InProcessTrialRunner, runs_here) {
  int here = 1;
  const auto outcome = InProcessTrialRunner().run([&](TrialRecord&) { here = 2; }, limits);
  EXPECT_EQ(here, 2);
  EXPECT_EQ(outcome.value().failure, "");
}

}  // namespace
}  // namespace tunecheck
