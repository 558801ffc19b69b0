#include "watch/watch.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <poll.h>
#include <set>
#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "core/files.hpp"
#include "watch/cache_folders.hpp"
#include "watch/definitions.hpp"
#include "watch/program_run.hpp"
#include "watch/rules.hpp"
#include "watch/source_lines.hpp"
#include "watch/timelines.hpp"

namespace tunecheck::watch {
namespace {

WatchResult::Run summary_of(const ProgramRun& run, std::size_t index,
                            const std::vector<WatchResult::Kernel>& kernels) {
  WatchResult::Run summary;
  summary.name = run.name;
  summary.end = run.end.text();
  summary.succeeded = run.end.success();
  summary.wall_ns = run.end.wall_ns;
  std::set<int> processes;
  for (const TotalEvent& total : run.told.totals)
    processes.insert(total.pid);
  summary.processes = static_cast<std::int64_t>(processes.size());
  summary.compiles = static_cast<std::int64_t>(run.compiles.size());
  for (const WatchResult::Kernel& kernel : kernels) {
    summary.launches += kernel.launches[index];
    summary.trials += kernel.trials[index];
  }
  return summary;
}

void note_once(std::vector<std::string>& notes, std::string note) {
  if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(std::move(note));
}

void note_unseen(const ProgramRun& run, std::vector<std::string>& notes) {
  for (const std::string& trouble : run.troubles)
    note_once(notes, trouble);
  std::set<std::string> programs;
  for (const UnseenCodeEvent& unseen : run.unseen_code)
    programs.insert(unseen.program);
  for (const std::string& program : programs)
    note_once(notes, fmt::format("{} loaded code of its own and is not observed (it is linked "
                                 "statically, or does not hand on its environment): its launches "
                                 "are not seen",
                                 program));
  if (run.told.processes.empty())
    note_once(notes,
              "no process could be observed: the program is linked statically, or runs with "
              "another user's rights");
  if (run.told.damaged_lines > 0)
    note_once(notes, fmt::format("{} of the evidence could not be read",
                                 run.told.damaged_lines == 1
                                     ? std::string("1 line")
                                     : fmt::format("{} lines", run.told.damaged_lines)));
  if (run.end.timed_out) note_once(notes, run.name + ": the run was ended at the time limit");
  if (run.left_behind > 0)
    note_once(notes,
              fmt::format("{}: {} outlived the program and {} ended", run.name,
                          run.left_behind == 1 ? "1 process"
                                               : std::to_string(run.left_behind) + " processes",
                          run.left_behind == 1 ? "was" : "were"));
}

// Folders to which only the user's eyes can say whether they are a cache.
void note_writes(ProgramRun& run, const CacheFolders& caches, std::vector<std::string>& notes) {
  for (const WriteEvent& write : run.told.writes)
    if (std::string folder = caches.outside(write.folder); !folder.empty())
      run.written_elsewhere.insert(std::move(folder));
  for (const std::string& folder : run.written_elsewhere)
    note_once(notes, fmt::format("files were written in {}, which is no folder of the watch: if "
                                 "it is a cache, the cold run may have been warm (--cache "
                                 "names its variable, --hide a folder below your home)",
                                 folder));
}

// What the program reads. A file is read from the same place by each run; a pipe has been read when
// the first run is over.
class Input {
 public:
  Input() {
    struct stat status {};
    if (::fstat(STDIN_FILENO, &status) != 0) return;
    if (S_ISREG(status.st_mode)) m_offset = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
    pollfd input{STDIN_FILENO, POLLIN, 0};
    m_is_pipe = (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) &&
                ::poll(&input, 1, 0) == 1 && (input.revents & POLLIN) != 0;
  }
  /// False where the run gets none.
  bool begin(int run) const {
    if (m_offset >= 0) ::lseek(STDIN_FILENO, m_offset, SEEK_SET);
    return run == 0 || !m_is_pipe;
  }
  [[nodiscard]] bool is_used_up() const { return m_is_pipe; }

