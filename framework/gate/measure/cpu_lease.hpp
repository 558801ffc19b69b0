#pragma once
// Which CPU a session measures on, so that neither other work nor another session is there too.
//
// Sessions that chose the same CPU, each the last one, disturbed each other until a session of
// equal builds answered "regression". So a session looks for the CPU that does least, and takes it
// with a lock that others honour.
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "core/files.hpp"
#include "core/result.hpp"

namespace tunecheck::gate {

/// A CPU as it was while somebody looked.
struct CpuState {
  int number = 0;
  double busy = 0;        ///< the share of the time in which it worked, from 0 to 1
  std::vector<int> core;  ///< the CPUs of its physical core, itself included, in order
  double core_busy = 0;   ///< that of the busiest of them
  bool operator==(const CpuState&) const = default;
};

/// The CPUs that this thread may use, in order, watched for so long. Waits meanwhile.
[[nodiscard]] Result<std::vector<CpuState>> watch_cpus(std::chrono::milliseconds watched);

/// The same from what the kernel says: the content of /proc/stat before and after, and for each CPU
/// the list of its core ("0,4" or "0-1"), as in topology/core_cpus_list; a CPU without one is its
/// own core.
[[nodiscard]] std::vector<CpuState> cpu_states(const std::vector<int>& allowed,
                                               const std::string& before, const std::string& after,
                                               const std::vector<std::string>& cores);

/// Best first: those on idle cores, the last of them first because the first ones serve most
/// interrupts; then the others, from the least busy on.
[[nodiscard]] std::vector<CpuState> by_preference(std::vector<CpuState> cpus);

/// Where the locks are, one file for each CPU: the folder TUNECHECK_CPU_LOCKS, else one in /tmp
/// that all users share.
[[nodiscard]] std::filesystem::path cpu_lock_folder();

/// One CPU, for as long as this lives. Movable; may be used by several threads.
class CpuLease {
 public:
  /// None: nothing is pinned.
  CpuLease() = default;

  /// Chooses among `cpus`, and locks in `locks`: the whole physical core if one is free, else the
  /// CPU alone, else none. A lock ends with the process that holds it, so that a session that is
  /// killed leaves none. What cannot be had is said in text(), and the session goes on without.
  [[nodiscard]] static CpuLease take(const std::vector<CpuState>& cpus,
                                     const std::filesystem::path& locks);
  /// Of this machine as it is now; looks for a quarter of a second.
  [[nodiscard]] static CpuLease take();

  [[nodiscard]] bool has_cpu() const { return m_cpu >= 0; }
  [[nodiscard]] int cpu() const { return m_cpu; }
  /// True where no other session can take it.
  [[nodiscard]] bool is_locked() const { return !m_locks.empty(); }
  /// One sentence for the report: the CPU, how busy it was, and whether another session may use it;
  /// or why there is none.
  [[nodiscard]] const std::string& text() const { return m_text; }

 private:
  int m_cpu = -1;
  std::vector<FileDescriptor> m_locks;
  std::string m_text = "processes were not pinned";
};

}  // namespace tunecheck::gate
