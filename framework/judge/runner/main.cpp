// tunecheck-runner REQUEST.json: loads an artifact and launches it on tensors in files. A process
// of its own, so that what is loaded may crash or hang.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <span>

#include <sys/mman.h>

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
    std::map<std::filesystem::path, std::size_t> places;
    for (const RunTensor& tensor : run.tensors) {
      const auto [place, added] = places.emplace(tensor.file, runner.m_memory.size());
      if (added) {
        TUNECHECK_CHECK(runner.open(tensor.file));
      }
      runner.m_views.push_back({runner.m_memory[place->second].data() + tensor.byte_offset,
                                tensor.dtype, tensor.layout});
    }
    return run.measure ? runner.measure() : runner.launch();
  }

 private:
  explicit Runner(const IsolatedRun& run) : m_run(run) {}

  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  using Memory = std::unique_ptr<std::byte, Free>;

  // As allocators of tensors hand it out: in huge pages, where there are any.
  static Memory huge_pages(std::size_t bytes) {
    constexpr std::size_t page = std::size_t{2} << 20U;
    const std::size_t size = (bytes + page - 1) / page * page;
    Memory memory(static_cast<std::byte*>(std::aligned_alloc(page, size)));
    if (memory == nullptr) throw std::bad_alloc();
    (void)::madvise(memory.get(), size, MADV_HUGEPAGE);
    return memory;
  }

  // A launch whose result counts works on the file itself. One that is measured works on memory of
  // its own: writing to a file's pages costs more than many a kernel.
  Result<void> open(const std::filesystem::path& path) {
    TUNECHECK_TRY(MappedFile file, MappedFile::open(path));
    if (m_run.measure) {
      m_copies.push_back(huge_pages(file.bytes().size()));
      m_memory.emplace_back(m_copies.back().get(), file.bytes().size());
      m_initial.emplace_back(file.bytes().begin(), file.bytes().end());
    } else {
      m_memory.push_back(file.bytes());
      m_files.push_back(std::move(file));
    }
    return {};
  }

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
  // passed; a slow kernel gets fewer.
  Result<IsolatedResult> measure() const {
    constexpr std::size_t least = 25, least_of_slow = 5, most = 2000;
    constexpr auto enough = std::chrono::milliseconds(40);
    constexpr auto slow = std::chrono::milliseconds(1000);
    IsolatedResult result;
    const auto started = std::chrono::steady_clock::now();
    const auto goes_on = [&] {
      const std::size_t samples = result.samples_ns.size();
      const auto elapsed = std::chrono::steady_clock::now() - started;
      if (samples < least) return samples < least_of_slow || elapsed < slow;
      return samples < most && elapsed < enough;
    };
    while (goes_on()) {
      for (std::size_t i = 0; i < m_memory.size(); ++i)
        std::memcpy(m_memory[i].data(), m_initial[i].data(), m_initial[i].size());
      prepare();
      const TimedLaunch timed = m_module->timed_launch(arguments());
      if (timed.status != 0) return IsolatedResult{timed.status, {}};
      result.samples_ns.push_back(timed.elapsed_ns);
    }
    return result;
  }

  const IsolatedRun& m_run;
  std::unique_ptr<Module> m_module;
  std::vector<MappedFile> m_files;             // where the file itself is used
  std::vector<Memory> m_copies;                // where it is not
  std::vector<std::span<std::byte>> m_memory;  // one a file
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
