#include "harness/process/process_use.hpp"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

namespace tunecheck {

Result<ProcessUse> process_use(int process) {
  ProcessUse use;
  std::ifstream schedstat(fmt::format("/proc/{}/schedstat", process));
  if (std::int64_t ran_ns = 0; !(schedstat >> ran_ns >> use.waited_ns)) use.waited_ns = 0;
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0)
    return failure("cannot read the processor time of process {}", process);
  use.cpu_ns = std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  std::ifstream status(fmt::format("/proc/{}/status", process));
  for (std::string word; status >> word;)
    if (word == "VmRSS:") {
      status >> use.resident_kib;
      return use;
    }
  return failure("cannot read the memory of process {}", process);
}

bool has_children(int process) {
  std::error_code error;
  const std::filesystem::path threads = fmt::format("/proc/{}/task", process);
  for (std::filesystem::directory_iterator each(threads, error), end; !error && each != end;
       each.increment(error)) {
    std::ifstream children(each->path() / "children");
    if (int child = 0; children >> child) return true;
  }
  return false;
}

}  // namespace tunecheck
