// Which configs are believed, which one wins, and what is said about the others.
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "probe_kernel.hpp"
#include "tuner/store/folder_store.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;

constexpr std::int64_t bad_block = 2;

// The probe kernel, except that configs with block 2 do something else and are said to be fast.
class Tuning : public testing::Test {
 protected:
  using Misbehave = std::function<LaunchStatus(const LaunchArguments&)>;

  Result<CallReport> tune_with(const Misbehave& misbehave, const ProbeTensors& tensors) {
    FunctionBackend backend([&](const Config& config, const LaunchArguments& arguments) {
      return config.at("block") == bad_block ? misbehave(arguments) : run_probe(config, arguments);
    });
    backend.elapsed_ns = [](const Config& config) {
      return config.at("block") == bad_block ? 10 : 1000;
    };
    return fresh_call(backend, m_folder.request(), tensors, "");
  }

  // Both bad configs fail for the reason, the others survive, and the call is right.
  void expect_failure(const std::string& reason, const Misbehave& misbehave) {
    const ProbeTensors tensors;
    const auto report = tune_with(misbehave, tensors);
    ASSERT_TRUE(report.has_value()) << report.error().text();
    ASSERT_EQ(report->trials.size(), 4U);
    for (const Trial& trial : report->trials) {
      if (trial.config.at("block") == bad_block) {
        EXPECT_THAT(trial.failure, HasSubstr(reason));
        EXPECT_EQ(trial.reps, 0);
        EXPECT_EQ(trial.median_ns, 0);
      } else {
        EXPECT_TRUE(trial.measured()) << trial.failure;
      }
    }
    EXPECT_THAT(report->message, HasSubstr(reason));
    EXPECT_TRUE(tensors.hold_one_launch());
  }

  ProbeFolder m_folder;
};

TEST_F(Tuning, a_crash_costs_one_trial) {
  expect_failure("signal 11 (Segmentation fault)", [](const LaunchArguments&) {
    std::raise(SIGSEGV);
    return 0;
  });
}

TEST_F(Tuning, an_abort_costs_one_trial) {
  expect_failure("signal 6 (Aborted)",
                 [](const LaunchArguments&) -> LaunchStatus { std::abort(); });
}

TEST_F(Tuning, a_hang_costs_one_trial) {
  expect_failure("did not end within 500 ms", [](const LaunchArguments&) {
    for (;;)
      ::usleep(1000);
    return 0;
  });
}

TEST_F(Tuning, an_exit_costs_one_trial) {
  expect_failure("exit status 3", [](const LaunchArguments&) -> LaunchStatus { ::_exit(3); });
}

