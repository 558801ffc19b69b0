// describe_machine() of session.hpp.
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include <sys/utsname.h>

#include "backend/cpu/cpu_backend.hpp"
#include "judge/run/session.hpp"
#include "observe/programs/program_filter.hpp"

namespace tunecheck {
namespace {

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name"))
      if (const std::size_t colon = line.find(": "); colon != line.npos)
        return line.substr(colon + 2);
  return "unknown";
}

// The first line, "" where there is none.
std::string first_line(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

// "NVIDIA H100 80GB HBM3", several with a comma between them. Needs no library of the driver's.
std::string nvidia_gpus() {
  std::set<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/driver/nvidia/gpus", error))
    files.insert((entry.path() / "information").string());
  std::string names;
  for (const std::string& file : files) {
    const std::string line = first_line(file);
    const std::size_t name = line.find_first_not_of(" \t", std::string_view("Model:").size());
    if (line.starts_with("Model:") && name != line.npos)
      names += (names.empty() ? "" : ", ") + line.substr(name);
  }
  return names;
}

// How fast a CPU or GPU may run, as far as files say so.
void add_speed(std::map<std::string, std::string>& facts) {
  const std::filesystem::path cpu = "/sys/devices/system/cpu";
  const std::map<std::string, std::string> known = {
      {"governor", first_line(cpu / "cpu0/cpufreq/scaling_governor")},
      {"max_frequency_khz", first_line(cpu / "cpu0/cpufreq/scaling_max_freq")},
      {"boost", first_line(cpu / "cpufreq/boost")},
      {"no_turbo", first_line(cpu / "intel_pstate/no_turbo")},
      {"gpu_driver", first_line("/sys/module/nvidia/version")},
      {"gpus", nvidia_gpus()}};
  for (const auto& [fact, value] : known)
    if (!value.empty()) facts[fact] = value;
}

}  // namespace

std::map<std::string, std::string> describe_machine() {
  utsname system{};
  ::uname(&system);
  std::map<std::string, std::string> facts = {
      {"host", system.nodename},
      {"system", fmt::format("{} {}", system.sysname, system.release)},
      {"machine", system.machine},
      {"cpu", cpu_name()},
      {"cores", std::to_string(std::thread::hardware_concurrency())},
  };
  const auto toolchain = Toolchain::find();
  const auto compiler = toolchain ? toolchain->version_line() : Result<std::string>("none");
  facts["compiler"] = compiler ? *compiler : "unknown";
  const auto arch = CpuBackend().resolve_arch("native");
  facts["arch"] = arch ? *arch : "unknown";
  add_speed(facts);
  // What a run on this machine could not see is said with it, in every report.
  if (const std::string why = why_programs_are_not_seen(); !why.empty())
    facts["not_seen"] = "programs that are started past the spies: " + why;
  return facts;
}

std::string machine_name(const std::map<std::string, std::string>& facts, bool with_gpus) {
  std::string name = fmt::format("{}, {} cores", facts.at("cpu"), facts.at("cores"));
  if (with_gpus && facts.contains("gpus")) name += ", " + facts.at("gpus");
  return name;
}

}  // namespace tunecheck
