#pragma once
// What happened in a scenario: what was asked, what the adapter answered, what observers saw.
// Checks read it and nothing else.
#include <optional>
#include <string>
#include <vector>

#include "adapter/protocol/messages.hpp"
#include "core/command.hpp"
#include "core/compare.hpp"
#include "judge/adapter_info.hpp"
#include "judge/process_use.hpp"
#include "judge/scenario.hpp"
#include "observe/evidence.hpp"
#include "observe/launch_counts.hpp"

namespace tunecheck {

/// One tensor of one call, in the order of the kernel file.
struct TensorRecord {
  bool is_read_only = false;  ///< nothing may change it, through this argument or another
  std::string digest_before;  ///< of the caller's elements
  std::string digest_zero;    ///< of zeros in the same layout
  bool unchanged = false;     ///< every byte of the file as before the call
  std::string first_difference;
  std::string canary_damage;
  std::optional<Comparison> comparison;  ///< with the expected content; tensors that are written
};

/// The judge's own measurement of every config on pristine arguments; ns per launch, medians.
struct OwnMeasurement {
  std::map<std::string, double> median_ns;  ///< of a launch, by to_string(config)
  std::string trouble;                      ///< why there is none
  bool is_exact = false;                    ///< what is not among them gives no right results
  std::map<std::string, double> hot_median_ns = {};  ///< on a GPU: what is read is in its caches
  std::map<std::string, std::string> failed = {};    ///< configs that did not run, and why
};

/// Device memory that all processes used, in bytes.
struct DeviceMemory {
  std::int64_t before = 0, after = 0;
  std::string trouble;  ///< why it is not known
};

/// What observers and the judge saw of a burst of calls.
struct BurstRecord {
  std::int64_t calls = 0;    ///< as requested
  LaunchCounts counts;       ///< by the probe
  std::int64_t wall_ns = 0;  ///< from the request to the answer, by the judge's clock
  ProcessUse before, after;  ///< of the adapter's process
};

/// What tells apart the configs that were launched: the config where the launch says it, else the
/// artifact, by which the judge knows the configs of kernels that are not tunecheck's; of a cubin
/// what is run of it, since a tuner may measure a compile of its own that differs in the names of
/// its sources (Helion in a folder that is warm). "" where neither is known.
[[nodiscard]] std::string config_or_artifact(const LaunchEvent& launch);

struct CallRecord {
  const CallStep* step = nullptr;
  const CallGroup* group = nullptr;  ///< the calls that were made at the same moment
  int number = 0;                    ///< in its process, from 1
  protocol::CallRequest request;
  std::optional<protocol::CallAnswer> answer;  ///< none: see `trouble`
  std::string trouble;                         ///< how the adapter failed to answer, "" if it did
  std::int64_t asked_ns = 0;           ///< CLOCK_REALTIME when it was asked; 0 if it was not
  std::int64_t wall_ns = 0;            ///< until the answer, by the judge's clock
  std::string harness_error;           ///< what the judge itself could not do, "" if nothing
  bool keeps_artifacts = true;         ///< the adapter declares it; see tuned()
  std::vector<CompileEvent> compiles;  ///< real ones, queries left out
  std::vector<LaunchEvent> launches;   ///< of the kernel under test
  std::vector<LaunchEvent> captured;   ///< likewise, but recorded into a graph and not run
  std::vector<FaultEvent> faults;      ///< what was done to its file operations
  FolderSnapshot cache_before, cache_after;
  bool cache_is_small = false;  ///< a file system of a chosen size lies in its place
  std::string cache_listing_after;
  std::vector<TensorRecord> tensors;
  std::optional<OwnMeasurement> measurement;
  std::optional<DeviceMemory> device_memory;
  std::optional<BurstRecord> burst;  ///< where the call was one; `launches` is then empty

  /// The launch on the caller's arguments: the last one of a call that succeeded. Null if there is
  /// none.
  [[nodiscard]] const LaunchEvent* real_launch() const;
  /// All launches but the real one.
  [[nodiscard]] std::span<const LaunchEvent> trial_launches() const;
  /// Of the caller and of trials.
  [[nodiscard]] std::uint64_t launch_count() const;
  [[nodiscard]] std::uint64_t trial_launch_count() const;
  /// True where observers saw the tuner try configs: a compile, or a launch beside the real one. A
  /// tuner that keeps no artifacts has to compile its winner again: there a compile says nothing.
  [[nodiscard]] bool tuned() const;
};

struct ProcessRecord {
  const ProcessStep* step = nullptr;
  const ProcessGroup* group = nullptr;  ///< the processes that ran at the same time
  std::vector<CallRecord> calls;
  ProcessEnd end;
  std::string tuner;    ///< name and version as it says, "" if it did not
  std::string device;   ///< likewise
  std::string trouble;  ///< how it failed before or after its calls, "" if it did not
  std::string evidence_file, log_file;  ///< relative to the output folder
  std::int64_t killed_ns = 0;           ///< CLOCK_REALTIME; 0 where it was not killed on purpose
  /// It never came to the point at which it was to be killed or refused: what its calls expect of
  /// that is not asked.
  bool missed_its_point = false;
};

struct ScenarioRecord {
  const Scenario* scenario = nullptr;
  const KernelDefinition* kernel = nullptr;
  const AdapterInfo* adapter = nullptr;
  std::string backend = "cpu";
  std::vector<ProcessRecord> processes;

  [[nodiscard]] const ProcessRecord* process(std::string_view name) const;
};

/// What one check is asked.
struct CheckContext {
  const ScenarioRecord& scenario;
  const ProcessRecord& process;
  const CallRecord& call;
  const std::string& parameter;
};

}  // namespace tunecheck
