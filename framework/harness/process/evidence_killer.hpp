#pragma once
// Kills a process once observers have seen it do something, at once or after it has stood still.
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

#include "harness/process/process_setup.hpp"

namespace tunecheck {

/// Reads a process's evidence while it runs. Owns a thread from construction to destruction.
class EvidenceKiller {
 public:
  /// `setup.kill` says what to wait for: compiles, or launches of `kernel`. The process must run
  /// still.
  EvidenceKiller(const ProcessSetup& setup, std::filesystem::path evidence, std::string kernel,
                 int process);
  ~EvidenceKiller() = default;
  EvidenceKiller(const EvidenceKiller&) = delete;
  EvidenceKiller& operator=(const EvidenceKiller&) = delete;

  /// CLOCK_MONOTONIC of the kill in ns; 0 as long as it has not come to that.
  [[nodiscard]] std::int64_t killed_ns() const { return m_killed_ns; }

 private:
  std::atomic<std::int64_t> m_killed_ns{0};
  std::jthread m_thread;  // declared last: ends first
};

}  // namespace tunecheck