 private:
  off_t m_offset = -1;
  bool m_is_pipe = false;
};

// Evidence of an earlier watch that had more runs.
void remove_leftovers(const std::filesystem::path& out, int count) {
  std::error_code error;
  for (int run = count + 1; std::filesystem::exists(out / fmt::format("run-{}", run), error); ++run)
    std::filesystem::remove_all(out / fmt::format("run-{}", run), error);
}

bool was_warm(const ProgramRun& cold) {
  return cold.compiles.empty() && !cold.told.totals.empty() &&
         std::all_of(cold.told.totals.begin(), cold.told.totals.end(),
                     [](const TotalEvent& total) { return total.codes.size() < 2; });
}

}  // namespace

Result<WatchResult> watch_program(const WatchOptions& options,
                                  const std::function<void(const std::string&)>& says) {
  WatchResult result;
  result.command = options.command;
  result.started = fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)));
  result.folder = options.out.string();
  ProgramStart start;
  start.command = options.command;
  start.environment = current_environment();
  start.at_most = options.at_most;
  start.time_limit = options.time_limit;
  start.keeps_allocator = options.keeps_allocator;
  std::optional<CacheFolders> caches;
  TUNECHECK_TRY(const TemporaryFolder temporary, TemporaryFolder::create("tunecheck"));
  if (!options.uses_own_caches) {
    start.caches = options.out / "caches";
    TUNECHECK_TRY(caches,
                  CacheFolders::create(start.caches, start.environment, options.cache_variables,
                                       options.hidden, temporary.path()));
    caches->apply(start.environment);
  }
  const Input input;
  std::vector<ProgramRun> runs;
  const int count = options.warm_runs + (options.uses_own_caches ? 0 : 1);
  for (int i = 0; i < count && !result.is_interrupted; ++i) {
    const int warm = options.uses_own_caches ? i + 1 : i;
    const std::string name = warm == 0 ? "cold" : fmt::format("warm {}", warm);
    says(fmt::format("run {} of {} ({})", i + 1, count, name));
    start.evidence = options.out / fmt::format("run-{}", i + 1);
    std::error_code ignored;
    std::filesystem::remove_all(start.evidence, ignored);
    start.has_input = input.begin(i);
    TUNECHECK_TRY(ProgramRun run, run_program(start));
    run.input_is_used_up = input.is_used_up();
    run.name = name;
    result.is_interrupted = run.was_interrupted;
    note_unseen(run, result.notes);
    if (caches && i == 0) note_writes(run, *caches, result.notes);
    runs.push_back(std::move(run));
  }
  remove_leftovers(options.out, count);
  if (input.is_used_up())
    note_once(result.notes,
              "the input of the program was a pipe, which the first run has read: later runs had "
              "none, so that their work may be another");
  if (caches)
    if (const auto saved = caches->saved_in_home(); !saved.empty())
      note_once(result.notes, fmt::format("the program saved {} in its home; you find them in {}",
                                          saved.size() == 1 ? std::string("a file")
                                                            : fmt::format("{} files", saved.size()),
                                          saved.front()));
  if (!runs.empty() && !options.uses_own_caches && was_warm(runs.front()))
    note_once(result.notes,
              "the cold run launched kernels and neither compiled nor tuned any: if the program "
              "has a tuner, it found its winners somewhere (--hide and --cache hide a cache)");
  result.findings = find_findings(runs, options.uses_own_caches);
  add_definitions(runs, result.findings);
  result.kernels = count_kernels(runs, options.uses_own_caches);
  add_ends(runs, options.uses_own_caches, result.kernels);
  add_timelines(runs, options.uses_own_caches, {}, result);
  for (WatchResult::Finding& finding : result.findings)
    for (WatchResult::Place* const place : {&finding.place, &finding.definition})
      find_source_line(*place);
  for (WatchResult::Timeline& timeline : result.timelines)
    for (WatchResult::Place* const place : {&timeline.place, &timeline.definition})
      find_source_line(*place);
  for (std::size_t i = 0; i < runs.size(); ++i)
    result.runs.push_back(summary_of(runs[i], i, result.kernels));
  return result;
}

}  // namespace tunecheck::watch
