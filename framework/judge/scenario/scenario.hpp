#pragma once
// Scenarios as their files describe them. docs/scenarios.md has the format.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "adapter/protocol/messages.hpp"
#include "core/device_kinds.hpp"
#include "core/info.hpp"
#include "core/kernel.hpp"
#include "core/result.hpp"
#include "harness/process/exchange_words.hpp"
#include "harness/process/process_setup.hpp"
#include "harness/process/remote_words.hpp"
#include "judge/checks/table/check.hpp"
#include "judge/scenario/scenario_loops.hpp"

namespace tunecheck {

/// Lines of a file, which are no part of what somebody chooses: all are alike.
struct SettingLines {
  std::map<std::string, int> of;
  bool operator==(const SettingLines&) const { return true; }
};

/// Which version of the tuner a process is.
enum class TunerVersion {
  own,      ///< the one that is judged
  other,    ///< another one, behind an adapter of its own
  upgrade,  ///< one that finds winners by other rules
  release,  ///< one that finds them as before
};

/// Everything about a call that a scenario can choose. A block starts with a copy of what holds
/// around it.
struct Settings {
  std::string size = "smoke";
  Sizes sizes;                                              ///< overrides single names
  SettingLines size_lines;                                  ///< where these names were set
  std::map<std::string, std::string> environment;           ///< for the adapter's process
  std::string arch;                                         ///< "" for the backend's default
  std::map<std::string, std::vector<std::string>> strides;  ///< tensor -> expressions in elements
  std::map<std::string, std::int64_t> align;  ///< tensor -> bytes past a 64-byte boundary
  std::map<std::string, DType> dtypes;
  std::map<std::string, std::string> alias;  ///< tensor -> the tensor whose memory it is
  std::map<std::string, double> scalars;
  std::map<std::string, std::vector<std::int64_t>> space;  ///< parameter -> values, in this order
  bool reverse_arguments = false;
  std::vector<std::string> compile_options;
  std::vector<std::string> hook_zeroes;  ///< tensors that a hook of the caller's zeroes
  CompilerMode compiler = CompilerMode::spy;
  int compile_jobs = 0;                        ///< that the call grants; 0: as the run has them
  TunerVersion version = TunerVersion::own;    ///< of the adapter's process
  bool caching_off = false;                    ///< in the adapter's process, in the tuner's own way
  bool searching_off = false;                  ///< likewise
  bool searching_anew = false;                 ///< likewise: stored winners are not used
  bool searching_last = false;                 ///< likewise: a default config goes before a search
  std::string effort;                          ///< likewise: how much it searches; "": not told
  TableUse table = TableUse::none;             ///< of the adapter's process
  std::optional<BundleChoice> bundle;          ///< likewise
  std::map<std::string, std::int64_t> config;  ///< that the caller wants; empty: the tuner chooses
  std::optional<RemoteChoice> remote;      ///< of the adapter's process; none: it is told of none
  bool wait = true;                        ///< false: for no search
  std::optional<protocol::Burst> burst;    ///< many calls in one request
  std::optional<protocol::Search> search;  ///< none: as the tuner likes
  protocol::GpuCall gpu;

