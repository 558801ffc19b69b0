// Configs that harm whatever they run in.
#include "device_calls.hpp"

namespace tunecheck {
namespace {

using test::DeviceCall;

class HostileConfig : public test::OnGpu {
 protected:
  // Tunes y += x, in which config 1 does `harm` instead; what became of its trial.
  std::string failure_of(const std::string& harm) {
    DeviceCall call(
        backend(),
        test::written_kernel(folder() / "kernel",
                             "if (CONFIG == 1) { " + harm + " } else y(i) += x(i);", 100'000),
        "smoke");
    TunerOptions limited = options();
    limited.trial_time_limit = std::chrono::milliseconds(1500);
    Tuner tuner(backend(), limited);
    const auto report = tuner.bind(call.request()).value().call(call.arguments());
    if (!report) return "the call failed: " + report.error().text();
    EXPECT_EQ(call.difference(), "");
    EXPECT_EQ(report->trials.size(), 3U);
    EXPECT_EQ(report->trials[0].failure, "");
    EXPECT_EQ(report->trials[2].failure, "");
    return report->trials[1].failure;
  }
};

TEST_F(HostileConfig, an_illegal_address_costs_one_trial) {
  EXPECT_NE(failure_of("*reinterpret_cast<float*>(64) = 1;").find("illegal memory access"),
            std::string::npos);
}

TEST_F(HostileConfig, a_trap_costs_one_trial) {
  EXPECT_NE(failure_of("asm(\"trap;\");").find("status 7"), std::string::npos);
}

TEST_F(HostileConfig, an_endless_loop_costs_one_trial) {
  EXPECT_EQ(failure_of("volatile float* const never = &y(i); while (*never != 1e30f) {}"),
            "did not end within 1500 ms");
}

TEST_F(HostileConfig, a_write_past_the_end_is_noticed) {
  EXPECT_EQ(failure_of("y(i) += x(i); if (i + 1 == y.size(0)) y(i + 1) = 0;"),
            "wrote past its tensors");
}

TEST_F(HostileConfig, a_changed_input_is_noticed) {
  EXPECT_EQ(failure_of("y(i) += x(i); x(i) = 0;"), "changed read-only argument x");
}

TEST_F(HostileConfig, a_wrong_result_does_not_win) {
  EXPECT_NE(failure_of("y(i) += 2 * x(i);").find("wrong result in y"), std::string::npos);
}

TEST_F(HostileConfig, a_config_that_no_launch_can_have_costs_one_trial) {
  // No block can have so much shared memory: the driver refuses it, and the context is well.
  const KernelDefinition kernel =
      test::written_kernel(folder() / "kernel", "y(i) += x(i);", 1000, "config == 1 ? 1000000 : 0");
  DeviceCall call(backend(), kernel, "smoke");
  Tuner tuner(backend(), options());
  const auto report = tuner.bind(call.request()).value().call(call.arguments());
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_NE(report->trials[1].failure, "");
  EXPECT_EQ(report->trials[2].failure, "");
}

TEST_F(HostileConfig, a_caller_whose_every_config_fails_gets_its_tensors_back) {
  DeviceCall call(backend(),
                  test::written_kernel(folder() / "kernel",
                                       "y(i) = CONFIG; *reinterpret_cast<float*>(64) = 1;", 1000),
                  "smoke");
  Tuner tuner(backend(), options());
  const auto report = tuner.bind(call.request()).value().call(call.arguments());
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().text().find("none of the 3 configs"), std::string::npos);
  EXPECT_EQ(call.change(), "");
}

}  // namespace
}  // namespace tunecheck
