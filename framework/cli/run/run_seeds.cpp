#include "cli/run/run_seeds.hpp"

#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/console.hpp"
#include "cli/usage.hpp"
#include "core/text.hpp"
#include "reports/stored/result_reader.hpp"
#include "reports/stored/seeds_json.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

std::string folder_of(std::uint64_t seed) {
  return fmt::format("seed-{}", seed);
}

// A run of one seed, as if it had been asked for alone.
Result<TunerRun> with_seed(const RunArguments& arguments, std::uint64_t seed) {
  RunArguments one = arguments;
  one.seed = seed;
  one.out = (fs::path(arguments.out) / folder_of(seed)).string();
  TUNECHECK_TRY(TunerRun run, prepare(one));
  TUNECHECK_CHECK(check_backend(run));
  TUNECHECK_CHECK(select(one, run));
  share_compile_store(run, arguments.out);
  return run;
}

Result<SeedRun> outcome_of(const RunArguments& arguments, std::uint64_t seed, int status) {
  SeedRun outcome{seed, status, folder_of(seed) + "/result.json", {}};
  TUNECHECK_TRY(const RunResult result,
                read_result((fs::path(arguments.out) / outcome.result).string()));
  for (const ScenarioResult& scenario : result.scenarios)
    if (scenario.verdict == Verdict::fail || scenario.verdict == Verdict::error)
      outcome.failed.push_back(scenario.name);
  return outcome;
}

void show(const SeedsResult& all, const fs::path& file) {
  std::vector<std::uint64_t> failed_seeds;
  const TerminalOptions options = terminal_options();
  Page page(options);
  for (const SeedRun& seed : all.seeds) {
    if (seed.exit_status == held) continue;
    failed_seeds.push_back(seed.seed);
    page.entry(fmt::format("seed {}", seed.seed), 12,
               seed.failed.empty() ? "not to be trusted"
                                   : fmt::format("{}", fmt::join(seed.failed, ", ")));
  }
  const std::string pending =
      all.pending.empty() ? "" : fmt::format("; {} not run", counted(all.pending.size(), "seed"));
  if (!failed_seeds.empty()) page.blank();
  page.line(failed_seeds.empty()
                ? fmt::format("PASS: {} of {}{}; {}", all.seeds.size(),
                              counted(all.seeds.size(), "seed"), pending, file.string())
                : fmt::format("FAIL: {} of {} failed: {}{}; {}", failed_seeds.size(),
                              counted(all.seeds.size(), "seed"), fmt::join(failed_seeds, ", "),
                              pending, file.string()),
            failed_seeds.empty() ? Style::good : Style::bad);
  print("\n" + page.text());
}

}  // namespace

Result<void> check_seeds(const RunArguments& arguments, int count) {
  if (count == 0) return {};
  const auto refusal = [](const std::string& message) {
    return failure(Error{ErrorKind::bad_input, message, {}, 0, "--seeds"});
  };
  if (arguments.last_failed || arguments.resumes || !arguments.shard.empty())
    return refusal("expected no --last-failed, --resume or --shard next to it");
  if (arguments.seed > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) -
                           static_cast<std::uint64_t>(count))
    return refusal("expected seeds up to 9223372036854775807");
  return {};
}

int run_seeds(const RunArguments& arguments, int count, const Shown& shown) {
  const fs::path file = fs::path(arguments.out) / "seeds.json";
  SeedsResult all{version(), arguments.adapter, held, {}, {}};
  for (int i = 0; i < count; ++i)
    all.pending.push_back(arguments.seed + static_cast<std::uint64_t>(i));
  int left = arguments.most_failures;  // only where it is not 0
  while (!all.pending.empty() && (arguments.most_failures == 0 || left > 0)) {
    const std::uint64_t seed = all.pending.front();
    auto run = with_seed(arguments, seed);
    if (!run) return report(run.error());
    run->most_failures = left;
    if (shown.detail != Detail::quiet)
      print(fmt::format("{}seed {}, {} of {}\n", all.seeds.empty() ? "" : "\n", seed,
                        all.seeds.size() + 1, count));
    const int status = run_and_report(*run, shown);
    auto outcome = outcome_of(arguments, seed, status);
    if (!outcome) return report(outcome.error());
    left -= static_cast<int>(outcome->failed.size());
    all.pending.erase(all.pending.begin());
    all.seeds.push_back(std::move(*outcome));
    all.exit_status = gravest({static_cast<Status>(all.exit_status), static_cast<Status>(status)});
    if (const auto written = write_seeds(all, file); !written) return report(written.error());
  }
  show(all, file);
  return all.exit_status;
}

}  // namespace tunecheck::cli