  [[nodiscard]] bool hook_would_zero(const std::string& tensor) const {
    return std::find(hook_zeroes.begin(), hook_zeroes.end(), tensor) != hook_zeroes.end();
  }
  bool operator==(const Settings&) const = default;
};

/// One thing that a call is expected to do: a check with its parameter ("yes" where it takes none).
struct Expectation {
  const Check* check = nullptr;  ///< a row of the table, and never null
  std::string parameter;
  int line = 0;
};

/// How a call is expected to end.
enum class CallEnd {
  done,
  failed,  ///< with an answer that says so
  killed,  ///< without one: its process is killed meanwhile
};

/// One tuned call.
struct CallStep {
  Settings settings;
  std::vector<Expectation> expectations;
  CallEnd end = CallEnd::done;
  int line = 0;
};

/// Calls that one process makes at the same moment, each in a thread of its own.
struct CallGroup {
  std::vector<CallStep> calls;
  int line = 0;
};

/// Changes the scenario's own copy of the kernel folder.
struct TouchStep : Touch {
  int line = 0;
};

/// Does something to the cache folder.
struct CacheStep : CacheAction {
  /// An earlier process: of files, only those that it made. "" for all.
  std::string of_process;
  int line = 0;
};

/// Something that happens to the values on the servers of remote caches.
struct RemoteStep {
  RemoteDamage damage = RemoteDamage::clear;
  int line = 0;
};

/// Something that happens to the files that processes hand to each other.
struct ExchangeStep {
  ExchangeKind kind = ExchangeKind::table;
  ExchangeDamage damage = ExchangeDamage::clear;
  int at_percent = 50;  ///< where in each file
  int line = 0;
};

/// What a process is asked to do with all of its cache folder.
struct ArchiveStep : ArchiveChoice {
  int line = 0;
};

/// From here on the process finds another compiler.
struct CompilerStep {
  CompilerMode mode = CompilerMode::spy;
  int line = 0;
};

/// The process's next call is asked when every process of its group has come to the barrier, or has
/// ended.
struct BarrierStep {
  std::string name;
  int line = 0;
};

/// The process's next call is asked when the process has come to rest: see WatchedProcess::rest().
struct RestStep {
  std::chrono::seconds at_most{0};
  int line = 0;
};

/// A fresh adapter process with what it is asked to do.
struct ProcessStep {
  std::string name;
  Settings settings;  ///< those that hold at its start: environment and compiler
  std::optional<KillPoint> kill;
  std::optional<Refusal> fail;
  /// In a group: its first call begins once observers have seen this process work.
  std::string waits_for;
  /// The name of a cache folder that only processes have that name it; "" for the scenario's.
  std::string cache_folder;
  std::vector<std::variant<CallStep, CallGroup, TouchStep, CacheStep, CompilerStep, BarrierStep,
                           RestStep, ArchiveStep>>
      steps;
  int line = 0;

  /// All of its calls, those of groups included, in the order of the file.
  [[nodiscard]] std::vector<const CallStep*> calls() const;
};

/// Processes that run at the same time. All are started, and have said hello, before the first of
/// them is asked to call anything; their first calls begin at the same moment.
struct ProcessGroup {
  std::vector<ProcessStep> processes;
  int line = 0;
};

struct Scenario {
  std::string name;
  std::string family;  ///< the name up to its first dot
  std::filesystem::path file;
  int line = 0;
  std::string because;
  std::string kernel;
  std::vector<DeviceKind> backends = {DeviceKind::cpu};
  std::string cpu_only;            ///< why it runs on no GPU, "" if it does
  std::vector<std::string> needs;  ///< capabilities of the adapter, those of its checks included
  std::optional<std::chrono::seconds> time_limit;  ///< for one answer, if not the adapter's
  bool measures = false;                           ///< runs alone, since it judges times
  bool waits = false;  ///< takes hardly any processor time, so it runs beside those at once
  bool watch = true;   ///< digest the arguments at each launch
  std::vector<std::string> catches;  ///< mutants that it must notice
  /// Adversaries, and what must come of each: the name of a check that fails, or "pass" or "error".
  std::map<std::string, std::string> bears;
  std::vector<
      std::variant<ProcessStep, ProcessGroup, TouchStep, CacheStep, RemoteStep, ExchangeStep>>
      steps;

  /// All of its processes and calls, those of groups included, in the order of the file.
  [[nodiscard]] std::vector<const ProcessStep*> processes() const;
  [[nodiscard]] std::vector<const CallStep*> calls() const;
  /// What it does to the cache folder, between processes and within them.
  [[nodiscard]] std::vector<const CacheStep*> cache_steps() const;
  /// Likewise those that change the kernel's folder.
  [[nodiscard]] std::vector<const TouchStep*> touch_steps() const;
};

/// The device that a scenario runs on in a run on `backend`: itself, or the simulated device where
/// the scenario chooses it.
[[nodiscard]] DeviceKind device_of(const Scenario& scenario, DeviceKind backend);
/// Why a run on `backend` leaves the scenario out, "" where it does not. Those on the simulated
/// device belong to a run on the CPU.
[[nodiscard]] std::string why_left_out(const Scenario& scenario, DeviceKind backend);

/// Reads all scenarios of a file. `kernels` are those that may be named: the error for any other,
/// and for an unknown tensor, parameter, check or capability, has file, line and key. `tables` are
/// what `each` loops go through.
[[nodiscard]] Result<std::vector<Scenario>> read_scenarios(
    const std::filesystem::path& file,
    const std::map<std::string, const KernelDefinition*>& kernels, const LoopTables& tables = {});

}  // namespace tunecheck
