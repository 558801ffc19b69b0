#include "cli/run/run_reports.hpp"

#include "cli/console.hpp"
#include "cli/page_file.hpp"
#include "cli/run/run_before.hpp"
#include "reports/ci/junit.hpp"
#include "reports/stored/json.hpp"
#include "reports/stored/result_reader.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

// Beside result.json, with links to the evidence, against the run before it in that folder.
fs::path write_html(const RunResult& result, const fs::path& out) {
  ReportSources sources;
  sources.runs.push_back(result);
  sources.runs.front().file = (out / "result.json").string();
  name_files_from(out, sources.runs.front());
  const std::vector<RunResult> before = run_before(out, result);
  BriefContext context;
  context.base = before;
  context.base_is_run_before = true;
  return write_page(sources, out, context);
}

// Everything that is in a report is in result.json: `tunecheck report` makes them again.
Result<void> write_reports(const RunResult& result, const fs::path& out) {
  TUNECHECK_CHECK(write_json(result, out / "result.json"));
  return write_junit(result, out / "junit.xml", fs::current_path());
}

}  // namespace

int run_and_report(const TunerRun& run, const Shown& shown) {
  const fs::path& out = run.options.tasks.out;
  const bool is_quiet = shown.detail == Detail::quiet;
  keep_run_before(out);
  const auto result =
      perform(run, shown.briefly && shown.detail == Detail::normal ? Detail::quiet : shown.detail);
  if (!result) return report(result.error());
  const auto written = write_reports(*result, out);
  TerminalOptions options = terminal_options(out);
  options.detail = shown.detail;
  const bool is_brief =
      shown.briefly && shown.detail == Detail::normal && result->exit_status() == held;
  if (is_brief) options.detail = Detail::quiet;
  RunResult seen = *result;
  name_scenarios_from_here(seen);
  options.html = write_html(seen, out);
  if (!is_quiet && !is_brief) print("\n");
  print(run_summary(seen, options));
  if (shown.slowest > 0 && !is_quiet)
    print(durations_page(*result, static_cast<std::size_t>(shown.slowest), options));
  (void)flushed(held);
  if (!written) return report(written.error());
  return result->exit_status();
}

}  // namespace tunecheck::cli
