#include "cli/gate_session.hpp"

#include <chrono>
#include <filesystem>

#include <fmt/chrono.h>

#include "cli/arguments.hpp"
#include "cli/console.hpp"
#include "cli/usage.hpp"
#include "core/stopwatch.hpp"
#include "gaterun/compare_builds.hpp"
#include "judge/session.hpp"
#include "reports/gate_json.hpp"
#include "reports/gate_page.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

// Small ones, of which one gives its result elsewhere and one in place: a session of both takes a
// minute or two on a CPU.
const std::vector<std::string>& default_kernels() {
  static const std::vector<std::string> names = {"rmsnorm", "axpy_inplace"};
  return names;
}

gate::GateResult begin_result(const GateArguments& arguments) {
  gate::GateResult result;
  result.tunecheck_version = version();
  result.started =
      fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::now()));
  result.backend = arguments.backend;
  result.seed = arguments.seed;
  result.environment = describe_machine();
  result.fails_on_inconclusive = arguments.fails_on_inconclusive;
  return result;
}

gate::SideResult side_of(const gate::Build& build) {
  return {build.given, build.folder.string(), build.commit, "", describe(build)};
}

Result<gate::Build> open_side(const std::string& text, const GateArguments& arguments) {
  return gate::open_build(text, arguments.adapter, to_paths(arguments.kernel_folders));
}

Result<gate::GateResult> compare(const GateArguments& arguments) {
  gate::CompareOptions options;
  TUNECHECK_TRY(options.base, open_side(arguments.base.front(), arguments));
  TUNECHECK_TRY(options.head, open_side(arguments.head.front(), arguments));
  options.kernels = arguments.kernels.empty() ? default_kernels() : arguments.kernels;
  options.sizes = arguments.sizes.empty() ? std::vector<std::string>{"smoke"} : arguments.sizes;
  options.metrics = arguments.metrics;
  options.out = arguments.out;
  options.progress = [](const std::string& line) {
    print(line + "\n");
    (void)flushed(held);
  };
  gate::GateResult result = begin_result(arguments);
  result.adapter = arguments.adapter;
  result.base = side_of(options.base);
  result.head = side_of(options.head);
  GateFile file(fs::path(arguments.out) / "gate.json");
  options.so_far = [&](const gate::GateResult& so_far) { return file.update(so_far); };
  const auto compared = [&] {
    const Stopwatch watch(result.wall_ns);
    return compare_builds(options, result);
  }();
  if (!compared) return failure(compared.error());
  TUNECHECK_CHECK(file.update(result));
  return result;
}

}  // namespace

int run_gate(const GateArguments& arguments) {
  const auto result = compare(arguments);
  if (!result) return report(result.error(), result.error().key.empty() ? untrusted : bad_input);
  print("\n" + gate_page(*result, terminal_options(arguments.out)));
  return result->exit_status();
}

}  // namespace tunecheck::cli
