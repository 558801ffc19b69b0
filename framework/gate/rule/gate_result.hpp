#pragma once
// What a session of the gate found, all of it: what gate.json holds and every report is made from.
// Complete enough to go on with a session that was interrupted.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gate/rule/counts.hpp"
#include "gate/rule/session.hpp"

namespace tunecheck::gate {

/// What something of a benchmark is about. Where no kernel is, as of a Google Benchmark, `kernel`
/// and `size` are "".
struct Subject {
  std::string name;    ///< unique in its list
  std::string metric;  ///< what is measured: "winner_time", "warm_start", ...
  std::string kernel, size, backend;
  std::string unit;  ///< "ns", "compiles", ...
};

struct PairRecord {
  Side first = Side::base;
  Pair pair;  ///< with every sample
};

/// What a canary is a canary of, so that a session that is resumed goes on with the same one.
struct CanaryOf {
  std::string benchmark;  ///< whose processes it runs; "" where it is no canary
  std::string slowed_by;  ///< how its head is slowed down, see slowed_by in run_session.hpp; or ""

  bool operator==(const CanaryOf&) const = default;
};

struct BenchmarkResult {
  Subject subject;
  Role role = Role::measured;
  CanaryOf canary_of;       ///< empty in sessions of before it was stored
  bool is_settled = false;  ///< otherwise `finding` says nothing yet
  Finding finding;
  std::vector<PairRecord> pairs;  ///< in the order in which they were run
};

/// Counts need no session: they are exact.
struct CountResult {
  Subject subject;
  CountFinding finding;
  std::vector<std::int64_t> base, head;  ///< one of each process
};

/// The tunings of base and head chose differently. Whether the head chooses worse says the
/// benchmark of this name, by tunings of its own.
struct WinnerChange {
  std::string kernel, size, backend;
  std::string base, head;  ///< the config that won most often
  std::map<std::string, std::int64_t> base_winners, head_winners;  ///< tunings that chose a config
  std::string benchmark;  ///< "" where it cannot be measured; `reason` says why
  std::string reason;
};

/// Who was measured.
struct SideResult {
  std::string given;                               ///< as the command line named it
  std::string folder;                              ///< of the build; "" of recordings
  std::string commit;                              ///< of a revision; "" of a folder
  std::string tuner;                               ///< name and version as the adapter says
  std::map<std::string, std::string> environment;  ///< digests of programs and kernels, ...
};

/// A benchmark that may have another name in the head.
struct Renaming {
  std::string base, head;
};

/// What was asked for and cannot be measured, and why.
struct NotMeasured {
  std::string name, reason;
};

struct GateResult {
  std::string tunecheck_version;
  std::string started;           ///< UTC, ISO 8601
  std::string kind = "adapter";  ///< or "google_benchmark", "recordings", "stored"
  std::string adapter;           ///< "" where there is none
  std::string backend;
  std::uint64_t seed = 1;
  Settings settings;
  std::map<std::string, std::string> environment;  ///< facts about the machine
  std::string pinning;                             ///< one sentence; whether, and to which CPU
  std::int64_t wall_ns = 0;
  bool is_complete = false;  ///< false: the session goes on, or was ended
  bool fails_on_inconclusive = false;
  Answer answer = Answer::invalid;  ///< of all together
  std::string reason;               ///< why it is invalid, and what to do; else ""
  SideResult base, head;
  std::vector<BenchmarkResult> benchmarks;
  std::vector<CountResult> counts;
  std::vector<WinnerChange> winner_changes;
  std::vector<std::string> added, removed;  ///< benchmarks of one side alone, by name
  std::vector<Renaming> renamed;
  std::vector<NotMeasured> not_measured;

  /// 0 where nothing is slower, 2 for a regression, 4 where the session is not to be trusted or not
  /// complete, 5 where it is inconclusive and that is to fail.
  [[nodiscard]] int exit_status() const;
  /// The smallest slowdown that would have been found in every measured benchmark with the
  /// probability that the settings state; infinite where that is not known.
  [[nodiscard]] double detectable() const;
};

}  // namespace tunecheck::gate
