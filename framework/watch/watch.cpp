#include "watch/watch.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <map>
#include <poll.h>
#include <set>
#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "core/command.hpp"
#include "core/files.hpp"
#include "observe/programs/program_watch.hpp"
#include "watch/cache_folders.hpp"
#include "watch/definitions.hpp"
#include "watch/program_run.hpp"
#include "watch/rule_parts.hpp"
#include "watch/rules.hpp"
#include "watch/sections.hpp"
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
  if (run.ready_ns) summary.ready_after_ns = *run.ready_ns - run.began_ns;
  std::set<int> processes;
  for (const TotalEvent& total : run.told.totals)
    processes.insert(total.pid);
  summary.processes = static_cast<std::int64_t>(processes.size());
  summary.compiles = static_cast<std::int64_t>(run.compiles.size());
  summary.compilers_are_seen = run.compilers_are_seen;
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
  std::set<std::string> compiling;
  for (const UnseenCodeEvent& unseen : run.unseen_code)
    (is_runtime_compiler_name(std::filesystem::path(unseen.file).filename().string()) ? compiling
                                                                                      : programs)
        .insert(unseen.program);
  for (const std::string& program : compiling)
    note_once(
        notes,
        fmt::format(
            "{} loaded a library that compiles inside the process, and is not "
            "observed (it does not hand on its environment): what it compiles there is not seen",
            program));
  for (const std::string& program : programs)
    note_once(notes, fmt::format("{} loaded code of its own and is not observed (it is linked "
                                 "statically, or does not hand on its environment): its launches "
                                 "are not seen",
                                 program));
  for (const JitEvent& jit : run.told.jits)
    if (jit.compiler.empty())
      note_once(notes, fmt::format("{} makes code in memory: whether it compiles that anew in each "
                                   "start or has it from a cache is not seen",
                                   jit.library));
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

// What the program itself could have kept in memory.
void note_repeated_compiles(const ProgramRun& run, std::vector<std::string>& notes) {
  std::map<std::pair<int, std::string>, std::vector<const ProgramCompile*>> by_source;
  for (const ProgramCompile& compile : run.compiles)
    if (!compile.source.empty()) by_source[{compile.pid, compile.source}].push_back(&compile);
  for (const auto& [source, compiles] : by_source)
    if (compiles.size() > 1)
      note_once(notes, fmt::format("{}: one process compiled the same source with the same options "
                                   "{} times: {}",
                                   run.name, compiles.size(), command_text(*compiles.front())));
}

// Where its compilers put what they made, as far as they were told by an absolute path.
std::set<std::string> folders_of_artifacts(const ProgramRun& run) {
  std::set<std::string> folders;
  for (const CompileEvent& compile : run.compiles)
    for (std::size_t i = 0; i + 1 < compile.arguments.size(); ++i)
      if (compile.arguments[i] == "-o")
        folders.insert(std::filesystem::path(compile.arguments[i + 1]).parent_path().string());
  return folders;
}

