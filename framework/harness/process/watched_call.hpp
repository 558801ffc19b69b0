#pragma once
// One call of a tuner under observation: what it was asked, what it answered, and what observers
// saw meanwhile. Whoever drives a tuner gathers evidence here and nowhere else, so that evidence
// which is missing in one place is not taken for "nothing happened" in another.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "adapter/protocol/messages.hpp"
#include "harness/process/process_use.hpp"
#include "observe/evidence.hpp"
#include "observe/launch_counts.hpp"

namespace tunecheck {

/// What observers and the harness saw of a burst of calls.
struct BurstRecord {
  std::int64_t calls = 0;    ///< as requested
  LaunchCounts counts;       ///< by the probe
  std::int64_t wall_ns = 0;  ///< from the request to the answer, by the harness's clock
  ProcessUse before, after;  ///< of the adapter's process

  bool had_children = false;  ///< processes that lived before or after the burst

  /// For how long other processes kept the adapter's first thread waiting for a processor: no
  /// longer than all of its threads together did not run, so that threads of its own that keep it
  /// waiting count as its work, and 0 if it had children, which may be what it waited for.
  [[nodiscard]] std::int64_t kept_waiting_ns() const;
};

/// What tells apart the configs that were launched: the config where the launch says it, else the
/// artifact, by which the judge knows the configs of kernels that are not tunecheck's; of a cubin
/// what is run of it, since a tuner may measure a compile of its own that differs in the names of
/// its sources (Helion in a folder that is warm). "" where neither is known.
[[nodiscard]] std::string config_or_artifact(const LaunchEvent& launch);

/// Plain data. WatchedProcess::ask() fills in the answer, WatchedProcess::gather() the evidence,
/// and gather_late() what the tuner did after its answer, which counts as the call's own: a hit
/// that tunes once it has answered is no hit.
struct WatchedCall {
  protocol::CallRequest request;
  std::optional<protocol::CallAnswer> answer;  ///< none: see `trouble`
  std::string trouble;                         ///< how the adapter failed to answer, "" if it did
  std::int64_t asked_ns = 0;           ///< CLOCK_MONOTONIC when it was asked; 0 if it was not
  std::int64_t wall_ns = 0;            ///< until the answer, by the harness's clock
  bool keeps_artifacts = true;         ///< the adapter declares it; see tuned()
  std::int64_t may_warm_up = 0;        ///< likewise; see warm_up_launches()
  std::vector<CompileEvent> compiles;  ///< real ones, queries left out
  /// Launches of the kernel under test: of trials, after the answer, and the real one.
  std::vector<LaunchEvent> launches;
  std::vector<LaunchEvent> captured;  ///< likewise, but recorded into a graph and not run
  std::vector<FaultEvent> faults;     ///< what was done to its file operations
  std::vector<FileEvent> files;       ///< what its process did in the cache folder, where watched
  /// Code of the tuner's that a process loaded whose launches nobody sees.
  std::vector<UnseenCodeEvent> unseen_code;
  std::optional<BurstRecord> burst;  ///< where the call was one; `launches` are then late ones

  /// How it failed, in words: without an answer, or with one that says so. "" where it succeeded.
  [[nodiscard]] std::string failure_text() const;
  /// Moves the launch on the caller's arguments behind all others, in a process in which a search
  /// may go on beside its calls: the last one that the process `adapter` itself made before its
  /// answer.
  void put_real_launch_last(int adapter);
  /// The moment of its answer, CLOCK_MONOTONIC.
  [[nodiscard]] std::int64_t answered_ns() const { return asked_ns + wall_ns; }
  /// The launch on the caller's arguments: the last one before the answer of a call that succeeded.
  /// Null if there is none, and for a burst.
  [[nodiscard]] const LaunchEvent* real_launch() const;
  /// What a tuner does that launches its winner on copies first, so that its caller's launch is a
  /// warm one: launches of the real one's code by the same process right before it, as many as it
  /// declares, in a call that did nothing else. Empty for all others.
  [[nodiscard]] std::span<const LaunchEvent> warm_up_launches() const;
  /// All launches but the real one and those that warm up.
  [[nodiscard]] std::span<const LaunchEvent> trial_launches() const;
  /// Compiles of sources: one in two steps is one.
  [[nodiscard]] std::int64_t compile_count() const;
  /// All launches, the real one and those of trials.
  [[nodiscard]] std::uint64_t launch_count() const;
  [[nodiscard]] std::uint64_t trial_launch_count() const;
  /// True where observers saw the tuner try configs: a compile, or a launch beside the real one. A
  /// tuner that keeps no artifacts has to compile its winner again: there a compile says nothing.
  [[nodiscard]] bool tuned() const;
};

/// What observers recorded since the last time; an error where that is not known.
using EvidenceSource = std::function<Result<Evidence>()>;
/// Reads a file that grows, a piece per call.
[[nodiscard]] EvidenceSource evidence_in(std::filesystem::path file);

/// What a process's observers recorded, read piece by piece. One thread at a time.
class EvidenceReader {
 public:
  /// `kernel` is the name of the one whose launches count.
  EvidenceReader(EvidenceSource source, std::string kernel)
      : m_source(std::move(source)), m_kernel(std::move(kernel)) {}

  /// Gives what was recorded since the last time to `calls`, which were made at the same moment by
  /// the process `adapter` (its number). To one call goes everything. Of several, the launches for
  /// the callers go to those that succeeded, one each, and all else to the one that says it tuned
  /// (to the first that answered, where none says so): observers see one process.
  ///
  /// The error says why there is no evidence: the file is missing or damaged, or a probe saw no
  /// launch and reported why it cannot. That is never "no launches": nothing is known.
  [[nodiscard]] Result<void> give_to(const std::vector<WatchedCall*>& calls, int adapter);

  /// What was recorded since the last time came after the answers so far: to be called before a
  /// request, or after the end of the process.
  [[nodiscard]] Result<void> note_late();
  /// Events that note_late() has found and nobody was given yet.
  [[nodiscard]] std::size_t late_count() const {
    return m_late.compiles.size() + m_late.launches.size() + m_late.files.size();
  }
  /// Gives what note_late() found to the calls that were answered last before it; of several to
  /// the one that give_to() would give a tuning.
  void give_late_to(const std::vector<WatchedCall*>& calls);

 private:
  Result<Evidence> read();

  EvidenceSource m_source;
  std::string m_kernel;
  Evidence m_late;
};

}  // namespace tunecheck
