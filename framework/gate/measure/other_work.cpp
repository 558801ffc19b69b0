#include "gate/measure/other_work.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <unistd.h>

#include <sys/resource.h>

#include "core/in_parallel.hpp"

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

std::optional<BusyTicks> busy_ticks(std::string_view text, const std::vector<int>& cpus) {
  BusyTicks all;
  std::size_t found = 0;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    int number = 0, read = 0;
    if (std::sscanf(line.c_str(), "cpu%d %n", &number, &read) != 1 || read == 0) continue;
    std::istringstream words(line.substr(static_cast<std::size_t>(read)));
    std::array<double, 8> ticks{};  // user nice system idle iowait irq softirq steal
    for (double& each : ticks)
      words >> each;
    if (!words) return std::nullopt;
    constexpr std::size_t idle = 3, waiting = 4;
    double busy = 0;
    for (std::size_t i = 0; i < ticks.size(); ++i)
      if (i != idle && i != waiting) busy += ticks[i];
    const bool is_here = std::find(cpus.begin(), cpus.end(), number) != cpus.end();
    (is_here ? all.here : all.elsewhere) += busy;
    if (is_here) ++found;
  }
  if (cpus.empty() || found != cpus.size()) return std::nullopt;
  return all;
}

std::optional<OtherWork::Seen> OtherWork::look() const {
  std::ifstream file("/proc/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto ticks = busy_ticks(text, m_allowed);
  const auto ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
  if (!ticks || ticks_per_second <= 0) return std::nullopt;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return Seen{std::chrono::duration<double>(now).count(), ticks->here / ticks_per_second,
              ticks->elsewhere / ticks_per_second, own_seconds()};
}

OtherWork::OtherWork() : m_allowed(allowed_cpus()), m_before(look()) {}

OtherWork::Cpus OtherWork::cpus() const {
  const auto after = look();
  if (!m_before || !after || after->wall_s <= m_before->wall_s) return {};
  const double wall_s = after->wall_s - m_before->wall_s;
  const double own_s = after->own_s - m_before->own_s;
  const double here_s = after->here_s - m_before->here_s;
  const double elsewhere_s = after->elsewhere_s - m_before->elsewhere_s;
  return {std::max(0.0, (here_s - own_s) / wall_s), std::max(0.0, elsewhere_s / wall_s)};
}

}  // namespace tunecheck::gate
