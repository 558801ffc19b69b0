#include "judge/run/verdicts_of.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "judge/checks/table/check.hpp"

namespace tunecheck {
namespace {

// Asks the checks of one scenario's record. run() is called once: it asks of each call what the
// scenario names and what is always asked, and of a process that answered everything whether it
// also ended well. The record may end early: of calls that were never made nothing is asked. A call
// without an answer is judged by its silence alone, and one that was to be killed by how it ended.
class Judge {
 public:
  explicit Judge(const ScenarioRecord& record) : m_record(record) {}

  std::vector<CheckResult> run() {
    for (const ProcessRecord& process : m_record.processes) {
      for (const CallRecord& call : process.calls)
        judge_call(process, call);
      judge_process(process);
    }
    return std::move(m_results);
  }

 private:
  void add(const ProcessRecord& process, const CallRecord* call, std::string_view check, int line,
           Answer answer) {
    CheckResult& result = m_results.emplace_back();
    result.check = check;
    result.verdict = answer.verdict;
    result.process = process.step->name;
    result.call = call != nullptr ? call->number : 0;
    result.line = line;
    result.expected = std::move(answer.expected);
    result.observed = std::move(answer.observed);
    result.evidence = {process.evidence_file, process.log_file};
  }

  void judge_call(const ProcessRecord& process, const CallRecord& call) {
    if (call.step->end == CallEnd::killed) return judge_killed(process, call);
    if (!call.answer) return judge_silence(process, call);
    const bool fails = call.step->end == CallEnd::failed;
    const Always situation = fails ? Always::failed_call : Always::every_call;
    for (const Check& check : all_checks()) {
      // Of a burst the probe counts launches, and knows nothing of single ones.
      const bool single = !fails && !call.burst;
      const bool is_capable = check.capability.empty() || m_record.adapter->has(check.capability);
      const bool can_be_asked =
          is_capable && !m_record.adapter->unseen.contains(std::string(check.name));
      const bool always =
          is_capable &&
          (check.always == situation || (check.always == Always::single_call && single) ||
           (check.always == Always::seen_call && !fails && process.programs_not_seen.empty()) ||
           (check.always == Always::tuned_call && single && has_searched(process, call)) ||
           (check.always == Always::watched_call && single && m_record.scenario->watch));
      if (check.judge == nullptr || !includes(check.on, m_record.backend)) continue;
      // Asked twice, with two parameters, is two questions.
      bool explicitly = false;
      for (const Expectation& expectation : call.step->expectations) {
        if (expectation.check != &check || process.missed_its_point) continue;
        explicitly = true;
        if (can_be_asked)
          ask(check, process, call, expectation.parameter, expectation.line);
        else
          leave_out(check, process, call, expectation.line);
      }
      if (!always || explicitly) continue;
      if (can_be_asked)
        ask(check, process, call, "yes", call.step->line);
      else
        leave_out(check, process, call, call.step->line);
    }
  }

  // A config that was chosen without a search is compiled, and nothing is to be asked of its
  // trials. What is launched while a search goes on is no winner.
  static bool has_searched(const ProcessRecord& process, const CallRecord& call) {
    const Settings& settings = process.step->settings;
    const bool may_choose = settings.searching_last || settings.table == TableUse::read ||
                            !call.step->settings.config.empty();
    return call.tuned() && call.request.wait && !settings.searching_off &&
           (!may_choose || call.trial_launch_count() > 0);
  }

  static bool failed_unexpectedly(const CallRecord& call) {
    if (call.answer) return call.step->end != CallEnd::failed && !call.answer->done;
    return call.step->end != CallEnd::killed && !call.trouble.empty();
  }

  // A call that failed where it should not have leaves little evidence, of itself and for what
  // compares others with it: those that ran beside it, or that name its process. So does a process
  // that failed before its calls. That is the tuner's fault, which output.reference or
  // adapter.answers states, and no fault of the run.
  bool lacks_a_failed_call(const ProcessRecord& process, const CallRecord& call,
                           const std::string& parameter) const {
    if (failed_unexpectedly(call)) return true;
    const ProcessRecord* const named = m_record.process(parameter);
    return std::any_of(
        m_record.processes.begin(), m_record.processes.end(), [&](const ProcessRecord& other) {
          const bool beside = other.group != nullptr && other.group == process.group;
          return (beside || &other == named) &&
                 (!other.trouble.empty() ||
                  std::any_of(other.calls.begin(), other.calls.end(), failed_unexpectedly));
        });
  }

  void leave_out(const Check& check, const ProcessRecord& process, const CallRecord& call,
                 int line) {
    const auto unseen = m_record.adapter->unseen.find(std::string(check.name));
    if (unseen != m_record.adapter->unseen.end())
      return add(process, &call, check.name, line,
                 {Verdict::unsupported, "observers that see what it reads", unseen->second.reason});
    add(process, &call, check.name, line,
        {Verdict::unsupported, fmt::format("capability {}", check.capability),
         "the adapter does not declare it"});
  }

  void ask(const Check& check, const ProcessRecord& process, const CallRecord& call,
           const std::string& parameter, int line) {
    Answer answer = check.judge({m_record, process, call, parameter});
    if (answer.verdict == Verdict::error && lacks_a_failed_call(process, call, parameter)) return;
    add(process, &call, check.name, line, std::move(answer));
  }

  // Without an answer there is nothing to judge but the silence.
  void judge_silence(const ProcessRecord& process, const CallRecord& call) {
    if (call.trouble.empty()) return;
    add(process, &call, adapter_answers, call.step->line,
        {Verdict::fail, "a valid answer in time", call.trouble});
    for (const Expectation& expectation : call.step->expectations)
      if (const Check& check = *expectation.check; check.fails_on_silence)
        add(process, &call, check.name, expectation.line,
            {Verdict::fail, std::string(check.summary), call.trouble});
  }

  // What it left behind is judged by the calls of later processes.
  void judge_killed(const ProcessRecord& process, const CallRecord& call) {
    // A tuner that never comes to the point says nothing of itself; the run says so.
    if (call.answer) return;
    const bool killed = process.killed_ns != 0;
    add(process, &call, adapter_answers, call.step->line,
        {killed ? Verdict::pass : Verdict::fail,
         process.step->kill ? "killed at " + process.step->kill->text : "killed",
         killed ? process.end.text() : call.trouble});
  }

  void judge_process(const ProcessRecord& process) {
    const bool silent = std::any_of(
        process.calls.begin(), process.calls.end(),
        [](const CallRecord& call) { return !call.answer || call.step->end == CallEnd::killed; });
    if (silent) return;
    add(process, nullptr, adapter_answers, process.step->line,
        {process.trouble.empty() ? Verdict::pass : Verdict::fail,
         "an answer to every request, and an exit when asked to quit",
         process.trouble.empty() ? process.end.text() : process.trouble});
  }

  const ScenarioRecord& m_record;
  std::vector<CheckResult> m_results;
};

}  // namespace

std::vector<CheckResult> judge_record(const ScenarioRecord& record) {
  return Judge(record).run();
}

Verdict worst_of(const std::vector<CheckResult>& checks) {
  Verdict worst = checks.empty() ? Verdict::error : Verdict::pass;
  for (const CheckResult& check : checks)
    if (check.verdict == Verdict::error ||
        (check.verdict == Verdict::fail && worst != Verdict::error))
      worst = check.verdict;
  return worst;
}

}  // namespace tunecheck
