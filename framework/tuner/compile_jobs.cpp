#include "tuner/compile_jobs.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sched.h>
#include <string>

namespace tunecheck {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
constexpr int least_at_once = 2;

int usable_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (::sched_getaffinity(0, sizeof cores, &cores) != 0) return std::numeric_limits<int>::max();
  return CPU_COUNT(&cores);
}

// What the kernel says could be had without swapping.
std::uint64_t available_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  for (std::uint64_t kib = 0; file >> name >> kib; std::getline(file, unit))
    if (name == "MemAvailable:") return kib * 1024;
  return unlimited;
}

// The first number of a file; "max" and a missing file are no limit.
std::uint64_t number_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  return file >> number ? number : unlimited;
}

// In the second version of cgroups; a container sees its own as the root.
std::uint64_t left_in_cgroup() {
  std::ifstream file("/proc/self/cgroup");
  std::string line;
  std::filesystem::path folder = "/sys/fs/cgroup";
  while (std::getline(file, line))
    if (line.starts_with("0::/")) folder /= line.substr(4);
  const std::uint64_t most = number_in(folder / "memory.max");
  const std::uint64_t used = number_in(folder / "memory.current");
  if (most == unlimited || used == unlimited) return unlimited;
  return most > used ? most - used : 0;
}

}  // namespace

int compile_jobs_for(int asked, int cores, std::uint64_t free_bytes,
                     std::uint64_t memory_bytes_each) {
  int most = std::max(least_at_once, cores);
  if (memory_bytes_each > 0 && free_bytes != unlimited) {
    const std::uint64_t room = free_bytes / memory_bytes_each;
    most = static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(most), room));
  }
  return std::max(1, std::min(asked, most));
}

int bounded_compile_jobs(int asked, std::uint64_t memory_bytes_each) {
  if (asked == 0) asked = std::numeric_limits<int>::max();
  if (asked <= 1) return 1;
  return compile_jobs_for(asked, usable_cores(), std::min(available_bytes(), left_in_cgroup()),
                          memory_bytes_each);
}

}  // namespace tunecheck
