// `tunecheck run` and `audit` with --backend hip, on HIP on the host: the probe for HIP, the spy on
// HIPRTC and the judge, with no GPU. What needs one is judged by way of the shim (ci/device).
#include <filesystem>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/command.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr std::chrono::minutes time_limit(4);

class JudgedOnHip : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer's runtime and the loader's observers do not go together";
#endif
    if (!fs::exists("/usr/bin/python3")) GTEST_SKIP() << "the compile server needs python3";
    use(TUNECHECK_HIP_ON_HOST);
    // It compiles for the runtime that lies beside its socket.
    CommandOptions options;
    options.arguments = {"/usr/bin/python3", TUNECHECK_COMPILE_SERVER,
                         (folder.path() / "compiler.sock").string()};
    auto started = LineProcess::start(options, folder.path() / "server.log");
    ASSERT_TRUE(started) << started.error().text();
    server.emplace(std::move(*started));
    ASSERT_EQ(server->read_line(std::chrono::minutes(1)).line, "ready");
  }

  void TearDown() override {
    if (!server) return;
    server->close_input();
    EXPECT_TRUE(server->wait(std::chrono::minutes(1)).success());
  }

  // From here on HIP's runtime is a link to this one.
  void use(const fs::path& library) const {
    fs::remove(runtime);
    fs::create_symlink(library, runtime);
  }

  [[nodiscard]] CommandResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), (program_folder() / "tunecheck").string());
    for (const std::string& argument : {std::string("--backend"), std::string("hip"),
                                        std::string("--out"), (folder.path() / "out").string()})
      arguments.push_back(argument);
    return start(std::move(arguments));
  }

  [[nodiscard]] CommandResult start(std::vector<std::string> arguments) const {
    CommandOptions options;
    options.arguments = std::move(arguments);
    options.environment = current_environment();
    (*options.environment)["TUNECHECK_HIP"] = runtime.string();
    (*options.environment)["TUNECHECK_HIPRTC"] = runtime.string();
    options.time_limit = time_limit;
    auto ran = run_command(options);
    if (!ran) throw std::runtime_error(ran.error().text());
    return std::move(*ran);
  }

  TemporaryFolder folder = TemporaryFolder::create("tunecheck-judged-on-hip").value();
  fs::path runtime = folder.path() / "libamdhip64.so";
  std::optional<LineProcess> server;
};

TEST_F(JudgedOnHip, the_reference_tuner_passes) {
  const CommandResult ran =
      run({"run", "reload.winner_survives_restart", "restore.first_result_is_right",
           "restore.two_overwritten_arguments", "gpu.miss_in_a_capture_is_refused"});
  EXPECT_TRUE(ran.end.success()) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("PASS: 4 of 4 scenarios"));
  EXPECT_THAT(ran.output, HasSubstr("on hip"));
}

TEST_F(JudgedOnHip, planted_bugs_are_caught) {
  const CommandResult ran =
      run({"audit", "--quick", "--mutant", "no_restore", "--mutant", "persist_losers"});
  EXPECT_TRUE(ran.end.success()) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("2 mutants caught"));
}

TEST_F(JudgedOnHip, a_runtime_under_which_the_probe_is_blind_is_refused_in_one_line) {
  use(TUNECHECK_POOR_HIP_ON_HOST);
  const CommandResult ran = run({"run", "reload.winner_survives_restart"});
  EXPECT_FALSE(ran.end.success());
  std::string output = ran.output;  // broken where a terminal's line ends
  for (std::size_t at = 0; (at = output.find('\n', at)) != output.npos;)
    output.replace(at, output.find_first_not_of(" \n", at) - at, " ");
  EXPECT_THAT(output, HasSubstr("the probe sees no launch: the GPU probe sees nothing: HIP's "
                                "runtime lacks hipMemcpyDtoHAsync"));
  EXPECT_THAT(output, Not(HasSubstr("PASS")));
}

TEST_F(JudgedOnHip, a_program_of_another_folder_tunes_through_the_library) {
  const CommandResult ran =
      start({"/usr/bin/python3", TUNECHECK_LIBRARY_PROGRAM, TUNECHECK_SHARED_LIBRARY,
             runtime.string(), (find_resources().kernels / "axpy_inplace").string()});
  EXPECT_TRUE(ran.end.success()) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("y is 3.5"));
}

}  // namespace
}  // namespace tunecheck::test
