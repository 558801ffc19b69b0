#include "gate/measure/throttle.hpp"

#include <gtest/gtest.h>

#include "core/command.hpp"

namespace tunecheck::gate {
namespace {

// What the toy does for 300 ms by its own clock; how much of that it was not running, in percent.
double stopped_percent(double slowdown) {
  CommandOptions options;
  options.arguments = {TUNECHECK_TOY_BENCHMARK, "--gaps"};
  std::unique_ptr<Throttle> throttle;
  if (slowdown > 0) {
    throttle = Throttle::create(slowdown).value();
    options.in_child = throttle->in_child();
  }
  return std::stod(run_command(options)->output);
}

TEST(Throttle, a_process_is_stopped_for_its_share_of_the_time) {
  // Half of the time; others on the machine can only add to it.
  EXPECT_GT(stopped_percent(1.0), 35);
}

TEST(Throttle, a_process_that_ends_at_once_is_no_trouble) {
  const auto throttle = Throttle::create(0.5).value();
  CommandOptions options;
  options.arguments = {"true"};
  options.in_child = throttle->in_child();
  EXPECT_TRUE(run_command(options)->end.success());
}

}  // namespace
}  // namespace tunecheck::gate
