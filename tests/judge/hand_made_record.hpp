#pragma once
// What checks read, made by hand: a process "cold" whose call tunes two configs and stores the
// winner, and a process "warm" whose call is a hit. Everything holds until a test spoils it.
#include <deque>
#include <functional>
#include <ostream>
#include <string>

#include "judge/checks/record.hpp"
#include "judge/checks/table/check.hpp"

namespace tunecheck::test {

class HandMadeRecord {
 public:
  HandMadeRecord();
  HandMadeRecord(const HandMadeRecord&) = delete;
  HandMadeRecord& operator=(const HandMadeRecord&) = delete;

  CallRecord& cold() { return record.processes.at(0).calls.at(0); }
  CallRecord& warm() { return record.processes.at(1).calls.at(0); }
  /// The answer of a check about the call of "cold" or "warm".
  [[nodiscard]] Answer ask(const std::string& check, const std::string& process,
                           const std::string& parameter);

  /// The kernel's tensors: in (read), io (in place, restored), sum (in place, reset), out
  /// (written).
  KernelDefinition kernel;
  AdapterInfo adapter;
  Scenario scenario;
  std::deque<CallStep> calls;         ///< of "cold" and "warm"
  std::deque<ProcessStep> processes;  ///< likewise
  ScenarioRecord record;
};

/// A launch on pristine arguments that ended well.
[[nodiscard]] LaunchEvent launch_of(const std::string& config);
/// A compile that made "artifact of CONFIG".
[[nodiscard]] CompileEvent compile_of(const std::string& config);
/// As of a tuner whose kernels do not say their config.
void configs_unknown(HandMadeRecord& record);
/// A comparison of four elements, of which some are wrong.
[[nodiscard]] Comparison comparison_with(std::int64_t wrong);

/// One situation, and what one check says of it.
struct CheckCase {
  std::string check;
  std::string situation;  ///< an identifier
  Verdict verdict;
  std::string expected;  ///< a part of the answer's text
  std::string observed;  ///< likewise
  std::function<void(HandMadeRecord&)> arrange;
  std::string process = "cold";
  std::string parameter = "yes";
};

inline void PrintTo(const CheckCase& one, std::ostream* stream) {
  *stream << one.check << ' ' << one.situation;
}

[[nodiscard]] std::vector<CheckCase> restore_cases();
[[nodiscard]] std::vector<CheckCase> validity_cases();
[[nodiscard]] std::vector<CheckCase> reload_cases();
[[nodiscard]] std::vector<CheckCase> compile_cases();
[[nodiscard]] std::vector<CheckCase> process_cases();
[[nodiscard]] std::vector<CheckCase> concurrency_cases();  ///< and faults
[[nodiscard]] std::vector<CheckCase> growth_cases();
[[nodiscard]] std::vector<CheckCase> quality_cases();
[[nodiscard]] std::vector<CheckCase> gpu_cases();
[[nodiscard]] std::vector<CheckCase> remote_cases();
[[nodiscard]] std::vector<CheckCase> exchange_cases();
[[nodiscard]] std::vector<CheckCase> pending_cases();    ///< and archive
[[nodiscard]] std::vector<CheckCase> agreement_cases();  ///< and turn

/// For cases of a record as it is.
inline void nothing(HandMadeRecord&) {}

}  // namespace tunecheck::test
