#include "backend/gpu/gpu_compiler.hpp"

#include <algorithm>
#include <charconv>
#include <deque>

#include "backend/gpu/compile_lines.hpp"
#include "backend/kernel_options.hpp"
#include "core/command.hpp"
#include "core/files.hpp"
#include "core/in_parallel.hpp"
#include "core/resources.hpp"
#include "core/text.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto compile_time_limit = 2min;

std::vector<std::string> options_of(DeviceKind backend, const CompileRequest& request) {
  // No arch is given: the compiler's child gets it by itself.
  std::vector<std::string> options =
      kernel_build(backend, *request.kernel, request.dtypes, "", request.options).options;
  const std::vector<std::string> config = config_options(backend, request.config);
  options.insert(options.end(), config.begin(), config.end());
  return options;
}

// One child with its greeting read; the error says what is missing. It compiles `threads` requests
// at a time.
class Child {
 public:
  static Result<Child> start(DeviceKind backend, const fs::path& folder, std::size_t threads) {
    CommandOptions options;
    TUNECHECK_TRY(const fs::path program, find_own_file("tunecheck-gpu-compiler"));
    options.arguments = {program.string(), std::string(name_of(backend)), std::to_string(threads)};
    auto& environment = options.environment.emplace(current_environment());
    // NVRTC looks for devices although it needs none, and that takes longer than to compile.
    if (backend == DeviceKind::cuda) environment["CUDA_VISIBLE_DEVICES"] = "";
    // Each thread's heap grows by megabytes: in huge pages eight compiles take 3,100 page faults
    // and not 24,300, for which they would wait for each other. A later glibc ignores what it does
    // not know, and so does another C library.
    environment.emplace("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1:glibc.malloc.top_pad=33554432");
    TUNECHECK_TRY(LineProcess process, LineProcess::start(options, folder / "log"));
    Child child(std::move(process), folder);
    const auto read = child.m_process.read_line(30s);
    if (read.state != LineProcess::ReadState::line)
      return failure("the {} compiler does not start: {}", name_of(backend),
                     child.m_process.wait(1s).text());
    TUNECHECK_TRY(child.m_version, parse_greeting(read.line));
    return child;
  }

  const std::string& version() const { return m_version; }

  /// `number` comes back with the answer.
  void ask(DeviceKind backend, std::size_t number, const CompileRequest& request) {
    const CompileLine line{number, fs::absolute(request.kernel->gpu->source),
                           gpu_arch_for(backend, *request.kernel, request.arch),
                           options_of(backend, request), artifact(number)};
    // A child that reads no more does not answer either.
    (void)m_process.write_line(to_line(line));
  }

  struct Answer {
    std::size_t number = 0;
    Result<Artifact> artifact;
  };
  /// The next one that is done. The error says how the child ended: then none will come.
  Result<Answer> next() {
    const auto read = m_process.read_line(compile_time_limit);
    if (read.state == LineProcess::ReadState::timed_out)
      return failure("no end within the time limit");
    if (read.state != LineProcess::ReadState::line) return failure("{}", m_process.wait(1s).text());
    TUNECHECK_TRY(const CompileOutcome outcome, parse_outcome(read.line));
    if (!outcome.done) return Answer{outcome.number, failure(outcome.done.error())};
    return Answer{outcome.number, compiled(outcome.number)};
  }

 private:
  Child(LineProcess process, fs::path folder)
      : m_process(std::move(process)), m_folder(std::move(folder)) {}

  fs::path artifact(std::size_t number) const { return m_folder / std::to_string(number); }

  Result<Artifact> compiled(std::size_t number) const {
    Artifact artifact;
    TUNECHECK_TRY(artifact.bytes, read_binary_file(this->artifact(number)));
    return artifact;
  }

  LineProcess m_process;
  fs::path m_folder;
  std::string m_version;
};

// Compiles many requests in one child after the other: a process that opens its own compiler
// spends more on page faults than on a small kernel, and the more so the more there are at once.
class Compiling {
 public:
  Compiling(DeviceKind backend, const fs::path& folder, std::span<const CompileRequest> requests,
            const OnCompiled& done)
      : m_backend(backend),
        m_folder(folder),
        m_requests(requests),
        m_done(done),
        m_results(requests.size(), failure("not compiled")) {}

