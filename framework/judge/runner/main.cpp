// tunecheck-runner REQUEST.json: loads an artifact and launches it on tensors in files. A process
// of its own, so that what is loaded may crash or hang.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "backend/cpu/cpu_backend.hpp"
#include "backend/cpu/cpu_module.hpp"
#include "core/files.hpp"
#include "core/mapped_file.hpp"
#include "judge/isolated_run.hpp"

namespace tunecheck {
namespace {

class Runner {
 public:
  static Result<IsolatedResult> run(const IsolatedRun& run) {
    Runner runner(run);
    TUNECHECK_TRY(const std::vector<std::byte> bytes, read_binary_file(run.module));
    TUNECHECK_TRY(runner.m_module, run.reference ? load_reference(Artifact{bytes})
                                                 : CpuBackend().load(Artifact{bytes}));
    for (const RunTensor& tensor : run.tensors) {
      TUNECHECK_TRY(MappedFile file, MappedFile::open(tensor.file));
      runner.m_views.push_back(
          {file.bytes().data() + tensor.byte_offset, tensor.dtype, tensor.layout});
      runner.m_initial.emplace_back(file.bytes().begin(), file.bytes().end());
      runner.m_files.push_back(std::move(file));
    }
    return run.measure ? runner.measure() : runner.launch();
  }

 private:
  explicit Runner(const IsolatedRun& run) : m_run(run) {}

  [[nodiscard]] LaunchArguments arguments() const { return {m_views, m_run.scalars}; }

  void prepare() const {
    for (const std::size_t index : m_run.zeroed)
      fill_zero(m_views.at(index));
  }

  Result<IsolatedResult> launch() const {
    IsolatedResult result;
    for (int i = 0; i < m_run.launches && result.status == 0; ++i) {
      prepare();
      result.status = m_module->launch(arguments());
    }
    return result;
  }

  // Launches on the initial content until there are enough for a median, and enough time has
  // passed.
  Result<IsolatedResult> measure() const {
    constexpr std::size_t least = 25, most = 2000;
    constexpr auto enough = std::chrono::milliseconds(40);
    std::vector<std::int64_t> samples;
    const auto started = std::chrono::steady_clock::now();
    while (samples.size() < least ||
           (samples.size() < most && std::chrono::steady_clock::now() - started < enough)) {
      for (std::size_t i = 0; i < m_files.size(); ++i)
        std::memcpy(m_files[i].bytes().data(), m_initial[i].data(), m_initial[i].size());
      prepare();
      const TimedLaunch timed = m_module->timed_launch(arguments());
      if (timed.status != 0) return IsolatedResult{timed.status, 0};
      samples.push_back(timed.elapsed_ns);
    }
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::nth_element(samples.begin(), middle, samples.end());
    return IsolatedResult{0, static_cast<double>(*middle)};
  }

  const IsolatedRun& m_run;
  std::unique_ptr<Module> m_module;
  std::vector<MappedFile> m_files;
  std::vector<std::vector<std::byte>> m_initial;
  std::vector<TensorView> m_views;
};

}  // namespace
}  // namespace tunecheck

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: tunecheck-runner REQUEST.json\n", stderr);
    return 3;
  }
  const auto run = tunecheck::read_isolated_run(arguments[1]);
  const auto result =
      run ? tunecheck::Runner::run(*run)
          : tunecheck::Result<tunecheck::IsolatedResult>(tunecheck::failure(run.error()));
  if (!result) {
    std::fprintf(stderr, "%s\n", result.error().text().c_str());
    return 1;
  }
  std::printf("%s\n", tunecheck::to_line(*result).c_str());
  return 0;
}