// Only the user's eyes can say of a folder whether it is a cache.
void note_writes(ProgramRun& run, const CacheFolders& caches, std::vector<std::string>& notes) {
  const std::set<std::string> artifacts = folders_of_artifacts(run);
  std::set<std::string> elsewhere;
  for (const WriteEvent& write : run.told.writes) {
    if (std::string folder = caches.outside(write.folder); !folder.empty()) {
      if (!caches.is_of_kernels(folder)) run.may_keep_state.insert(folder);
      elsewhere.insert(std::move(folder));
    } else if (!artifacts.contains(write.folder) && !caches.is_of_kernels(write.folder)) {
      run.may_keep_state.insert(write.folder);
    }
  }
  for (const std::string& folder : elsewhere)
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

// One run to be made.
struct Planned {
  std::string name;
  Start start = Start::usual;
};

std::vector<Planned> plan_of(const WatchOptions& options) {
  std::vector<Planned> plan;
  if (!options.uses_own_caches) plan.push_back({"cold"});
  for (int i = 0; i < options.warm_runs; ++i)
    plan.push_back({fmt::format("warm {}", i + 1)});
  if (!options.edit.empty()) plan.push_back({"edited", Start::edited});
  if (!options.edit.empty() || options.runs_fresh)
    for (int i = 0; i < 2; ++i)
      plan.push_back({fmt::format("fresh {}", i + 1), Start::fresh});
  return plan;
}

// As the user would do it, in this folder.
Result<void> edit(const std::string& command) {
  CommandOptions options;
  options.arguments = {"/bin/sh", "-c", command};
  options.time_limit = std::chrono::hours(1);
  TUNECHECK_TRY(const CommandResult ran, run_command(options));
  if (ran.end.success()) return {};
  return failure(Error{ErrorKind::bad_input,
                       fmt::format("\"{}\" ended with {}{}", command, ran.end.text(),
                                   ran.output.empty() ? "" : ": " + ran.output),
                       {},
                       0,
                       "--edit"});
}

// Runs the program as planned and keeps what was seen.
class Watching {
 public:
  Watching(const WatchOptions& options, const std::function<void(const std::string&)>& says)
      : m_options(options), m_says(says) {
    m_result.command = options.command;
    m_result.started = fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)));
    m_result.folder = options.out.string();
  }

  Result<WatchResult> watch() {
    TUNECHECK_TRY(const TemporaryFolder temporary, TemporaryFolder::create("tunecheck"));
    std::optional<CacheFolders> caches;
    if (!m_options.uses_own_caches) {
      TUNECHECK_TRY(caches, make_caches("caches", temporary.path()));
    }
    const std::vector<Planned> plan = plan_of(m_options);
    for (std::size_t i = 0; i < plan.size() && !m_result.is_interrupted; ++i) {
      if (plan[i].start == Start::edited) {
        m_says("edit: " + m_options.edit);
        TUNECHECK_CHECK(edit(m_options.edit));
      }
      m_says(fmt::format("run {} of {} ({})", i + 1, plan.size(), plan[i].name));
      if (plan[i].start == Start::fresh) {
        TUNECHECK_TRY(const TemporaryFolder own, TemporaryFolder::create("tunecheck"));
        TUNECHECK_TRY(const auto empty, make_caches(fmt::format("caches-{}", i + 1), own.path()));
        TUNECHECK_CHECK(run(i, plan[i], &empty));
      } else {
        TUNECHECK_CHECK(run(i, plan[i], caches ? &*caches : nullptr));
      }
    }
    remove_leftovers(m_options.out, static_cast<int>(plan.size()));
    note_all(caches);
    judge();
    return std::move(m_result);
  }

 private:
  Result<CacheFolders> make_caches(const std::string& name,
                                   const std::filesystem::path& temporary) const {
    return CacheFolders::create(m_options.out / name, current_environment(),
                                m_options.cache_variables, m_options.hidden, temporary);
  }

  Result<void> run(std::size_t number, const Planned& planned, const CacheFolders* caches) {
    ProgramStart start;
    start.command = m_options.command;
    start.environment = current_environment();
    start.at_most = m_options.at_most;
    start.time_limit = m_options.time_limit;
    start.ready = m_options.ready;
    if (caches != nullptr) {
      for (const std::filesystem::path& file : m_options.ready.files)
        start.ready.files.push_back(caches->inside(file));
      start.caches = caches->root();
      caches->apply(start.environment);
    }
    start.evidence = m_options.out / fmt::format("run-{}", number + 1);
    std::error_code ignored;
    std::filesystem::remove_all(start.evidence, ignored);
    start.has_input = m_input.begin(static_cast<int>(number));
    TUNECHECK_TRY(ProgramRun run, run_program(start));
    run.input_is_used_up = m_input.is_used_up();
    run.name = planned.name;
    run.start = planned.start;
    m_result.is_interrupted = run.was_interrupted;
    note_unseen(run, m_result.notes);
    note_repeated_compiles(run, m_result.notes);
    if (caches != nullptr && number == 0) note_writes(run, *caches, m_result.notes);
    m_runs.push_back(std::move(run));
    return {};
  }

  void note_all(const std::optional<CacheFolders>& caches) {
    std::vector<std::string>& notes = m_result.notes;
    if (m_input.is_used_up())
      note_once(notes,
                "the input of the program was a pipe, which the first run has read: later runs had "
                "none, so that their work may be another");
    if (caches)
      if (const auto saved = caches->saved_in_home(); !saved.empty())
        note_once(notes, fmt::format("the program saved {} in its home; you find them in {}",
                                     saved.size() == 1 ? std::string("a file")
                                                       : fmt::format("{} files", saved.size()),
                                     saved.front()));
    if (!m_runs.empty() && !m_options.uses_own_caches && was_warm(m_runs.front()))
      note_once(notes,
                "the cold run launched kernels and neither compiled nor tuned any: if the program "
                "has a tuner, it found its winners somewhere (--hide and --cache hide a cache)");
    if (!m_options.ready.is_asked()) return;
    for (const ProgramRun& run : m_runs)
      if (!run.ready_ns)
        note_once(notes, run.name + ": the program did not become ready; LATE was not asked of it");
    m_result.was_never_ready =
        std::none_of(m_runs.begin(), m_runs.end(),
                     [](const ProgramRun& run) { return run.ready_ns.has_value(); });
  }

  void judge() {
    const bool is_warm = m_options.uses_own_caches;
    m_result.findings = find_findings(m_runs, is_warm);
    add_definitions(m_runs, m_result.findings);
    m_result.kernels = count_kernels(m_runs, is_warm);
    add_ends(m_runs, is_warm, m_result.kernels);
    add_timelines(m_runs, is_warm, {}, m_result);
    m_result.sections = find_sections(m_runs, is_warm);
    for (WatchResult::Finding& finding : m_result.findings)
      for (WatchResult::Place* const place : {&finding.place, &finding.definition})
        find_source_line(*place);
    for (WatchResult::Section& section : m_result.sections)
      for (WatchResult::SectionTuning& tuning : section.tunings)
        find_source_line(tuning.place);
    for (WatchResult::Timeline& timeline : m_result.timelines)
      for (WatchResult::Place* const place : {&timeline.place, &timeline.definition})
        find_source_line(*place);
    for (std::size_t i = 0; i < m_runs.size(); ++i)
      m_result.runs.push_back(summary_of(m_runs[i], i, m_result.kernels));
  }

  const WatchOptions& m_options;
  const std::function<void(const std::string&)>& m_says;
  const Input m_input;
  std::vector<ProgramRun> m_runs;
  WatchResult m_result;
};

}  // namespace

Result<WatchResult> watch_program(const WatchOptions& options,
                                  const std::function<void(const std::string&)>& says) {
  return Watching(options, says).watch();
}

}  // namespace tunecheck::watch
