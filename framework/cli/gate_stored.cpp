#include "cli/gate_stored.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "cli/arguments.hpp"
#include "cli/gate_record.hpp"
#include "cli/stored_run.hpp"
#include "core/device_kinds.hpp"
#include "core/shell.hpp"
#include "gate/history/stored_base.hpp"
#include "gate/measure/measure_build.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

Error about(const std::string& message, const std::string& key) {
  return {ErrorKind::bad_input, message, {}, 0, key};
}

Result<history::StoredBase> base_in_history(const GateArguments& arguments) {
  TUNECHECK_TRY(const fs::path file, history_file(arguments.database));
  TUNECHECK_TRY(history::History history, history::History::open(file));
  TUNECHECK_TRY(const history::Contents contents, history.read());
  const auto run = find_run(contents, arguments.against);
  if (!run) return failure(about(run.error().message, "--against"));
  TUNECHECK_TRY(std::vector<history::SampleSet> sets, history.sample_sets(run->id));
  return history::StoredBase{fmt::format("run {} of {}", run->id, file.string()), *run,
                             std::move(sets)};
}

Result<history::StoredBase> find_base(const GateArguments& arguments) {
  if (fs::path(arguments.against).extension() != ".json") return base_in_history(arguments);
  TUNECHECK_TRY(history::MeasuredRun run, read_gate_run(arguments.against, gate::Side::head));
  return history::StoredBase{arguments.against, run, std::move(run.sets)};
}

// The parts of "rmsnorm/smoke/cpu/warm_start"; none of another name.
std::vector<std::string> parts_of(const std::string& benchmark) {
  std::vector<std::string> parts;
  std::istringstream text(benchmark);
  for (std::string part; std::getline(text, part, '/');)
    parts.push_back(part);
  if (parts.size() != 4) parts.clear();
  return parts;
}

bool is_among(const std::vector<std::string>& wanted, std::string_view word) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), word) != wanted.end();
}

// Whether it is what was asked for. What is counted in warm starts comes with their times.
bool is_wanted(const GateArguments& arguments, const history::SampleSet& set) {
  const std::vector<std::string> parts = parts_of(set.benchmark);
  if (parts.empty()) return false;
  const std::string& metric = parts[3];
  const std::string_view measured =
      set.kind == history::Kind::count ? gate::metric_that_counts(metric) : metric;
  return is_among(arguments.kernels, parts[0]) && is_among(arguments.sizes, parts[1]) &&
         (measured.empty() || is_among(arguments.metrics, measured));
}

// The kernels and sizes of the base; those that the build lacks are left out.
std::vector<gate::CaseName> cases_of(const history::StoredBase& base, const gate::Build& build) {
  std::vector<gate::CaseName> cases;
  std::set<std::string> known;
  for (const history::SampleSet& set : base.sets) {
    const std::vector<std::string> parts = parts_of(set.benchmark);
    const auto kernel = build.kernels.find(parts[0]);
    const auto backend = parse_device_kind(parts[2]);
    if (kernel == build.kernels.end() || !kernel->second.sizes.contains(parts[1]) || !backend)
      continue;
    const gate::CaseName name{parts[0], parts[1], *backend};
    if (known.insert(gate::case_name(name)).second) cases.push_back(name);
  }
  return cases;
}

std::string percent(double share) {
  return fmt::format("{:g}%", 100 * share);
}

// The command that measures both sides of a benchmark in turn.
std::string deciding_command(const GateArguments& arguments, const history::StoredBase& base,
                             const gate::Subject& subject) {
  const GateArguments defaults;
  std::string line = "tunecheck gate";
  const auto add = [&](const std::string& option, const std::string& value) {
    line += " " + option + " " + shell_quoted(value);
  };
  add("--base", base.facts.revision.empty() ? "REVISION" : base.facts.revision);
  add("--head", arguments.head.front());
  if (arguments.adapter != defaults.adapter) add("--adapter", arguments.adapter);
  if (arguments.backend != defaults.backend)
    add("--backend", std::string(name_of(arguments.backend)));
  for (const std::string& folder : arguments.kernel_folders)
    add("--kernels", folder);
  if (arguments.delta != defaults.delta) add("--delta", percent(arguments.delta));
  if (arguments.tolerance != defaults.tolerance) add("--tolerance", percent(arguments.tolerance));
  add("--kernel", subject.kernel);
  add("--size", subject.size);
  add("--metric", subject.metric);
  return "`" + line + "`";
}

}  // namespace

Result<gate::GateResult> against_stored(const GateArguments& arguments) {
  if (arguments.resumes) return failure(about("expected a session without --against", "--resume"));
  TUNECHECK_TRY(history::StoredBase base, find_base(arguments));
  std::error_code error;
  const std::string& head = arguments.head.front();
  if (arguments.head.size() > 1 || fs::is_regular_file(head, error))
    return failure(about(
        fmt::format("expected one build or revision, because of --against, found \"{}\"", head),
        "--head"));
  std::erase_if(base.sets,
                [&](const history::SampleSet& set) { return !is_wanted(arguments, set); });
  gate::MeasureOptions options;
  TUNECHECK_TRY(options.build, open_side(head, arguments));
  gate::GateResult begun = begin_result(arguments, "stored");
  begun.adapter = arguments.adapter;
  begun.base.given = base.given;
  begun.base.commit = base.facts.revision;
  begun.base.tuner = base.facts.tuner;
  begun.head = side_of(options.build);
  if (const auto usable = check_base(base, begun); !usable)
    return failure(about(usable.error().message, "--against"));
  options.cases = cases_of(base, options.build);
  if (options.cases.empty())
    return failure(about(base.given + " has no kernel and size that the head has", "--against"));
  std::set<std::string> stored;
  for (const history::SampleSet& set : base.sets)
    stored.insert(set.benchmark);
  options.is_wanted = [&](const std::string& name) { return stored.contains(name); };
  options.out = arguments.out;
  options.progress = show;
  return recorded(arguments, std::move(begun),
                  [&](gate::GateResult& result, const SoFar& so_far) -> Result<void> {
                    options.so_far = so_far;
                    TUNECHECK_CHECK(measure_build(options, result));
                    return judge_by_base(
                        base,
                        [&](const gate::Subject& subject) {
                          return deciding_command(arguments, base, subject);
                        },
                        result);
                  });
}

}  // namespace tunecheck::cli
