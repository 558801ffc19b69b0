#pragma once
// What happened in a scenario: what was asked, what the adapter answered, what observers saw.
// Checks read it and nothing else.
#include <optional>
#include <string>
#include <vector>

#include "core/command.hpp"
#include "core/compare.hpp"
#include "core/device_kinds.hpp"
#include "harness/process/adapter_info.hpp"
#include "harness/process/process_state.hpp"
#include "harness/process/remote_words.hpp"
#include "harness/process/watched_call.hpp"
#include "judge/scenario/scenario.hpp"

namespace tunecheck {

/// One tensor of one call, in the order of the kernel file.
struct TensorRecord {
  bool is_read_only = false;  ///< nothing may change it, through this argument or another
  std::string digest_before;  ///< of the caller's elements
  std::string digest_zero;    ///< of zeros in the same layout
  std::string digest_after;   ///< of what the caller got; "" where it could not be read back
  bool unchanged = false;     ///< every byte of the file as before the call
  std::string first_difference;
  std::string canary_damage;
  std::optional<Comparison> comparison;  ///< with the expected content; tensors that are written
  /// What of the file differs at the end of the process from when the call was answered, "" if
  /// nothing. Only looked at if the call did not wait for a search, or a check asks; else none.
  std::optional<std::string> changed_later = std::nullopt;
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

/// What the adapter's process has besides its memory.
struct ProcessStates {
  ProcessState before, after;
  std::string trouble;  ///< why it is not known
};

/// What the process was asked to do with all of its cache folder.
struct ArchiveRecord {
  const ArchiveStep* step = nullptr;
  protocol::ArchiveAnswer answer;
};

/// One call of a scenario, and what the judge found out about its arguments and the cache folder.
struct CallRecord : WatchedCall {
  const CallStep* step = nullptr;
  const CallGroup* group = nullptr;  ///< the calls that were made at the same moment
  int number = 0;                    ///< in its process, from 1
  std::string harness_error;         ///< what the judge itself could not do, "" if nothing
  FolderSnapshot cache_before, cache_after;
  bool cache_is_small = false;  ///< a file system of a chosen size lies in its place
  /// There is a file on that one, and space for more: what the process stored had room.
  bool cache_has_room = false;
  std::string cache_listing_after;
  std::vector<TensorRecord> tensors;
  std::optional<OwnMeasurement> measurement;
  std::optional<DeviceMemory> device_memory;
  std::optional<ProcessStates> process_states;
  /// What the way to its remote cache saw meanwhile; none where the process has no remote cache.
  std::optional<std::vector<RemoteRequest>> remote_requests;
  /// The last one between the call before and this one.
  std::optional<ArchiveRecord> archive;
};

struct ProcessRecord {
  const ProcessStep* step = nullptr;
  const ProcessGroup* group = nullptr;  ///< the processes that ran at the same time
  std::vector<CallRecord> calls;
  ProcessEnd end;
  std::string tuner;              ///< name and version as it says, "" if it did not
  std::string device;             ///< likewise
  std::string trouble;            ///< how it failed before or after its calls, "" if it did not
  std::string programs_not_seen;  ///< why the programs that it starts are not seen; "" if they are
  std::string evidence_file, log_file;  ///< relative to the output folder
  /// Files of bundles after its end, also of other processes; none where it was told of no bundle.
  std::optional<std::size_t> bundle_files;
  std::int64_t killed_ns = 0;  ///< CLOCK_MONOTONIC; 0 where it was not killed on purpose
  /// It never came to the point at which it was to be killed or refused: what its calls expect of
  /// that is not asked.
  bool missed_its_point = false;
};

struct ScenarioRecord {
  const Scenario* scenario = nullptr;
  const KernelDefinition* kernel = nullptr;
  const AdapterInfo* adapter = nullptr;
  DeviceKind backend = DeviceKind::cpu;
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
