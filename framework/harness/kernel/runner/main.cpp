// tunecheck-runner REQUEST.json: loads an artifact and launches it on tensors in files. A process
// of its own, so that what is loaded may crash or hang.
// tunecheck-runner --serve BACKEND: the same for one request after the other, a line each on its
// stdin; its answers begin with answer_mark. The first line says whether there is such a device.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <poll.h>
#include <string>
#include <thread>
#include <unistd.h>

#include "backend/all_backends.hpp"
#include "backend/cpu/cpu_module.hpp"
#include "core/device_kinds.hpp"
#include "core/files.hpp"
#include "harness/kernel/isolated_run.hpp"
#include "harness/kernel/runner/run_memory.hpp"

namespace tunecheck {
namespace {

// One isolated run: loads the module, brings the tensors to where the backend's kernels find them,
// and then either launches for the result or measures. run() does all of it, after an earlier
// launch where one is asked for. A launch for the
// result works on the files themselves where it can, so after a crash they hold whatever was
// written until then; a measured run leaves them alone. After an error the process ends, because a
// kernel may have done anything to it; the files of that run then count for nothing.
class Runner {
 public:
  static Result<IsolatedResult> run(const IsolatedRun& run, const Backend& backend) {
    TUNECHECK_TRY(const std::vector<std::byte> bytes, read_binary_file(run.module));
    TUNECHECK_TRY(const auto module,
                  run.reference ? load_reference(Artifact{bytes}) : backend.load(Artifact{bytes}));
    if (!run.earlier.tensors.empty()) {
      TUNECHECK_TRY(IsolatedResult earlier, run_with(*module, earlier_launch(run), backend));
      if (earlier.status != 0) return earlier;
    }
    return run_with(*module, run, backend);
  }

 private:
  static Result<IsolatedResult> run_with(const Module& module, const IsolatedRun& run,
                                         const Backend& backend) {
    TUNECHECK_TRY(RunMemory memory, RunMemory::open(run, backend.memory()));
    const Runner runner(run, backend.memory(), module, memory);
    TUNECHECK_TRY(IsolatedResult result, run.measure ? runner.measure() : runner.launch());
    if (result.status != 0) result.status_text = backend.describe(result.status);
    return result;
  }

  // What it leaves in its tensors is nobody's concern.
  static IsolatedRun earlier_launch(const IsolatedRun& run) {
    IsolatedRun earlier = run;
    earlier.tensors = run.earlier.tensors;
    earlier.scalars = run.earlier.scalars;
    earlier.launches = 1;
    earlier.measure = false;
    return earlier;
  }

  Runner(const IsolatedRun& run, const TensorMemory& where, const Module& module, RunMemory& memory)
      : m_run(run),
        m_where(where),
        m_module(module),
        m_memory(memory),
        m_arguments{memory.views(), run.scalars, nullptr, &where} {}

  void prepare() const {
    for (const std::size_t index : m_run.zeroed)
      m_where.fill_zero(m_memory.views().at(index));
  }

  // An error where a launch took the device along; a launch that was refused leaves it as it was.
  Result<IsolatedResult> launch() const {
    IsolatedResult result;
    for (int i = 0; i < m_run.launches && result.status == 0; ++i) {
      prepare();
      result.status = m_module.launch(m_arguments);
    }
    TUNECHECK_CHECK(m_where.wait());
    TUNECHECK_CHECK(m_memory.write_back());
    return result;
  }

