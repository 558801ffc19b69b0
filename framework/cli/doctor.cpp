#include "cli/doctor.hpp"

#include <array>
#include <dlfcn.h>
#include <sched.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>

#include "backend/cpu/arch.hpp"
#include "backend/cpu/toolchain.hpp"
#include "backend/gpu/gpu_compiler.hpp"
#include "backend/gpu/runtime_compiler.hpp"
#include "core/command.hpp"
#include "core/resources.hpp"
#include "judge/adapter_process.hpp"
#include "judge/check.hpp"
#include "judge/session.hpp"
#include "observe/tools.hpp"

namespace tunecheck::cli {
namespace {

using State = Finding::State;

constexpr const char* build_remedy = "build all of tunecheck, without naming a target";

Finding compiler() {
  const std::string remedy = "sudo apt-get install g++, or name one in TUNECHECK_CXX";
  const auto toolchain = Toolchain::find();
  if (!toolchain) return {State::missing, "C++ compiler", toolchain.error().text(), remedy};
  const auto line = toolchain->version_line();
  if (!line) return {State::missing, "C++ compiler", line.error().text(), remedy};
  // It may answer for its version and still lack the part that compiles.
  if (const auto fingerprint = toolchain->fingerprint(); !fingerprint)
    return {State::missing, "C++ compiler", fingerprint.error().text(), remedy};
  return {State::ok, "C++ compiler", fmt::format("{} ({})", toolchain->compiler().string(), *line),
          ""};
}

Finding other_compiler() {
  const auto clang = find_program("clang++");
  if (clang.empty())
    return {State::optional, "clang++", "not in PATH; kernels are compiled with the one above",
            "sudo apt-get install clang"};
  return {State::ok, "clang++", clang.string(), ""};
}

Finding archs() {
  return {State::ok, "archs", fmt::format("{}", fmt::join(runnable_cpu_archs(), ", ")), ""};
}

Finding cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const int count = ::sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
  return {State::ok, "cores", std::to_string(count), ""};
}

Finding memory_files() {
  const FileDescriptor file(::memfd_create("tunecheck-doctor", MFD_CLOEXEC));
  if (!file.valid())
    return {State::missing, "memfd_create", last_system_error(),
            "Linux 3.17 or newer, and no filter on this system call"};
  return {State::ok, "memfd_create", "works", ""};
}

Finding temporary_folder() {
  const auto folder = TemporaryFolder::create("tunecheck-doctor");
  if (!folder)
    return {State::missing, "temporary folder", folder.error().text(), "set TMPDIR to one"};
  return {State::ok, "temporary folder", folder->path().parent_path().string(), ""};
}

Finding tool(const char* what, const Result<std::filesystem::path>& path) {
  if (!path) return {State::missing, what, path.error().text(), build_remedy};
  return {State::ok, what, path->string(), ""};
}

// Optional: only a run on a GPU needs it.
Finding gpu_tool(const char* what, const Result<std::filesystem::path>& path) {
  Finding finding = tool(what, path);
  if (finding.state == State::missing) finding.state = State::optional;
  return finding;
}

// Optional: the device that a run with --backend cuda is about.
Finding cuda_device() {
  const char* const what = "CUDA device";
  const char* const remedy = "a GPU with NVIDIA's driver, for `run --backend cuda`";
  // Stays open: a driver is not made to be closed.
  void* const driver = ::dlopen("libcuda.so.1", RTLD_LAZY);
  if (driver == nullptr)
    return {State::optional, what, "no CUDA driver: there is no libcuda.so.1", remedy};
  const auto init = reinterpret_cast<int (*)(unsigned)>(::dlsym(driver, "cuInit"));
  const auto count = reinterpret_cast<int (*)(int*)>(::dlsym(driver, "cuDeviceGetCount"));
  const auto name = reinterpret_cast<int (*)(char*, int, int)>(::dlsym(driver, "cuDeviceGetName"));
  int status = -1, devices = 0;
  if (init != nullptr && count != nullptr && name != nullptr) status = init(0);
  if (status == 0) status = count(&devices);
  if (status != 0 || devices == 0)
    return {State::optional, what, fmt::format("the driver finds no device (status {})", status),
            remedy};
  std::array<char, 256> first{};
  (void)name(first.data(), static_cast<int>(first.size()) - 1, 0);
  return {State::ok, what, fmt::format("{}, {} in all", first.data(), devices), ""};
}

Finding runner() {
  const auto program = program_folder() / "tunecheck-runner";
  if (find_program(program.string()).empty())
    return {State::missing, "runner", fmt::format("there is no {}", program.string()),
            build_remedy};
  return {State::ok, "runner", program.string(), ""};
}

// Optional: without it GPU kernels are not compiled, and all else works.
Finding gpu_compiler(const std::string& backend) {
  const GpuCompilerState state = examine_gpu_compiler(backend);
  const std::string what = backend + " compiler";
  if (state.missing.empty()) return {State::ok, what, state.version, ""};
  const std::size_t colon = state.missing.find(": ");
  if (colon == std::string::npos) return {State::optional, what, state.missing, build_remedy};
  return {State::optional, what, state.missing.substr(0, colon), state.missing.substr(colon + 2)};
}

// Without the reference tuner's, a plain `run` cannot work; another is its user's choice.
Finding lacking_adapter(const AdapterInfo& info, std::string text, std::string remedy) {
  return {info.name == "reference" ? State::missing : State::optional, "adapter " + info.name,
          std::move(text), std::move(remedy)};
}

// What its tuner needs is known to the adapter alone, so it is asked. It says what is missing and,
// behind a semicolon, how to get it.
Finding adapter(const AdapterInfo& info) {
  const auto program = locate_program(info);
  if (program.empty())
    return lacking_adapter(
        info, fmt::format("\"{}\" is neither beside tunecheck nor in PATH", info.command.front()),
        build_remedy);
  const auto folder = TemporaryFolder::create("tunecheck-doctor");
  if (!folder) return lacking_adapter(info, folder.error().text(), "set TMPDIR to a folder");
  AdapterLaunch launch;
  launch.adapter = &info;
  launch.environment = current_environment();
  launch.environment[info.cache_variable] = folder->path().string();
  launch.folder = folder->path();
  launch.log = folder->path() / "adapter.log";
  launch.time_limit = info.time_limit;
  launch.backend = info.backends.front();
  auto process = AdapterProcess::start(launch);
  if (process) {
    const std::string tuner = process->hello().tuner + " " + process->hello().tuner_version;
    (void)process->finish();
    return {State::ok, "adapter " + info.name, fmt::format("{}, by {}", tuner, program.string()),
            ""};
  }
  const std::string message = process.error().message;
  const std::size_t semicolon = message.rfind("; ");
  if (semicolon == message.npos)
    return lacking_adapter(info, message, "docs/writing-an-adapter.md");
  return lacking_adapter(info, message.substr(0, semicolon), message.substr(semicolon + 2));
}

std::vector<Finding> adapters() {
  const auto read = read_adapters(find_resources().adapters);
  if (!read) return {{State::missing, "adapters", read.error().text(), "mend that file"}};
  std::vector<Finding> findings;
  for (const auto& [name, info] : *read)
    findings.push_back(adapter(info));
  return findings;
}

Finding mutants() {
  const auto listed = list_mutants();
  if (!listed) return {State::optional, "mutants", listed.error().text(), build_remedy};
  return {State::ok, "mutants", fmt::format("{} planted bugs for `audit`", listed->size()), ""};
}

Finding catalogue() {
  const auto read = read_catalogue({});
  const Resources resources = find_resources();
  if (!read)
    return {State::missing, "scenarios", read.error().text(),
            "mend that file, or set TUNECHECK_ROOT"};
  return {State::ok, "scenarios",
          fmt::format("{} with {} checks on {} kernels, in {}", read->scenarios.size(),
                      all_checks().size(), read->kernels.size() + read->test_kernels.size(),
                      resources.scenarios.string()),
          ""};
}

}  // namespace

std::vector<Finding> examine_machine() {
  std::vector<Finding> findings = {cores(),
                                   archs(),
                                   memory_files(),
                                   temporary_folder(),
                                   compiler(),
                                   other_compiler(),
                                   tool("compiler spy", find_compiler_spy()),
                                   tool("launch probe", find_launch_probe()),
                                   runner()};
  for (const std::string& backend : gpu_backends())
    findings.push_back(gpu_compiler(backend));
  findings.push_back(cuda_device());
  findings.push_back(gpu_tool("GPU probe", find_gpu_probe()));
  findings.push_back(gpu_tool("NVRTC spy", find_library_spy("cuda")));
  findings.push_back(gpu_tool("HIPRTC spy", find_library_spy("hip")));
  for (Finding& finding : adapters())
    findings.push_back(std::move(finding));
  findings.push_back(mutants());
  findings.push_back(catalogue());
  return findings;
}

}  // namespace tunecheck::cli
