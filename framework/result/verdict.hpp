#pragma once
// What a run found: verdicts of checks, results of scenarios, the result of the whole run. Plain
// data; reports are made from it, and result.json is it.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/command.hpp"
#include "result/call_summary.hpp"
#include "result/known_failure.hpp"

namespace tunecheck {

enum class Verdict {
  pass,
  fail,
  unsupported,  ///< the adapter declares that it lacks what the scenario, or the check, needs
  error,        ///< no evidence, or the harness itself failed
  known,        ///< fails as a mark says that it does
};
[[nodiscard]] std::string_view name_of(Verdict verdict);

/// The answer of one check about one call (or process).
struct CheckResult {
  std::string check;
  Verdict verdict = Verdict::error;
  std::string process;   ///< name of the process in the scenario
  int call = 0;          ///< number of the call in its process, from 1; 0 for the process itself
  int line = 0;          ///< in the scenario file
  std::string expected;  ///< a sentence without a full stop
  std::string observed;  ///< likewise
  std::vector<std::string> evidence;  ///< files, relative to the output folder
};

/// Where the time of a scenario went, in ns. Everything but `adapter` and `compile` is the judge's
/// own share.
struct Stages {
  std::int64_t prepare_ns = 0;    ///< workspace, tensors, settings
  std::int64_t adapter_ns = 0;    ///< starting the adapter and waiting for its answers
  std::int64_t reference_ns = 0;  ///< compiling and running references and own measurements
  std::int64_t evidence_ns = 0;   ///< reading evidence, snapshots
  std::int64_t check_ns = 0;      ///< comparing and judging

  [[nodiscard]] std::int64_t own_ns() const { return prepare_ns + evidence_ns + check_ns; }
  [[nodiscard]] std::int64_t total_ns() const { return own_ns() + adapter_ns + reference_ns; }
  Stages& operator+=(const Stages& other);
};

struct ProcessSummary {
  std::string name;
  ProcessEnd end;
  std::int64_t compiles = 0;             ///< seen by the compiler spy, queries left out
  std::int64_t compiles_from_store = 0;  ///< of those, answered from the spy's store
  std::int64_t launches = 0;             ///< seen by the launch probe
  std::string log;                       ///< relative to the output folder
  std::vector<CallSummary> calls{};
  std::int64_t calls_left_out = 0;
};

struct ScenarioResult {
  std::string name;    ///< "reload.winner_survives_restart"
  std::string family;  ///< "reload"
  std::string file;
  int line = 0;
  std::string because;
  std::string kernel;
  std::string adapter;
  std::string tuner;   ///< name and version as the adapter says, "" if it did not
  std::string device;  ///< likewise
  Verdict verdict =
      Verdict::error;   ///< the worst of its checks, of which unsupported ones do not count
  std::string message;  ///< why it is unsupported, an error, or fails in spite of a mark
  std::string lacks;    ///< of an adapter: "capability threads"; "" where it lacks nothing
  std::optional<KnownFailure> known;  ///< the mark that it was judged by
  std::vector<CheckResult> checks;
  /// Checks that its calls name and that nobody could ask, by name: it did not get that far.
  std::vector<std::string> unanswered;
  std::vector<ProcessSummary> processes;
  Stages stages;
  std::int64_t wall_ns = 0;
  std::string workspace;  ///< relative to the output folder; "" where it was not kept
  std::string repro;      ///< the command that repeats this scenario alone
};

/// A scenario that does not run on the run's kind of device.
struct LeftOut {
  std::string name;
  std::string reason;                 ///< a sentence without a full stop
  std::vector<std::string> checks{};  ///< that its calls name, by name
};

/// Names a fact of an environment: the commit that tunecheck was built from.
inline constexpr const char* tunecheck_commit_fact = "tunecheck_commit";

/// What a part of a run or an audit that was divided among machines says of the whole.
struct ShardOf {
  int number = 1;  ///< from 1
  int count = 1;
  std::int64_t scenarios = 0;  ///< of all parts; of an audit with each tuner that runs them
  std::string selection;       ///< digest of their names: parts of one run have the same
  /// Of a matrix: the names of all tuners, each of which has as many parts. Else none.
  std::vector<std::string> tuners{};
};

struct RunResult {
  std::string tunecheck_version;
  std::string started;  ///< UTC, ISO 8601
  std::string adapter;
  std::string adapter_file;  ///< its adapter.info; "" where a result does not say
  std::string tuner;         ///< name and version as the adapter says, "" if it never answered
  std::string backend;
  std::uint64_t seed = 0;
  int jobs = 1;
  std::map<std::string, std::string> environment;  ///< host, cpu, cores, kernel, compiler, ...
  std::vector<ScenarioResult> scenarios;           ///< by name
  std::optional<ShardOf> shard;                    ///< none where the run was not divided
  std::vector<LeftOut> left_out;                   ///< by name
  std::vector<std::string> pending;  ///< scenarios still to be run: none unless it was ended
  /// A report may be made of some parts of a divided run: so many scenarios are in the others.
  /// Not stored; one line in `pending` stands for them.
  std::int64_t scenarios_not_given = 0;
  std::string trouble;  ///< why nothing could be run at all, "" where it could
  std::string file;     ///< that it was read from, "" where it was not read
  Stages stages;        ///< sum over the scenarios
  std::int64_t wall_ns = 0;

