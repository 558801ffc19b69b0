#include "gate/measure/other_work.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

#include <sys/resource.h>

namespace tunecheck::gate {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double own_seconds() {
  double sum = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    if (::getrusage(who, &used) == 0) sum += seconds(used.ru_utime) + seconds(used.ru_stime);
  }
  return sum;
}

}  // namespace

std::optional<double> busy_ticks(std::string_view text) {
  // The first line is that of all CPUs together.
  constexpr std::string_view all_cpus = "cpu ";
  if (!text.starts_with(all_cpus)) return std::nullopt;
  text.remove_prefix(all_cpus.size());
  std::istringstream line{std::string(text.substr(0, text.find('\n')))};
  std::array<double, 8> ticks{};  // user nice system idle iowait irq softirq steal
  for (double& each : ticks)
    line >> each;
  if (!line) return std::nullopt;
  constexpr std::size_t idle = 3, waiting = 4;
  double busy = 0;
  for (std::size_t i = 0; i < ticks.size(); ++i)
    if (i != idle && i != waiting) busy += ticks[i];
  return busy;
}

std::optional<OtherWork::Seen> OtherWork::look() {
  std::ifstream file("/proc/stat");
  std::string line;
  std::getline(file, line);
  const auto ticks = busy_ticks(line);
  const long ticks_per_second = ::sysconf(_SC_CLK_TCK);
  if (!ticks || ticks_per_second <= 0) return std::nullopt;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return Seen{std::chrono::duration<double>(now).count(),
              *ticks / static_cast<double>(ticks_per_second), own_seconds()};
}

OtherWork::OtherWork() : m_before(look()) {}

double OtherWork::cpus() const {
  const auto after = look();
  if (!m_before || !after || after->wall_s <= m_before->wall_s) return 0;
  const double other = (after->busy_s - m_before->busy_s) - (after->own_s - m_before->own_s);
  return std::max(0.0, other / (after->wall_s - m_before->wall_s));
}

}  // namespace tunecheck::gate
