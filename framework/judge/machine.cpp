// describe_machine() of session.hpp.
#include <fstream>
#include <thread>

#include <sys/utsname.h>

#include "backend/cpu/cpu_backend.hpp"
#include "judge/session.hpp"

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
  return facts;
}

}  // namespace tunecheck
