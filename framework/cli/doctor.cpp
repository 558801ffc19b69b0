#include "cli/doctor.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sched.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>

#include "backend/cpu/arch.hpp"
#include "backend/cpu/shared_object.hpp"
#include "backend/cpu/toolchain.hpp"
#include "backend/gpu/driver/driver.hpp"
#include "backend/gpu/gpu_compiler.hpp"
#include "backend/gpu/runtime_compiler.hpp"
#include "cli/config/config_file.hpp"
#include "core/command.hpp"
#include "core/device_kinds.hpp"
#include "core/resources.hpp"
#include "harness/process/adapter_process.hpp"
#include "harness/process/listed_path.hpp"
#include "judge/checks/table/check.hpp"
#include "judge/run/session.hpp"
#include "observe/gpu/cupti_library.hpp"
#include "observe/programs/program_filter.hpp"
#include "observe/tools.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

using State = Finding::State;

// A package has no build: it leaves something out on purpose, or has lost it.
constexpr const char* root_remedy = "fix that file, or set TUNECHECK_ROOT";

std::string build_remedy() {
  std::error_code unknown;
  const bool is_installed = fs::exists(program_folder().parent_path() / "share/tunecheck", unknown);
  return is_installed ? "build tunecheck from source if its packages leave this out "
                        "(docs/packages.md), or else install it again"
                      : "build all of tunecheck, without naming a target";
}

// "" where it makes a library of an empty kernel: a program may answer every question and compile
// nothing.
std::string why_nothing_compiles(const Toolchain& toolchain) {
  const auto folder = TemporaryFolder::create("tunecheck-doctor");
  if (!folder) return folder.error().text();
  const fs::path source = folder->path() / "empty.cpp";
  if (const auto written = write_file(source, "extern \"C\" void empty() {}\n"); !written)
    return written.error().text();
  const auto compiled = compile_shared_object(toolchain, {folder->path(), source, {}});
  return compiled ? ""
                  : fmt::format("{} does not compile an empty function: {}",
                                toolchain.compiler().string(), compiled.error().text());
}

Finding compiler() {
  const std::string remedy = "sudo apt-get install g++, or name one in TUNECHECK_CXX";
  const auto toolchain = Toolchain::find();
  if (!toolchain) return {State::missing, "C++ compiler", toolchain.error().text(), remedy};
  const auto line = toolchain->version_line();
  if (!line) return {State::missing, "C++ compiler", line.error().text(), remedy};
  // It may answer for its version and still lack the part that compiles.
  if (const auto fingerprint = toolchain->fingerprint(); !fingerprint)
    return {State::missing, "C++ compiler", fingerprint.error().text(), remedy};
  if (const std::string why = why_nothing_compiles(*toolchain); !why.empty())
    return {State::missing, "C++ compiler", why, remedy};
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
            "use Linux 3.17 or newer, without a filter on this system call"};
  return {State::ok, "memfd_create", "works", ""};
}

// Optional: without it a run says what it cannot see.
Finding programs() {
  const std::string why = why_programs_are_not_seen();
  if (why.empty())
    return {State::ok, "seccomp notification", "programs past the spies are seen", ""};
  return {State::optional, "seccomp notification", why,
          "use Linux 5.5 or newer, in a container that allows the system call seccomp"};
}

Finding temporary_folder() {
  const auto folder = TemporaryFolder::create("tunecheck-doctor");
  if (!folder)
    return {State::missing, "temporary folder", folder.error().text(), "set TMPDIR to a folder"};
  // Links are made there to the libraries that processes load, if the libraries' own names cannot
  // be listed.
  if (const auto listed = ListedPath::create(program_folder()); !listed)
    return {State::missing, "temporary folder", listed.error().text(), "set TMPDIR to another"};
  return {State::ok, "temporary folder", folder->path().parent_path().string(), ""};
}

Finding tool(const char* what, const Result<std::filesystem::path>& path) {
  if (!path) return {State::missing, what, path.error().text(), build_remedy()};
  return {State::ok, what, path->string(), ""};
}

// Optional: only a run on a GPU needs it.
Finding gpu_tool(const char* what, const Result<std::filesystem::path>& path) {
  Finding finding = tool(what, path);
  if (finding.state == State::missing) finding.state = State::optional;
  return finding;
}

// `trouble` is "what is missing: how to get it", as libraries put it.
Finding without(const std::string& what, const std::string& trouble) {
  const std::size_t colon = trouble.find(": ");
  if (colon == std::string::npos) return {State::optional, what, trouble, build_remedy()};
  return {State::optional, what, trouble.substr(0, colon), trouble.substr(colon + 2)};
}

// Optional: what a run with --backend cuda or hip is about.
Finding gpu_device(DeviceKind backend) {
  const std::string what = fmt::format("{} device", name_of(backend));
  const auto driver = gpu::GpuDriver::open(backend);
  if (!driver) return without(what, driver.error().text());
  int devices = 0;
  std::array<char, 256> first{};
  const auto& functions = (*driver)->functions();
  const auto counted =
      (*driver)->check(functions.device_count(&devices), "devices are not counted");
  if (!counted || devices == 0)
    return {State::optional, what,
            counted ? (*driver)->version() + " finds no device" : counted.error().text(),
            fmt::format("a GPU, for `run --backend {}`", name_of(backend))};
  (void)functions.device_name(first.data(), static_cast<int>(first.size()) - 1, 0);
  return {State::ok, what, fmt::format("{}, {} in all", first.data(), devices), ""};
}

