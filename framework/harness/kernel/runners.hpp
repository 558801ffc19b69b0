#pragma once
// Where isolated runs of one backend take place.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/device_kinds.hpp"
#include "harness/kernel/isolated_run.hpp"

namespace tunecheck {

/// On the CPU each run has a process of its own. On a GPU, where a context costs tenths of a
/// second, processes are kept and serve one run after the other, as many of them as there are
/// threads that ask at once; a run that harms its process ends that process and no other. All
/// members but the destructor may be called by several threads at once.
class Runners {
 public:
  /// `under` is a tool and its arguments, put in front of the runner's command line; then processes
  /// are kept on the CPU too, because a tool says at its end what it thinks.
  explicit Runners(DeviceKind backend, std::vector<std::string> under = {});
  Runners(const Runners&) = delete;
  Runners& operator=(const Runners&) = delete;
  /// Kills what is kept.
  ~Runners();

  [[nodiscard]] DeviceKind backend() const;
  [[nodiscard]] const std::vector<std::string>& under() const;

  /// As run_isolated. `folder` is the run's own.
  [[nodiscard]] Result<IsolatedResult> run(const IsolatedRun& run,
                                           const std::filesystem::path& folder);

  /// Lets the kept processes end, and waits for it; later runs start new ones. What a tool
  /// complained of, in words, "" where each process ended with status 0. That of a process which a
  /// run ended is in that run's error.
  [[nodiscard]] std::string finish();

 private:
  class Server;
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace tunecheck