TEST_F(Tuning, an_exception_costs_one_trial) {
  expect_failure("thrown by a kernel", [](const LaunchArguments&) -> LaunchStatus {
    throw std::runtime_error("thrown by a kernel");
  });
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(Tuning, endless_allocation_costs_one_trial) {
  expect_failure("out of memory", [](const LaunchArguments&) {
    std::vector<std::unique_ptr<char[]>> kept;
    for (;;) {
      kept.push_back(std::make_unique_for_overwrite<char[]>(16 << 20));
      if (kept.size() > 4096) return 0;  // 64 GiB: not limited at all
    }
  });
}
#endif

TEST_F(Tuning, a_refused_launch_says_its_status) {
  expect_failure("status 701: out of resources", [](const LaunchArguments&) { return 701; });
}

TEST_F(Tuning, a_wrong_result_cannot_win) {
  expect_failure("wrong result in y: 1 of 32 elements wrong; first at [7]",
                 [](const LaunchArguments& arguments) {
                   (void)run_probe({}, arguments);
                   auto y = to_doubles(arguments.tensors[1]);
                   y[7] += 1;
                   from_doubles(y, arguments.tensors[1]);
                   return 0;
                 });
}

TEST_F(Tuning, a_half_written_output_is_not_completed_by_what_another_config_wrote) {
  // triton#9230
  expect_failure("16 of them never written", [](const LaunchArguments& arguments) {
    std::vector<TensorView> tensors(arguments.tensors.begin(), arguments.tensors.end());
    const auto out = arguments.tensors[2];
    std::vector<std::byte> elsewhere(ProbeTensors::size * 8);
    tensors[2].data = elsewhere.data();
    (void)run_probe({}, {tensors, arguments.scalars});
    std::memcpy(out.data, elsewhere.data(), ProbeTensors::size / 2 * size_of(out.dtype));
    return 0;
  });
}

TEST_F(Tuning, a_write_past_a_tensor_is_seen) {
  expect_failure("wrote past its tensors", [](const LaunchArguments& arguments) {
    (void)run_probe({}, arguments);
    arguments.tensors[2].data[ProbeTensors::size * 4 + 100] = std::byte{1};
    return 0;
  });
}

TEST_F(Tuning, a_write_to_a_read_only_argument_is_seen) {
  expect_failure("changed read-only argument x", [](const LaunchArguments& arguments) {
    (void)run_probe({}, arguments);
    arguments.tensors[0].data[0] ^= std::byte{1};
    return 0;
  });
}

TEST_F(Tuning, a_config_that_does_not_compile_says_so) {
  FunctionBackend backend(run_probe);
  backend.refuses_to_compile = [](const Config& config) -> std::optional<std::string> {
    if (config.at("block") != bad_block) return std::nullopt;
    return "probe.cpp:3: error: no";
  };
  const CallReport report = fresh_call(backend, m_folder.request(), ProbeTensors(), "").value();
  EXPECT_EQ(report.compiles, 4);
  EXPECT_EQ(report.trials[2].failure, "does not compile: probe.cpp:3: error: no");
  EXPECT_TRUE(report.trials[0].measured());
}

TEST_F(Tuning, when_every_config_fails_the_error_says_why_and_nothing_has_changed) {
  FunctionBackend backend([](const Config& config, const LaunchArguments& arguments) {
    (void)run_probe(config, arguments);
    return config.at("block") == 1 ? 701 : 4;
  });
  const TemporaryFolder cache = TemporaryFolder::create("tunecheck-cache").value();
  const ProbeTensors tensors;
  const auto before = tensors.bytes();
  for (int repeat = 0; repeat < 2; ++repeat) {
    const auto report = fresh_call(backend, m_folder.request(), tensors, cache.path());
    ASSERT_FALSE(report.has_value());
    EXPECT_THAT(report.error().message, HasSubstr("none of the 4 configs of probe can be used"));
    EXPECT_THAT(report.error().message, HasSubstr("block=1,vec=1 and 1 more: status 701"));
    EXPECT_THAT(report.error().message, HasSubstr("status 4"));
    EXPECT_EQ(tensors.bytes(), before);
  }
}

TEST_F(Tuning, the_default_config_says_what_is_right_where_there_is_no_reference) {
  // The default is block 1; both configs of block 2 agree with each other, and lose all the same.
  expect_failure("wrong result", [](const LaunchArguments& arguments) {
    const Scalar scalars[] = {{DType::f32, 5}, {DType::f32, 1}};
    return run_probe({}, {arguments.tensors, scalars});
  });
}

TEST_F(Tuning, configs_that_agree_overrule_a_default_config_that_they_outnumber) {
  // helion#655
  FunctionBackend backend([](const Config& config, const LaunchArguments& arguments) {
    const Scalar wrong[] = {{DType::f32, 5}, {DType::f32, 1}};
    const bool is_default = config == Config{{"block", 1}, {"vec", 4}};
    return run_probe(config,
                     {arguments.tensors, is_default ? std::span(wrong) : arguments.scalars});
  });
  const ProbeTensors tensors;
  const CallReport report = fresh_call(backend, m_folder.request(), tensors, "").value();
  EXPECT_TRUE(tensors.hold_one_launch());
  for (const Trial& trial : report.trials) {
    const bool is_default = trial.config == Config{{"block", 1}, {"vec", 4}};
    EXPECT_EQ(trial.measured(), !is_default) << to_string(trial.config) << trial.failure;
    EXPECT_EQ(trial.failure,
              is_default ? "wrong result: more configs computed something else" : "");
  }
}

TEST_F(Tuning, configs_that_contradict_each_other_do_not_outnumber_the_default) {
  FunctionBackend backend([](const Config& config, const LaunchArguments& arguments) {
    const double alpha = static_cast<double>(config.at("block") * 10 + config.at("vec"));
    const Scalar different[] = {{DType::f32, alpha}, {DType::f32, 1}};
    const bool is_default = config == Config{{"block", 1}, {"vec", 4}};
    return run_probe(config,
                     {arguments.tensors, is_default ? arguments.scalars : std::span(different)});
  });
  const ProbeTensors tensors;
  const CallReport report = fresh_call(backend, m_folder.request(), tensors, "").value();
  for (const Trial& trial : report.trials)
    EXPECT_EQ(trial.measured(), trial.config == (Config{{"block", 1}, {"vec", 4}}));
  EXPECT_TRUE(tensors.hold_one_launch());
}

TEST_F(Tuning, a_reference_overrules_the_default_config) {
  FunctionBackend backend([](const Config& config, const LaunchArguments& arguments) {
    const Scalar wrong[] = {{DType::f32, 5}, {DType::f32, 1}};
    return run_probe(config, {arguments.tensors,
                              config.at("block") == 1 ? std::span(wrong) : arguments.scalars});
  });
  TuneRequest request = m_folder.request();
  request.reference = [](const LaunchArguments& arguments) -> Result<ExpectedTensors> {
    const auto x = to_doubles(arguments.tensors[0]);
    ExpectedTensors expected = {
        {}, to_doubles(arguments.tensors[1]), x, to_doubles(arguments.tensors[3])};
    for (std::size_t i = 0; i < x.size(); ++i) {
      expected[1][i] += 2 * x[i];
      expected[2][i] += 1;
      expected[3][i] += 1;
    }
    return expected;
  };
  const ProbeTensors tensors;
  const CallReport report = fresh_call(backend, request, tensors, "").value();
  EXPECT_THAT(report.trials[1].failure, HasSubstr("wrong result in y"));
  EXPECT_TRUE(report.trials[2].measured());
  EXPECT_TRUE(tensors.hold_one_launch());
}

TEST_F(Tuning, the_smallest_median_wins_and_one_fast_rep_does_not) {
  FunctionBackend backend(run_probe);
  int reps = 0;  // counted in each trial's own process
  backend.elapsed_ns = [&reps](const Config& config) -> std::int64_t {
    if (config == Config{{"block", 2}, {"vec", 4}}) return 500;
    return reps++ == 3 ? 1 : 900;
  };
  Tuner tuner(backend, quick_options(""));
  TunedKernel kernel = tuner.bind(m_folder.request()).value();
  const ProbeTensors tensors;
  const CallReport report = kernel.call(tensors.arguments()).value();
  EXPECT_EQ(*report.winner, (Config{{"block", 2}, {"vec", 4}}));
}

TEST_F(Tuning, a_failed_trial_cannot_win) {
  const std::vector<Trial> trials = {{{{"block", 1}}, "signal 11", 0, 0, 0, 0},
                                     {{{"block", 2}}, "", 0, 0, 0, 0},
                                     {{{"block", 4}}, "", 90, 80, 99, 7},
                                     {{{"block", 8}}, "wrong", 10, 10, 10, 7}};
  EXPECT_EQ(fastest_trial(trials), 2U);
  EXPECT_FALSE(fastest_trial(std::span(trials).first(2)).has_value());
}

}  // namespace
}  // namespace tunecheck::test