  std::vector<Result<Artifact>> run(std::size_t threads) {
    for (std::size_t i = 0; i < m_requests.size(); ++i) {
      if (m_requests[i].kernel->gpu)
        m_waiting.push_back(i);
      else
        finish(i, failure("the kernel \"{}\" has no gpu source", m_requests[i].kernel->name));
    }
    while (!m_waiting.empty())
      compile_together(threads);
    return std::move(m_results);
  }

 private:
  void finish(std::size_t place, Result<Artifact> result) {
    m_results.at(place) = std::move(result);
    if (m_done) m_done(place, m_results[place]);
  }

  // Those that are waiting. Where the child dies, any of those that it was busy with may be why:
  // each of them has a child of its own, and then no other is to blame.
  void compile_together(std::size_t threads) {
    const Left left = compile(m_waiting, threads);
    if (left.busy.size() == 1) blame(left.busy.front(), left.why);
    if (left.busy.size() > 1)
      for (const std::size_t suspect : left.busy) {
        std::deque<std::size_t> alone = {suspect};
        const Left again = compile(alone, 1);
        if (!again.busy.empty()) blame(suspect, again.why);
      }
  }

  struct Left {
    std::vector<std::size_t> busy;  // asked for and not answered when the child ended
    std::string why;
  };
  // Takes from `waiting` until it is empty or the child has ended.
  Left compile(std::deque<std::size_t>& waiting, std::size_t threads) {
    auto child = Child::start(m_backend, m_folder, std::min(threads, waiting.size()));
    if (!child) {
      for (const std::size_t i : waiting)
        finish(i, failure(child.error()));
      waiting.clear();
      return {};
    }
    std::vector<std::size_t> busy;
    while (!waiting.empty() || !busy.empty()) {
      for (; !waiting.empty() && busy.size() < threads; waiting.pop_front()) {
        busy.push_back(waiting.front());
        child->ask(m_backend, busy.back(), m_requests[busy.back()]);
      }
      auto answer = child->next();
      if (!answer) return {std::move(busy), answer.error().text()};
      std::erase(busy, answer->number);
      finish(answer->number, std::move(answer->artifact));
    }
    return {};
  }

  void blame(std::size_t place, const std::string& why) {
    finish(place, failure("the compiler itself died ({}) for arch {}; does it know that arch?", why,
                          m_requests[place].arch));
  }

  DeviceKind m_backend;
  fs::path m_folder;
  std::span<const CompileRequest> m_requests;
  const OnCompiled& m_done;
  std::vector<Result<Artifact>> m_results;
  std::deque<std::size_t> m_waiting;
};

}  // namespace

GpuCompilerState examine_gpu_compiler(DeviceKind backend) {
  const auto folder = TemporaryFolder::create("tunecheck-gpu");
  if (!folder) return {"", folder.error().text()};
  const auto child = Child::start(backend, folder->path(), 1);
  if (!child) return {"", child.error().message};
  return {child->version(), ""};
}

std::string gpu_arch_for(DeviceKind backend, const KernelDefinition& kernel, std::string arch) {
  constexpr std::string_view beginning = "sm_";
  constexpr int first_with_features = 90;
  if (backend != DeviceKind::cuda || !kernel.gpu || !kernel.gpu->arch_features ||
      !arch.starts_with(beginning))
    return arch;
  int number = 0;
  const char* const end = arch.data() + arch.size();
  const auto read = std::from_chars(arch.data() + beginning.size(), end, number);
  if (read.ptr == end && number >= first_with_features) arch += 'a';
  return arch;
}

std::vector<Result<Artifact>> compile_gpu_all(DeviceKind backend,
                                              std::span<const CompileRequest> requests, int jobs,
                                              const OnCompiled& done) {
  const auto folder = TemporaryFolder::create("tunecheck-gpu");
  if (folder) return Compiling(backend, folder->path(), requests, done).run(worker_count(jobs));
  for (std::size_t i = 0; i < requests.size() && done; ++i)
    done(i, failure(folder.error()));
  return {requests.size(), failure(folder.error())};
}

}  // namespace tunecheck
