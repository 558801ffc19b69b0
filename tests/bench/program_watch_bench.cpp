// What it costs a process that the kernel asks the judge before it starts a program or loads a
// library.
#include <benchmark/benchmark.h>

#include "core/command.hpp"
#include "core/files.hpp"
#include "observe/programs/program_watch.hpp"
#include "observe/tools.hpp"

namespace tunecheck::bench {
namespace {

using namespace std::chrono_literals;

// A shell that does `work` for each line that it is sent.
class Shell {
 public:
  Shell(const std::string& work, bool is_watched) {
    CommandOptions options;
    options.arguments = {"/bin/sh", "-c", "while read -r line; do " + work + "; echo; done"};
    options.folder = m_folder.path();
    if (is_watched) {
      WatchedPrograms watched;
      watched.evidence = m_folder.path() / "evidence.jsonl";
      watched.spy_programs = {*find_compiler_spy()};
      watched.probe_library = *find_launch_probe();
      watched.workspace = m_folder.path();
      m_watch = ProgramWatch::begin(watched).value();
      options.in_child = [this] { m_watch->in_child(); };
    }
    m_process = LineProcess::start(options, m_folder.path() / "log").value();
  }
  void work() {
    (void)m_process->write_line("go");
    (void)m_process->read_line(1min);
  }

 private:
  TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-bench-programs").value();
  std::unique_ptr<ProgramWatch> m_watch;
  std::optional<LineProcess> m_process;
};

void run(benchmark::State& state, const char* work, bool is_watched) {
  Shell shell(work, is_watched);
  for (auto _ : state)
    shell.work();
}

BENCHMARK_CAPTURE(run, program_unwatched, "/bin/true", false)->UseRealTime();
BENCHMARK_CAPTURE(run, program_watched, "/bin/true", true)->UseRealTime();
BENCHMARK_CAPTURE(run, system_calls_unwatched, "cd /; cd /tmp", false)->UseRealTime();
BENCHMARK_CAPTURE(run, system_calls_watched, "cd /; cd /tmp", true)->UseRealTime();

}  // namespace
}  // namespace tunecheck::bench
