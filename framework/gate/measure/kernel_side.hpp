#pragma once
// One build with one kernel at one size: its fresh processes, and what the judge's clock and its
// observers see of them. Nothing here is the adapter's word but that it has answered.
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/device_kinds.hpp"
#include "core/result.hpp"
#include "gate/measure/build.hpp"
#include "gate/measure/cpu_lease.hpp"
#include "gate/rule/pair.hpp"
#include "harness/kernel/proof_case.hpp"
#include "harness/process/watched_call.hpp"
#include "harness/process/workspace.hpp"

namespace tunecheck::gate {

/// What all sides of a session share.
struct Bench {
  Observers observers;
  DeviceKind backend = DeviceKind::cpu;
  std::uint64_t seed = 1;      ///< of the tensors' content
  double planted = 0.1;        ///< by how much a slowed process is slower
  std::filesystem::path work;  ///< takes the folders of processes
  CpuLease cpu;                ///< where processes that are timed run
};

/// What a tuning left, and what observers saw of it.
struct Tuning {
  std::filesystem::path cache;
  std::string winner;  ///< the config of the last launch
  std::string tuner;   ///< name and version as the adapter says
  std::int64_t compiles = 0;
  std::int64_t trials = 0;     ///< configs that were launched
  std::int64_t artifacts = 0;  ///< files of the cache folder that hold something compiled
  IsolatedRun launch;          ///< of the winner, by the judge
};

/// Makes, tunes and times the fresh processes of one build, at one size of one kernel. After
/// create(), tune() comes once or more; warm_start(), dispatch() and winner_time() need at least
/// one tuning that did not fail, because each works on what such a tuning left. A tuning that fails
/// leaves nothing, and those before it stay. All sides of a Bench use one folder for their
/// processes, one after the other: two sides are never at work at the same time. One thread at a
/// time.
class KernelSide {
 public:
  /// `bench` and `build` outlive it. `name` is that of its folder in Bench::work.
  [[nodiscard]] static Result<std::unique_ptr<KernelSide>> create(const Bench& bench,
                                                                  const Build& build,
                                                                  const std::string& kernel,
                                                                  const std::string& size,
                                                                  const std::string& name);

  /// Tunes once more and keeps what came of it. Why the tuner failed, "" where it did not; the
  /// error is the judge's own.
  [[nodiscard]] Result<std::string> tune();
  [[nodiscard]] const std::vector<Tuning>& tunings() const { return m_tunings; }
  /// From now on all that can be slowed down takes longer by this share, as if the build were
  /// slower.
  void slow_down(double share) { m_slower = share; }
  /// The number of the first tuning from `number` on, modulo their number, that chose `config`.
  [[nodiscard]] std::optional<std::size_t> tuning_that_chose(const std::string& config,
                                                             std::size_t number) const;
  [[nodiscard]] const KernelDefinition& kernel() const { return m_kernel; }
  [[nodiscard]] const std::string& size() const { return m_size; }
  /// Why dispatch() cannot be; "" where it can.
  [[nodiscard]] std::string why_no_dispatch() const;

  // Each runs one fresh process, on a copy of the cache that tuning `number` left (modulo their
  // number) where it needs one; a failure of the process is in the result. The error is the
  // judge's own. Times are ns. What is slowed down takes longer by Bench::planted, by the clock:
  // the judge is late to take an answer, and spends longer in a launch.

  /// From before the process starts to the answer to its first call.
  [[nodiscard]] Result<ProcessRun> warm_start(std::size_t number, bool is_slowed);
  /// From the first call with an empty cache to its answer. Compiles come from the spy's store.
  [[nodiscard]] Result<ProcessRun> tuning_time();
  /// A call of a hit beside the kernel's own time, in bursts of many.
  [[nodiscard]] Result<ProcessRun> dispatch(std::size_t number);
  /// A launch of the winner, by the judge's own runner. On a GPU it cannot be slowed down.
  [[nodiscard]] Result<ProcessRun> winner_time(std::size_t number, bool is_slowed);
  /// The same of a config that a tuning of this side chose, as one of these stored it.
  [[nodiscard]] Result<ProcessRun> stored_time(const std::string& config, std::size_t number,
                                               bool is_slowed);
  /// The same of any config, compiled by the judge from this side's kernel.
  [[nodiscard]] Result<ProcessRun> config_time(const std::string& config, bool is_slowed);