  [[nodiscard]] std::int64_t count(Verdict verdict) const;
  /// What scenarios that were judged expect and the adapter does not declare that it can: by check
  /// and what is missing, the number of scenarios.
  [[nodiscard]] std::map<std::pair<std::string, std::string>, std::size_t> not_asked() const;
  /// 0 all held, or failed as known; 1 a check failed; 4 not to be trusted (nothing ran, not all
  /// ran, or an error). 4 before 1. A part in which nothing ran, because there was nothing for it
  /// or this machine could not, is no failure: the whole says what it is.
  [[nodiscard]] int exit_status() const;
  /// Share of the judge's own work in the time of all stages, 0 to 1.
  [[nodiscard]] double judge_share() const;
};

/// The audit: which mutant is caught by which check of which scenario. Adversaries are among the
/// mutants, under names with the prefix "adversary:".
struct AuditResult {
  struct Kill {
    std::string mutant;
    std::string scenario;
    std::vector<std::string> checks;  ///< those that failed; empty: the scenario did not notice
    Verdict verdict = Verdict::error;
    std::string message;
    /// Of an adversary: the check that must be among those that failed, or the verdict "error" or
    /// "pass". For a mutant of another tuner, the check. "" stands for any check.
    std::string expects = {};

    [[nodiscard]] bool is_as_expected() const;
    /// The scenario ran and noticed nothing, or something else than it must. One that this machine
    /// cannot run has claimed nothing.
    [[nodiscard]] bool is_false_claim() const {
      return !is_as_expected() && verdict != Verdict::unsupported;
    }
  };
  struct Mutant {
    std::string name;
    std::string summary;
  };
  std::string tunecheck_version;
  std::string started;
  std::vector<Mutant> mutants;         ///< all there are
  std::vector<std::string> checks;     ///< all that are implemented
  bool quick = false;                  ///< a selection, which cannot show that nothing is missing
  std::vector<std::string> elsewhere;  ///< mutants that only scenarios of other devices name
  std::vector<Kill> kills;             ///< one per mutant and scenario that says it catches it
  RunResult reference;                 ///< the true tuner on every scenario
  std::int64_t wall_ns = 0;
  /// None where the audit was not divided. A part says nothing of what survives: others may have
  /// caught it.
  std::optional<ShardOf> shard{};

  /// The mutants are another tuner's, planted by its adapter.
  [[nodiscard]] bool is_foreign() const;
  /// How many of `mutants` are adversaries.
  [[nodiscard]] std::size_t adversary_count() const;
  [[nodiscard]] std::vector<std::string> surviving_mutants() const;
  [[nodiscard]] std::vector<std::string> unkilled_checks() const;
  /// Scenarios that name a mutant in `catches` and do not notice it, as "mutant in scenario".
  [[nodiscard]] std::vector<std::string> false_claims() const;
  /// Of a part: on the scenarios that it ran, which may be none.
  [[nodiscard]] bool true_tuner_passes() const;
  /// 0 where every mutant is caught, every check killed, every claim true, the true tuner clean.
  [[nodiscard]] int exit_status() const;
};

}  // namespace tunecheck