  // Launches on the initial content until there are enough for a median, and enough time has
  // passed; a slow kernel gets fewer.
  Result<IsolatedResult> measure() const {
    constexpr std::size_t least = 25, least_of_slow = 5, most = 2000;
    constexpr auto slow = std::chrono::milliseconds(1000);
    IsolatedResult result;
    const auto started = std::chrono::steady_clock::now();
    const auto goes_on = [&] {
      const std::size_t samples = result.samples_ns.size();
      const auto elapsed = std::chrono::steady_clock::now() - started;
      if (samples < least) return samples < least_of_slow || elapsed < slow;
      return samples < most && elapsed < m_run.enough;
    };
    while (goes_on()) {
      m_memory.restore();
      prepare();
      TimedLaunch timed = m_run.hot ? hot_launch() : m_module.timed_launch(m_arguments);
      if (m_run.slowdown > 0) slow_down(timed);
      if (timed.status != 0) {
        TUNECHECK_CHECK(m_where.wait());
        return IsolatedResult{timed.status};
      }
      if (m_run.as_trials && result.samples_ns.empty()) m_memory.keep_unchanged();
      result.samples_ns.push_back(timed.elapsed_ns);
    }
    TUNECHECK_CHECK(m_where.wait());
    return result;
  }

  // It has really taken that long: the clock says when it is enough.
  void slow_down(TimedLaunch& timed) const {
    const auto begun = std::chrono::steady_clock::now();
    const auto until = begun + std::chrono::nanoseconds(static_cast<std::int64_t>(
                                   m_run.slowdown * static_cast<double>(timed.elapsed_ns)));
    auto now = begun;
    while (now < until)
      now = std::chrono::steady_clock::now();
    timed.elapsed_ns += std::chrono::nanoseconds(now - begun).count();
  }

  TimedLaunch hot_launch() const {
    if (const LaunchStatus status = m_module.launch(m_arguments); status != 0) return {status};
    return m_module.timed_hot_launch(m_arguments);
  }

  const IsolatedRun& m_run;
  const TensorMemory& m_where;
  const Module& m_module;
  RunMemory& m_memory;
  const LaunchArguments m_arguments;
};

int run_once(const char* file) {
  const auto text = read_text_file(file);
  const auto run = text ? parse_isolated_run(*text) : Result<IsolatedRun>(failure(text.error()));
  const auto result =
      run ? Runner::run(*run, CpuBackend()) : Result<IsolatedResult>(failure(run.error()));
  if (!result) {
    std::fprintf(stderr, "%s\n", result.error().text().c_str());
    return 1;
  }
  std::printf("%s\n", to_line(result).c_str());
  return 0;
}

// Whoever asked may be gone while a launch never ends; it must not keep the device.
void end_when_nobody_listens() {
  std::thread([] {
    pollfd input{STDIN_FILENO, 0, 0};
    while (::poll(&input, 1, -1) < 0 || (input.revents & (POLLHUP | POLLERR)) == 0) {
    }
    std::this_thread::sleep_for(std::chrono::seconds(30));
    ::_exit(1);
  }).detach();
}

Result<IsolatedResult> answer(const std::string& line, const Backend& backend) {
  TUNECHECK_TRY(const IsolatedRun run, parse_isolated_run(line));
  return Runner::run(run, backend);
}

// Ends with the first run that fails: what it did to this process is not known.
int serve(std::string_view name) {
  const auto say = [](const Result<IsolatedResult>& result) {
    // A line of its own, whatever a kernel or a tool has printed there before.
    const std::string text = '\n' + std::string(answer_mark) + to_line(result) + '\n';
    std::fflush(stdout);
    return write_all(STDOUT_FILENO, std::as_bytes(std::span(text))) && result.has_value();
  };
  end_when_nobody_listens();
  const auto kind = parse_device_kind(name);
  if (!kind) {
    (void)say(failure(kind.error()));
    return 1;
  }
  const AllBackends backends;
  const Backend& backend = backends.of(*kind);
  if (!say(backend.device_name().map([](const std::string&) { return IsolatedResult(); })))
    return 1;
  for (std::string line; std::getline(std::cin, line);)
    if (!say(answer(line, backend))) return 1;
  return 0;
}

}  // namespace
}  // namespace tunecheck

int main(int count, char** arguments) {
  if (count == 2) return tunecheck::run_once(arguments[1]);
  if (count == 3 && std::string_view(arguments[1]) == "--serve")
    return tunecheck::serve(arguments[2]);
  std::fputs("usage: tunecheck-runner REQUEST.json\n       tunecheck-runner --serve BACKEND\n",
             stderr);
  return 3;
}
