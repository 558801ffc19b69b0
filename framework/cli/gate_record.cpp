#include "cli/gate_record.hpp"

#include <chrono>
#include <filesystem>

#include <fmt/chrono.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "cli/console.hpp"
#include "cli/out_lock.hpp"
#include "cli/usage.hpp"
#include "core/device_kinds.hpp"
#include "gate/measure/revision.hpp"
#include "judge/run/session.hpp"
#include "reports/stored/gate_json.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

fs::path file_in(const std::string& out) {
  return fs::path(out) / "gate.json";
}

// A session that is not the one in the file would be another's answer.
Result<void> take_up(gate::GateResult& result, const fs::path& file) {
  TUNECHECK_TRY(gate::GateResult earlier, read_gate(file));
  const bool is_same = earlier.kind == result.kind && earlier.backend == result.backend &&
                       earlier.seed == result.seed && earlier.settings == result.settings &&
                       earlier.adapter == result.adapter &&
                       earlier.base.environment == result.base.environment &&
                       earlier.head.environment == result.head.environment &&
                       earlier.environment == result.environment;
  if (!is_same)
    return failure(
        Error{ErrorKind::bad_input,
              "expected a session of the same builds, machine, adapter, backend, seed and "
              "settings of the rule",
              file.string(), 0, "--resume"});
  result.started = earlier.started;
  result.wall_ns = earlier.wall_ns;
  result.benchmarks = std::move(earlier.benchmarks);
  return {};
}

}  // namespace

void show(const std::string& line) {
  print(line + "\n");
  (void)flushed(held);
}

gate::GateResult begin_result(const GateArguments& arguments, const std::string& kind) {
  gate::GateResult result;
  result.tunecheck_version = version();
  result.started =
      fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::now()));
  result.kind = kind;
  result.backend = name_of(arguments.backend);
  result.seed = arguments.seed;
  result.settings = gate::settings_with(arguments.delta, arguments.tolerance);
  result.environment = describe_machine();
  result.base.given = fmt::format("{}", fmt::join(arguments.base, " "));
  result.head.given = fmt::format("{}", fmt::join(arguments.head, " "));
  result.fails_on_inconclusive = arguments.fails_on_inconclusive;
  return result;
}

Result<gate::GateResult> recorded(
    const GateArguments& arguments, gate::GateResult result,
    const std::function<Result<void>(gate::GateResult&, const SoFar&)>& compare) {
  const fs::path path = file_in(arguments.out);
  // A mistake in the command line leaves no folder behind: one that is missing is made, and locked,
  // when there is something to write.
  FileDescriptor lock;
  const auto lock_folder = [&]() -> Result<void> {
    TUNECHECK_TRY(lock, lock_out(arguments.out));
    return {};
  };
  if (std::error_code error; fs::exists(arguments.out, error)) TUNECHECK_CHECK(lock_folder());
  if (arguments.resumes) TUNECHECK_CHECK(take_up(result, path));
  GateFile file(path);
  const auto begun = std::chrono::steady_clock::now();
  const std::int64_t before_ns = result.wall_ns;
  const auto so_far = [&](const gate::GateResult& now) -> Result<void> {
    result.wall_ns =
        before_ns + std::chrono::nanoseconds(std::chrono::steady_clock::now() - begun).count();
    if (!lock.valid()) TUNECHECK_CHECK(lock_folder());
    return file.update(now);
  };
  TUNECHECK_CHECK(compare(result, so_far));
  TUNECHECK_CHECK(so_far(result));
  return result;
}

Result<gate::Build> open_side(const std::string& text, const GateArguments& arguments) {
  std::error_code error;
  gate::RevisionBuild revision{"", text};
  if (!fs::is_directory(text, error)) {
    TUNECHECK_TRY(revision, gate::build_revision(text, fs::path(arguments.out) / "builds",
                                                 arguments.jobs, show));
  }
  TUNECHECK_TRY(gate::Build build, gate::open_build(revision.folder, arguments.adapter,
                                                    to_paths(arguments.kernel_folders)));
  build.given = text;
  build.commit = revision.commit;
  return build;
}

gate::SideResult side_of(const gate::Build& build) {
  return {build.given, build.folder.string(), build.commit, "", gate::describe(build)};
}

}  // namespace tunecheck::cli
