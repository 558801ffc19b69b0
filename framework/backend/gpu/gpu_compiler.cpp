#include "backend/gpu/gpu_compiler.hpp"

#include <algorithm>
#include <optional>

#include "backend/gpu/compile_lines.hpp"
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

// The C++ type of an element; bf16 and f16 are those of gpu_kernel.h.
std::string element_type(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return "double";
    case DType::f32:
      return "float";
    case DType::bf16:
      return "tunecheck::bf16";
    case DType::f16:
      return "tunecheck::f16";
    case DType::i32:
      return "int";
    case DType::i64:
      return "int64_t";
    case DType::u8:
      return "unsigned char";
  }
  return "";
}

std::vector<std::string> options_of(const CompileRequest& request) {
  const KernelDefinition& kernel = *request.kernel;
  std::vector<std::string> options = {"-std=c++17", "-I" + find_resources().gpu_include.string(),
                                      "-I" + fs::absolute(kernel.folder).string()};
  for (const auto& [parameter, value] : request.config)
    options.push_back(fmt::format("-D{}={}", upper_case(parameter), value));
  for (std::size_t i = 0; i < kernel.tensors.size(); ++i)
    options.push_back(fmt::format("-D{}_TYPE={}", upper_case(kernel.tensors[i].name),
                                  element_type(request.dtypes[i])));
  options.push_back(fmt::format("-DTUNECHECK_CONFIG=\"{}\"", to_string(request.config)));
  options.insert(options.end(), request.options.begin(), request.options.end());
  return options;
}

// One child with its greeting read; the error says what is missing.
class Child {
 public:
  static Result<Child> start(std::string_view backend, const fs::path& folder) {
    CommandOptions options;
    options.arguments = {(program_folder() / "tunecheck-gpu-compiler").string(),
                         std::string(backend)};
    // NVRTC looks for devices although it needs none, and that takes longer than to compile.
    if (backend == "cuda") {
      options.environment = current_environment();
      (*options.environment)["CUDA_VISIBLE_DEVICES"] = "";
    }
    const fs::path log = folder / "log";
    TUNECHECK_TRY(LineProcess process, LineProcess::start(options, log));
    Child child(std::move(process), folder);
    const auto read = child.m_process.read_line(30s);
    if (read.state != LineProcess::ReadState::line)
      return failure("the {} compiler does not start: {}", backend,
                     child.m_process.wait(1s).text());
    TUNECHECK_TRY(child.m_version, parse_greeting(read.line));
    return child;
  }

  const std::string& version() const { return m_version; }

  // Nothing where the child is gone: then it takes no further request.
  std::optional<Result<Artifact>> compile(const CompileRequest& request) {
    const fs::path out = m_folder / "artifact";
    CompileLine line{fs::absolute(request.kernel->gpu->source), request.arch, options_of(request),
                     out};
    if (!m_process.write_line(to_line(line))) return std::nullopt;
    const auto read = m_process.read_line(compile_time_limit);
    if (read.state != LineProcess::ReadState::line) {
      m_end = read.state == LineProcess::ReadState::timed_out ? "no end within the time limit"
                                                              : m_process.wait(1s).text();
      return std::nullopt;
    }
    return read_artifact(read.line, out);
  }

  const std::string& end() const { return m_end; }

 private:
  Child(LineProcess process, fs::path folder)
      : m_process(std::move(process)), m_folder(std::move(folder)) {}

  static Result<Artifact> read_artifact(const std::string& line, const fs::path& out) {
    TUNECHECK_CHECK(parse_outcome(line));
    Artifact artifact;
    TUNECHECK_TRY(artifact.bytes, read_binary_file(out));
    return artifact;
  }

  LineProcess m_process;
  fs::path m_folder;
  std::string m_version;
  std::string m_end;
};

// A share of the requests, one after the other in one child, and in a new one where that died.
void compile_share(std::string_view backend, std::span<const CompileRequest> requests,
                   std::span<Result<Artifact>> results) {
  const auto folder = TemporaryFolder::create("tunecheck-gpu");
  std::optional<Child> child;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!folder) {
      results[i] = failure(folder.error());
      continue;
    }
    if (!requests[i].kernel->gpu) {
      results[i] = failure("the kernel \"{}\" has no gpu source", requests[i].kernel->name);
      continue;
    }
    if (!child) {
      auto started = Child::start(backend, folder->path());
      if (!started) {
        results[i] = failure(started.error());
        continue;
      }
      child.emplace(std::move(*started));
    }
    auto compiled = child->compile(requests[i]);
    if (compiled) {
      results[i] = std::move(*compiled);
    } else {
      results[i] = failure("the compiler itself died ({}) for arch {}; does it know that arch?",
                           child->end(), requests[i].arch);
      child.reset();
    }
  }
}

}  // namespace

GpuCompilerState examine_gpu_compiler(std::string_view backend) {
  const auto folder = TemporaryFolder::create("tunecheck-gpu");
  if (!folder) return {"", folder.error().text()};
  const auto child = Child::start(backend, folder->path());
  if (!child) return {"", child.error().message};
  return {child->version(), ""};
}

std::vector<Result<Artifact>> compile_gpu_all(std::string_view backend,
                                              std::span<const CompileRequest> requests, int jobs) {
  std::vector<Result<Artifact>> results(requests.size(), failure("not compiled"));
  const std::size_t shares = std::min(worker_count(jobs), requests.size());
  in_parallel(shares, shares, [&](std::size_t share) {
    const std::size_t first = requests.size() * share / shares;
    const std::size_t end = requests.size() * (share + 1) / shares;
    compile_share(backend, requests.subspan(first, end - first),
                  std::span(results).subspan(first, end - first));
  });
  return results;
}

}  // namespace tunecheck
