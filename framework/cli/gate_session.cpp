#include "cli/gate_session.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "cli/arguments.hpp"
#include "cli/console.hpp"
#include "cli/gate_record.hpp"
#include "cli/gate_stored.hpp"
#include "cli/page_file.hpp"
#include "core/command.hpp"
#include "core/digest.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "gate/measure/compare_builds.hpp"
#include "gate/measure/google_benchmark.hpp"
#include "reports/terminal/gate_page.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

// Small ones, of which one gives its result elsewhere and one in place: a session of both takes a
// minute or two on a CPU.
const std::vector<std::string>& default_kernels() {
  static const std::vector<std::string> names = {"rmsnorm", "axpy_inplace"};
  return names;
}

// Those of them that the adapter has a version of, or else two of its own.
std::vector<std::string> default_kernels_of(const gate::Build& build) {
  std::vector<std::string> names;
  for (const std::string& name : default_kernels())
    if (build.kernels.contains(name)) names.push_back(name);
  if (names.empty())
    for (const auto& [name, kernel] : build.kernels)
      if (names.size() < 2) names.push_back(name);
  return names.empty() ? default_kernels() : names;
}

// What a shell would make of them, where somebody quoted the pattern.
Result<std::vector<fs::path>> json_files(const std::vector<std::string>& patterns) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const std::string& pattern : patterns) {
    const fs::path path = pattern;
    const std::size_t before = files.size();
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    for (const auto& entry : fs::directory_iterator(folder, error))
      if (matches_glob(path.filename().string(), entry.path().filename().string()))
        files.push_back(entry.path());
    if (files.size() == before)
      return failure(Error{ErrorKind::bad_input,
                           "expected a JSON file of Google Benchmark: there is no such file",
                           pattern,
                           0,
                           {}});
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
  }
  // A process is one process, however often it is named.
  std::set<fs::path> known;
  for (const fs::path& file : files)
    if (!known.insert(fs::weakly_canonical(file, error)).second)
      return failure(Error{
          ErrorKind::bad_input, "expected each file once, found it twice", file.string(), 0, {}});
  return files;
}

Result<gate::GateResult> builds(const GateArguments& arguments) {
  gate::CompareOptions options;
  TUNECHECK_TRY(options.base, open_side(arguments.base.front(), arguments));
  TUNECHECK_TRY(options.head, open_side(arguments.head.front(), arguments));
  options.kernels =
      arguments.kernels.empty() ? default_kernels_of(options.head) : arguments.kernels;
  options.sizes = arguments.sizes.empty() ? std::vector<std::string>{"smoke"} : arguments.sizes;
  options.metrics = arguments.metrics;
  options.out = arguments.out;
  options.progress = show;
  gate::GateResult begun = begin_result(arguments, "adapter");
  begun.adapter = arguments.adapter;
  begun.base = side_of(options.base);
  begun.head = side_of(options.head);
  return recorded(arguments, std::move(begun), [&](gate::GateResult& result, const SoFar& so_far) {
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
  return recorded(arguments, std::move(begun), [&](gate::GateResult& result, const SoFar& so_far) {
    options.so_far = so_far;
    return compare_programs(options, result);
  });
}

Result<gate::GateResult> recordings(const GateArguments& arguments) {
  TUNECHECK_TRY(const auto base, json_files(arguments.base));
  TUNECHECK_TRY(const auto head, json_files(arguments.head));
  return recorded(arguments, begin_result(arguments, "recordings"),
                  [&](gate::GateResult& result, const SoFar&) {
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

// What a session of this kind does not ask.
Result<void> check_options(const std::vector<std::string>& given, Kind kind) {
  if (kind != Kind::builds)
    TUNECHECK_CHECK(check_effect(
        given, {"--kernel", "--size", "--metric", "--adapter", "--backend", "--kernels", "--jobs"},
        "with two builds alone"));
  if (kind != Kind::programs)
    TUNECHECK_CHECK(check_effect(given, {"--benchmark-filter", "--pass"},
                                 "with two programs of Google Benchmark alone"));
  return {};
}

Result<gate::GateResult> compare(const GateArguments& arguments) {
  if (!(arguments.delta < arguments.tolerance))
    return failure(Error{ErrorKind::bad_input,
                         fmt::format("expected more than --delta, {:g} %, found {:g} %",
                                     100 * arguments.delta, 100 * arguments.tolerance),
                         {},
                         0,
                         "--tolerance"});
  if (!arguments.against.empty()) {
    TUNECHECK_CHECK(check_options(arguments.given, Kind::builds));
    return against_stored(arguments);
  }
  const Kind kind = kind_of(arguments.base.front());
  for (const std::string& text : arguments.head)
    if (kind_of(text) != kind)
      return failure(Error{ErrorKind::bad_input,
                           fmt::format("expected two builds, two programs, or JSON files on both "
                                       "sides, found \"{}\" and \"{}\"",
                                       arguments.base.front(), text),
                           {},
                           0,
                           "--head"});
  TUNECHECK_CHECK(check_options(arguments.given, kind));
  TUNECHECK_CHECK(check_effect(arguments.given, {"--db"}, "with --against alone"));
  if (kind == Kind::recordings) return recordings(arguments);
  if (arguments.base.size() > 1 || arguments.head.size() > 1)
    return failure(Error{ErrorKind::bad_input,
                         "expected one: only JSON files may be given several times",
                         {},
                         0,
                         "--base"});
  return kind == Kind::programs ? programs(arguments) : builds(arguments);
}

}  // namespace

int run_gate(const GateArguments& arguments) {
  const auto result = compare(arguments);
  if (!result) return report(result.error());
  TerminalOptions options = terminal_options(arguments.out);
  ReportSources sources;
  sources.gates.push_back({(std::filesystem::path(arguments.out) / "gate.json").string(), *result});
  options.html = write_page(sources, arguments.out);
  print("\n" + gate_page(*result, options));
  return result->exit_status();
}

}  // namespace tunecheck::cli