  /// As config_time(), on CUDA, of a kernel with a loop in its source (planted_loop.hpp): a slowed
  /// launch has a loop that takes Bench::planted, or what slow_down() said, of the time that the
  /// config took when this side first slowed it down; any other launch has one of 0 cycles. A loop
  /// that does not make launches longer is a failure. For kernels without why_no_planted_loop().
  [[nodiscard]] Result<ProcessRun> looped_time(const std::string& config, bool is_slowed);

  /// What a tuning chose, or why it failed: "" where it did not.
  struct Choice {
    std::string config, failure;
  };
  /// Tunes with an empty cache, in a fresh process, and keeps nothing of it. Nothing is recorded of
  /// its trials.
  [[nodiscard]] Result<Choice> choose();
  /// Whether the kernel has this config at this size.
  [[nodiscard]] bool has_config(const std::string& config) const;

  /// Of each warm start so far.
  [[nodiscard]] const std::vector<std::int64_t>& warm_compiles() const { return m_warm_compiles; }
  [[nodiscard]] const std::vector<std::int64_t>& warm_launches() const { return m_warm_launches; }

 private:
  KernelSide(const Bench& bench, const Build& build, const KernelDefinition& kernel,
             std::string size, std::filesystem::path folder);
  struct Process;
  /// What the launch probe does. It takes longer to record a launch than many a kernel takes, in
  /// the time that the tuner measures, so that short kernels would look alike to the tuner.
  enum class Probe {
    records,        ///< each launch
    counts_trials,  ///< the winner's launch, and the first one of each trial: what was tried
    counts_bursts,
  };
  Result<Process> begin(const std::filesystem::path& cache, Probe probe);
  [[nodiscard]] Result<WatchedCall> first_call(const Workspace& workspace) const;
  [[nodiscard]] protocol::Burst burst(std::int64_t calls) const;
  /// `failure` is why the tuner failed, "" where it did not; without it the answer is there.
  Result<WatchedCall> fresh_tuning(std::string& failure);
  Result<void> write_tensors(const Workspace& workspace);
  [[nodiscard]] Result<IsolatedRun> launch_of(const std::string& config,
                                              const std::filesystem::path& cache,
                                              const std::string& module);
  [[nodiscard]] Result<Config> config_named(const std::string& name) const;
  [[nodiscard]] Result<Artifact> compiled(const std::string& config,
                                          const KernelDefinition& kernel) const;
  /// A run of what the judge compiled, with a number that is not used yet.
  [[nodiscard]] Result<IsolatedRun> launch_of(const Artifact& artifact);
  [[nodiscard]] Result<ProcessRun> measured(const IsolatedRun& run) const;
  [[nodiscard]] Result<ProcessRun> time_with_loop(const std::string& config,
                                                  std::int64_t loop_cycles);
  /// The length of a loop, and why none was found: "" where one was.
  struct LoopLength {
    std::int64_t cycles = 0;
    std::string failure;
  };
  [[nodiscard]] Result<LoopLength> measure_loop(const std::string& config, double share);
  [[nodiscard]] const Tuning& tuning(std::size_t number) const {
    return m_tunings[number % m_tunings.size()];
  }
  [[nodiscard]] double slowdown(bool is_slowed) const {
    return is_slowed ? m_bench.planted : m_slower;
  }

  const Bench& m_bench;
  const Build& m_build;
  const KernelDefinition& m_kernel;
  std::string m_size;
  std::filesystem::path m_folder;
  std::unique_ptr<ProofCase> m_case;  // the tensors of the judge's own launches
  std::size_t m_places = 0;
  double m_slower = 0;
  std::vector<Tuning> m_tunings;
  std::map<std::string, IsolatedRun> m_configs;  // what the judge compiled
  std::map<std::pair<std::string, std::int64_t>, IsolatedRun>
      m_looped;  // with a loop of so many cycles
  std::map<std::pair<std::string, double>, std::int64_t>
      m_loop_cycles;  // by config and share of its time
  std::vector<std::int64_t> m_warm_compiles, m_warm_launches;
};

}  // namespace tunecheck::gate
