#include "gate/measure/slowdown.hpp"

#include <gtest/gtest.h>

#include "core/files.hpp"

namespace tunecheck::gate {
namespace {

struct Slowed {
  bool was_applied = false;
  ProcessEnd end;
};

const std::string busy_for_a_while = TUNECHECK_TOY_BENCHMARK " --work=40000000";

// A shell becomes the program, or starts it.
Slowed run(const std::string& line, double share) {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-slowdown").value();
  const Slowdown slowdown = Slowdown::create(share, folder.path() / "added").value();
  CommandOptions options;
  options.arguments = {"/bin/sh", "-c", line};
  slowdown.add_to(options.environment.emplace(current_environment()));
  const CommandResult result = run_command(options).value();
  EXPECT_TRUE(result.end.success()) << result.output;
  return {slowdown.was_applied(result.end), result.end};
}

TEST(Slowdown, makes_a_process_work_for_its_share_more) {
  const Slowed plain = run("exec " + busy_for_a_while, 0);
  const Slowed twice = run("exec " + busy_for_a_while, 1);
  EXPECT_FALSE(plain.was_applied);
  EXPECT_TRUE(twice.was_applied);
  // CPU time, which other work on the machine changes little.
  EXPECT_GT(static_cast<double>(twice.end.cpu_ns), 1.5 * static_cast<double>(plain.end.cpu_ns));
  EXPECT_LT(static_cast<double>(twice.end.cpu_ns), 3 * static_cast<double>(plain.end.cpu_ns));
}

TEST(Slowdown, does_not_reach_what_the_process_starts) {
  EXPECT_FALSE(run(busy_for_a_while + "; true", 1).was_applied);
}

TEST(Slowdown, says_where_it_took_no_effect) {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-slowdown").value();
  const Slowdown slowdown = Slowdown::create(0.1, folder.path() / "added").value();
  ProcessEnd end;
  end.cpu_ns = 1'000'000'000;
  EXPECT_FALSE(slowdown.was_applied(end)) << "nobody wrote the file";
  const auto added = [&](double ns) {
    EXPECT_TRUE(write_file(folder.path() / "added",
                           std::string(reinterpret_cast<const char*>(&ns), sizeof ns)));
    return slowdown.was_applied(end);
  };
  EXPECT_FALSE(added(4e7));
  EXPECT_TRUE(added(9e7));
  EXPECT_TRUE(write_file(folder.path() / "added", "?"));
  EXPECT_FALSE(slowdown.was_applied(end));
}

}  // namespace
}  // namespace tunecheck::gate
