#pragma once
// Whether a process that is not our child has ended.
#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include <sys/types.h>

namespace tunecheck::test {

/// True as soon as the process is gone or a zombie (its new parent may never ask for its status);
/// false if it still runs after ten seconds.
[[nodiscard]] inline bool has_ended(pid_t pid) {
  using namespace std::chrono_literals;
  for (int i = 0; i < 2000; ++i) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string stat;
    if (!std::getline(file, stat)) return true;
    const std::size_t name_end = stat.rfind(')');
    if (name_end != stat.npos && stat.compare(name_end, 3, ") Z") == 0) return true;
    std::this_thread::sleep_for(5ms);
  }
  return false;
}

}  // namespace tunecheck::test
