#include "cli/gate_session.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include <fmt/chrono.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "cli/console.hpp"
#include "cli/usage.hpp"
#include "core/command.hpp"
#include "core/digest.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "gaterun/compare_builds.hpp"
#include "gaterun/google_benchmark.hpp"
#include "gaterun/revision.hpp"
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

// What a shell would make of them, where somebody quoted the pattern.
Result<std::vector<fs::path>> json_files(const std::vector<std::string>& patterns) {
  std::vector<fs::path> files;
  for (const std::string& pattern : patterns) {
    const fs::path path = pattern;
    const std::size_t before = files.size();
    std::error_code error;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    for (const auto& entry : fs::directory_iterator(folder, error))
      if (matches_glob(path.filename().string(), entry.path().filename().string()))
        files.push_back(entry.path());
    if (files.size() == before)
      return failure(
          Error{"expected JSON of Google Benchmark: there is no such file", pattern, 0, {}});
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
  }
  return files;
}

void show(const std::string& line) {
  print(line + "\n");
  (void)flushed(held);
}

fs::path file_in(const std::string& out) {
  return fs::path(out) / "gate.json";
}

gate::GateResult begin_result(const GateArguments& arguments, const std::string& kind) {
  gate::GateResult result;
  result.tunecheck_version = version();
  result.started =
      fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::now()));
  result.kind = kind;
  result.backend = arguments.backend;
  result.seed = arguments.seed;
  result.settings = gate::settings_with(arguments.delta, arguments.tolerance);
  result.environment = describe_machine();
  result.base.given = fmt::format("{}", fmt::join(arguments.base, " "));
  result.head.given = fmt::format("{}", fmt::join(arguments.head, " "));
  result.fails_on_inconclusive = arguments.fails_on_inconclusive;
  return result;
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
        Error{"expected a session of the same builds, machine, adapter, backend, seed, delta and "
              "tolerance",
              file.string(), 0, "--resume"});
  result.started = earlier.started;
  result.wall_ns = earlier.wall_ns;
  result.benchmarks = std::move(earlier.benchmarks);
  return {};
}

// Runs what `compare` does, with gate.json kept up to date from its first line to its last.
template <class Compare>
Result<gate::GateResult> recorded(const GateArguments& arguments, gate::GateResult result,
                                  const Compare& compare) {
  const fs::path path = file_in(arguments.out);
  if (arguments.resumes) TUNECHECK_CHECK(take_up(result, path));
  GateFile file(path);
  const auto begun = std::chrono::steady_clock::now();
  const std::int64_t before_ns = result.wall_ns;
  const auto so_far = [&](const gate::GateResult& now) {
    result.wall_ns =
        before_ns + std::chrono::nanoseconds(std::chrono::steady_clock::now() - begun).count();
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

Result<gate::GateResult> builds(const GateArguments& arguments) {
  gate::CompareOptions options;
  TUNECHECK_TRY(options.base, open_side(arguments.base.front(), arguments));
  TUNECHECK_TRY(options.head, open_side(arguments.head.front(), arguments));
  options.kernels = arguments.kernels.empty() ? default_kernels() : arguments.kernels;
  options.sizes = arguments.sizes.empty() ? std::vector<std::string>{"smoke"} : arguments.sizes;
  options.metrics = arguments.metrics;
  options.out = arguments.out;
  options.progress = show;
  gate::GateResult begun = begin_result(arguments, "adapter");
  begun.adapter = arguments.adapter;
  const auto describe_side = [](const gate::Build& build, gate::SideResult& side) {
    side.folder = build.folder.string();
    side.commit = build.commit;
    side.environment = describe(build);
  };
  describe_side(options.base, begun.base);
  describe_side(options.head, begun.head);
  return recorded(arguments, std::move(begun), [&](gate::GateResult& result, const auto& so_far) {
    options.so_far = so_far;
    return compare_builds(options, result);
  });
}

Result<gate::GateResult> programs(const GateArguments& arguments) {
  gate::ProgramOptions options;
  options.base = arguments.base.front();
  options.head = arguments.head.front();
  options.filter = arguments.filter;
  options.arguments = arguments.passed;
  options.out = arguments.out;
  gate::GateResult begun = begin_result(arguments, "google_benchmark");
  const auto describe_side = [](const fs::path& program, gate::SideResult& side) -> Result<void> {
    side.folder = fs::absolute(program).parent_path().string();
    TUNECHECK_TRY(const std::vector<std::byte> bytes, read_binary_file(program));
    side.environment["program"] = artifact_digest(bytes);
    return {};
  };
  TUNECHECK_CHECK(describe_side(options.base, begun.base));
  TUNECHECK_CHECK(describe_side(options.head, begun.head));
  return recorded(arguments, std::move(begun), [&](gate::GateResult& result, const auto& so_far) {
    options.so_far = so_far;
    return compare_programs(options, result);
  });
}

Result<gate::GateResult> recordings(const GateArguments& arguments) {
  TUNECHECK_TRY(const auto base, json_files(arguments.base));
  TUNECHECK_TRY(const auto head, json_files(arguments.head));
  return recorded(arguments, begin_result(arguments, "recordings"),
                  [&](gate::GateResult& result, const auto&) {
                    return compare_recordings(base, head, result);
                  });
}

enum class Kind { builds, programs, recordings };

Kind kind_of(const std::string& text) {
  std::error_code error;
  if (fs::path(text).extension() == ".json") return Kind::recordings;
  const bool is_program =
      fs::is_regular_file(text, error) && !find_program(fs::absolute(text)).empty();
  return is_program ? Kind::programs : Kind::builds;
}

Result<gate::GateResult> compare(const GateArguments& arguments) {
  if (!(arguments.delta < arguments.tolerance))
    return failure(Error{fmt::format("expected more than --delta, {:g} %, found {:g} %",
                                     100 * arguments.delta, 100 * arguments.tolerance),
                         {},
                         0,
                         "--tolerance"});
  const Kind kind = kind_of(arguments.base.front());
  for (const std::string& text : arguments.head)
    if (kind_of(text) != kind)
      return failure(Error{fmt::format("expected two builds, two programs, or JSON files on both "
                                       "sides, found \"{}\" and \"{}\"",
                                       arguments.base.front(), text),
                           {},
                           0,
                           "--head"});
  if (kind == Kind::recordings) return recordings(arguments);
  if (arguments.base.size() > 1 || arguments.head.size() > 1)
    return failure(Error{"expected several of JSON files alone", {}, 0, "--base"});
  return kind == Kind::programs ? programs(arguments) : builds(arguments);
}

}  // namespace

int run_gate(const GateArguments& arguments) {
  const auto result = compare(arguments);
  if (!result) {
    const Error& error = result.error();
    return report(error, error.key.empty() && error.file.empty() ? untrusted : bad_input);
  }
  print("\n" + gate_page(*result, terminal_options(arguments.out)));
  return result->exit_status();
}

}  // namespace tunecheck::cli