// Optional: what the GPU probe sees a driver's calls by.
Finding cupti() {
  if (const auto opened = gpu::open_cupti(); !opened)
    return {State::optional, "CUPTI", opened.error().text(),
            "install the CUDA toolkit or PyPI's nvidia-cuda-cupti, or set TUNECHECK_CUPTI to "
            "libcupti.so"};
  return {State::ok, "CUPTI", "can be opened", ""};
}

Finding runner() {
  const auto program = program_folder() / "tunecheck-runner";
  if (find_program(program.string()).empty())
    return {State::missing, "runner", fmt::format("there is no {}", program.string()),
            build_remedy()};
  return {State::ok, "runner", program.string(), ""};
}

// Optional: without it GPU kernels are not compiled, and all else works.
Finding gpu_compiler(DeviceKind backend) {
  const GpuCompilerState state = examine_gpu_compiler(backend);
  const std::string what = fmt::format("{} compiler", name_of(backend));
  if (state.missing.empty()) return {State::ok, what, state.version, ""};
  return without(what, state.missing);
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
        info, fmt::format("\"{}\" is neither next to tunecheck nor in PATH", info.command.front()),
        build_remedy());
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
  if (!read) return {{State::missing, "adapters", with_root(read.error()).text(), root_remedy}};
  std::vector<Finding> findings;
  for (const auto& [name, info] : *read)
    findings.push_back(adapter(info));
  return findings;
}

Finding mutants() {
  const auto listed = list_mutants();
  if (!listed) return {State::optional, "mutants", listed.error().text(), build_remedy()};
  return {State::ok, "mutants", fmt::format("{} planted bugs for `audit`", listed->size()), ""};
}

Finding redis_server() {
  const fs::path program = find_program("redis-server");
  if (!program.empty() && !find_program("redis-cli").empty())
    return {State::ok, "Redis", program.string() + ", for scenarios with a remote cache", ""};
  return {State::optional, "Redis",
          "no redis-server: scenarios with a remote cache on Redis are unsupported",
          "sudo apt-get install redis-server"};
}

// The tuner's own program says it, as only that one knows the tuner.
Finding remote_cache() {
  const char* const named = std::getenv("TUNECHECK_REMOTE");
  if (named == nullptr || *named == '\0')
    return {State::ok, "remote cache", "none is named in TUNECHECK_REMOTE", ""};
  CommandOptions asking;
  asking.arguments = {(program_folder() / "tunecheck-cache").string(), "remote"};
  const auto asked = run_command(asking);
  const std::string remedy = "see docs/remote-cache.md, or unset TUNECHECK_REMOTE";
  if (!asked) return {State::optional, "remote cache", asked.error().text(), remedy};
  std::string text = asked->output;
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (asked->end.success()) return {State::ok, "remote cache", text, ""};
  return {State::optional, "remote cache", text, remedy};
}

Finding config_file() {
  const fs::path& file = used_config();
  return {
      State::ok, "options from a file",
      file.empty() ? fmt::format("none: there is no {} here or above", config_name) : file.string(),
      ""};
}

Finding catalogue() {
  const auto read = read_catalogue({});
  const Resources resources = find_resources();
  if (!read) return {State::missing, "scenarios", with_root(read.error()).text(), root_remedy};
  return {State::ok, "scenarios",
          fmt::format("{} with {} checks on {} kernels, in {}", read->scenarios.size(),
                      all_checks().size(), read->kernels.size() + read->test_kernels.size(),
                      resources.scenarios.string()),
          ""};
}

}  // namespace

std::vector<Finding> examine_machine() {
  std::vector<Finding> findings = {config_file(),
                                   cores(),
                                   archs(),
                                   memory_files(),
                                   programs(),
                                   temporary_folder(),
                                   compiler(),
                                   other_compiler(),
                                   tool("compiler spy", find_compiler_spy()),
                                   tool("launch probe", find_launch_probe()),
                                   tool("FFTW probe", find_fftw_probe()),
                                   tool("watch library", find_watch_library()),
                                   runner()};
  for (const DeviceKind backend : gpu_kinds)
    findings.push_back(gpu_compiler(backend));
  for (const DeviceKind backend : gpu_kinds)
    findings.push_back(gpu_device(backend));
  findings.push_back(cupti());
  findings.push_back(gpu_tool("GPU probe", find_gpu_probe(DeviceKind::cuda)));
  findings.push_back(gpu_tool("watch library for CUDA", find_gpu_watch_library()));
  findings.push_back(gpu_tool("HIP probe", find_gpu_probe(DeviceKind::hip)));
  findings.push_back(gpu_tool("Vulkan observer", find_vulkan_layer()));
  findings.push_back(gpu_tool("NVRTC spy", find_library_spy(DeviceKind::cuda)));
  findings.push_back(gpu_tool("HIPRTC spy", find_library_spy(DeviceKind::hip)));
  for (Finding& finding : adapters())
    findings.push_back(std::move(finding));
  findings.push_back(redis_server());
  findings.push_back(remote_cache());
  findings.push_back(mutants());
  findings.push_back(catalogue());
  return findings;
}

}  // namespace tunecheck::cli
