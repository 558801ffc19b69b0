#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "core/text.hpp"
#include "judge/checks/checks.hpp"

namespace tunecheck::checks {
namespace {

struct Caller {
  const ProcessRecord* process;
  const CallRecord* call;
};

// Whoever asked the same at the same moment, the asked call included.
std::vector<Caller> callers_of(const CheckContext& context) {
  std::vector<Caller> callers;
  for (const ProcessRecord& process : context.scenario.processes) {
    const bool beside = process.group != nullptr && process.group == context.process.group;
    if (!beside && &process != &context.process) continue;
    for (const CallRecord& call : process.calls) {
      const bool together = call.group != nullptr && call.group == context.call.group;
      if (!beside && !together && &call != &context.call) continue;
      if (same_question(call.request, context.call.request)) callers.push_back({&process, &call});
    }
  }
  return callers;
}

// What was compiled, in words that are the same for the same config.
std::string compiled_what(const CompileEvent& compile) {
  const std::string config = config_of(compile);
  return config.empty() ? compile.output_digest : config;
}

double seconds(std::int64_t ns) {
  return static_cast<double>(ns) / 1e9;
}

// By which two ways to the first work may differ on a busy machine.
constexpr std::int64_t longest_jitter_ns = 500'000'000;

// The moment at which a caller was first seen to work after `after_ns`; 0 for never.
std::int64_t first_work(const CallRecord& call, std::int64_t after_ns) {
  std::int64_t first = 0;
  const auto see = [&](std::int64_t time_ns) {
    if (time_ns > after_ns && (first == 0 || time_ns < first)) first = time_ns;
  };
  for (const CompileEvent& compile : call.compiles)
    see(compile.time_ns);
  for (const LaunchEvent& launch : call.launches)
    see(launch.time_ns);
  return first;
}

// How long a tuner took from the call to its first work. Of one that nobody was in the way of: how
// long it takes by itself, which for some is many seconds. 0 where it is not known.
std::int64_t way_to_work_ns(const CallRecord& call) {
  const std::int64_t work_ns = first_work(call, 0);
  return call.asked_ns == 0 || work_ns == 0 ? 0
                                            : std::max<std::int64_t>(0, work_ns - call.asked_ns);
}

// The configs that a process had finished trying: launches of another config followed.
std::set<std::string> finished_configs(const ProcessRecord& process) {
  std::set<std::string> finished;
  std::string last;
  for (const CallRecord& call : process.calls)
    for (const LaunchEvent& launch : call.launches) {
      const std::string config = config_or_artifact(launch);
      if (!last.empty() && config != last) finished.insert(last);
      last = config;
    }
  return finished;
}

}  // namespace

Answer tuning_single_flight(const CheckContext& context) {
  const std::string expected = "one of the concurrent requests tunes, and the others wait";
  const std::vector<Caller> callers = callers_of(context);
  if (callers.size() < 2)
    return no_evidence(expected, "there was no concurrent request for the same key");
  std::map<std::string, int> compiled;
  int tuners = 0;
  bool keeps_artifacts = true;
  for (const Caller& caller : callers) {
    tuners += caller.call->tuned() ? 1 : 0;
    keeps_artifacts = keeps_artifacts && caller.call->keeps_artifacts;
    for (const CompileEvent& compile : caller.call->compiles)
      ++compiled[compiled_what(compile)];
  }
  std::string repeated;
  for (const auto& [what, times] : compiled)
    if (times > 1 && repeated.empty() && keeps_artifacts)
      repeated = fmt::format("; {} was compiled {} times", what, times);
  return judged(tuners <= 1 && repeated.empty(), expected,
                fmt::format("{} requests, {} of them tuned, {} configs were compiled{}",
                            callers.size(), tuners, compiled.size(), repeated));
}

Answer tuning_independent(const CheckContext& context) {
  const std::string expected = fmt::format(
      "the call is done while process \"{}\" still tunes another key", context.parameter);
  const ProcessRecord* const other = context.scenario.process(context.parameter);
  const LaunchEvent* const theirs =
      other == nullptr || other->calls.empty() ? nullptr : other->calls.front().real_launch();
  const LaunchEvent* const own = context.call.real_launch();
  if (theirs == nullptr || own == nullptr)
    return no_evidence(expected, "the probe saw no real call");
  if (other->group == nullptr || other->group != context.process.group)
    return no_evidence(expected, "that process did not run at the same time");
  if (same_question(other->calls.front().request, context.call.request))
    return no_evidence(expected, "both asked for the same key");
  const double ahead = seconds(theirs->time_ns - own->time_ns);
  if (ahead > 0)
    return judged(true, expected, fmt::format("its real call began {:.3f} s earlier", ahead));
  // A tuner that is slow by itself may need longer than the other's slow compiler takes. It was not
  // held up where it came to its first work as soon as the other did.
  const std::int64_t own_way = way_to_work_ns(context.call);
  const std::int64_t their_way = way_to_work_ns(other->calls.front());
  const bool held_up =
      own_way == 0 || their_way == 0 || own_way > 2 * their_way + longest_jitter_ns;
  return judged(!held_up, expected,
                fmt::format("its real call began {:.3f} s later; it took {:.3f} s from its call to "
                            "its first work, that process {:.3f} s",
                            -ahead, seconds(own_way), seconds(their_way)));
}

Answer store_no_lost_entry(const CheckContext& context) {
  const std::string expected =
      fmt::format("the entry that process \"{}\" stored is still there", context.parameter);
  const ProcessRecord* const writer = context.scenario.process(context.parameter);
  const LaunchEvent* const stored =
      writer == nullptr || writer->calls.empty() ? nullptr : writer->calls.back().real_launch();
  const LaunchEvent* const now = context.call.real_launch();
  if (stored == nullptr || now == nullptr)
    return no_evidence(expected, "the probe saw no real call");
  if (winner_of(context.call, *stored).empty())
    return no_evidence(expected, unknown_winner(context.call));
  if (context.call.tuned())
    return judged(
        false, expected,
        fmt::format("the call tuned again: {}",
                    counted(static_cast<std::size_t>(context.call.compile_count()), "compile")));
  return judged(same_winner(context.call, *stored, *now), expected,
                fmt::format("{} was launched, {} was stored", now->config, stored->config));
}

// Everybody who waits must come to an end, and one of them take over soon: as soon after the death,
// or after its own call, as who was killed had come to its first work, and so many seconds. Where
// nobody waits, as where each tunes for itself, nobody has to.
Answer waiter_never_hangs(const CheckContext& context) {
  const double allowed = parse_number(context.parameter).value_or(0);
  const std::string expected = fmt::format(
      "a waiting process takes over within {} s after the tuning process was killed", allowed);
  if (!context.call.answer->done)
    return judged(false, expected, "the call failed: " + context.call.answer->message);
  std::int64_t killed_ns = 0;
  std::int64_t way_ns = 0;
  for (const Caller& caller : callers_of(context)) {
    if (caller.process->killed_ns <= killed_ns) continue;
    killed_ns = caller.process->killed_ns;
    way_ns = way_to_work_ns(*caller.call);
  }
  if (killed_ns == 0) return no_evidence(expected, "no process that tuned this key was killed");
  std::optional<std::int64_t> waited_ns;  // of the first
  bool had_all_worked = true;
  for (const Caller& caller : callers_of(context)) {
    if (caller.process->killed_ns != 0) continue;
    had_all_worked = had_all_worked && first_work(*caller.call, 0) != 0;
    const std::int64_t work_ns = first_work(*caller.call, killed_ns);
    if (work_ns == 0) continue;
    const std::int64_t since_ns = work_ns - std::max(killed_ns, caller.call->asked_ns);
    waited_ns = std::min(waited_ns.value_or(since_ns), since_ns);
  }
  if (!waited_ns && had_all_worked)
    return judged(true, expected, "no process waited: all had started work before the kill");
  if (!waited_ns) return no_evidence(expected, "observers saw no process work after the kill");
  return judged(
      seconds(*waited_ns) <= allowed + seconds(way_ns), expected,
      fmt::format(
          "after {:.3f} s; the killed process took {:.3f} s from its call to its first work",
          seconds(*waited_ns), seconds(way_ns)));
}

Answer waiter_gives_up(const CheckContext& context) {
  const std::string expected =
      fmt::format("an answer before process \"{}\" ends, which stands still", context.parameter);
  const CallRecord& call = context.call;
  const ProcessRecord* const holder = context.scenario.process(context.parameter);
  if (holder == nullptr || holder->killed_ns == 0 || call.asked_ns == 0)
    return no_evidence(expected, "that process was not killed");
  if (call.asked_ns >= holder->killed_ns)
    return no_evidence(expected, "that process had ended before the call was made");
  const double early = seconds(holder->killed_ns - call.asked_ns - call.wall_ns);
  return judged(early > 0, expected,
                fmt::format("after {:.3f} s, {:.3f} s {} its end", seconds(call.wall_ns),
                            std::abs(early), early > 0 ? "before" : "after"));
}

Answer tuning_resumes(const CheckContext& context) {
  const std::string expected = fmt::format(
      "configs that process \"{}\" had measured are not measured again", context.parameter);
  const ProcessRecord* const killed = context.scenario.process(context.parameter);
  const LaunchEvent* const real = context.call.real_launch();
  if (killed == nullptr || killed->killed_ns == 0)
    return no_evidence(expected, "that process was not killed");
  const std::set<std::string> finished = finished_configs(*killed);
  if (finished.empty()) return no_evidence(expected, "it had not finished a single config");
  if (real == nullptr) return no_evidence(expected, "the probe saw no real call");
  // One launch shows that a config still computes what it should: no measurement is that short.
  std::map<std::string, int> launches;
  for (const LaunchEvent& launch : context.call.trial_launches())
    ++launches[config_or_artifact(launch)];
  std::string again;
  std::size_t repeated = 0;
  for (const std::string& config : finished)
    if (launches.contains(config) && launches[config] > 1) {
      ++repeated;
      again = fmt::format(": {} with {} launches", config, launches[config]);
    }
  return judged(
      repeated == 0, expected,
      fmt::format(
          "{} had been measured, {} of them were measured again{}; this call tried {} in all",
          finished.size(), repeated, again, launches.size()));
}

}  // namespace tunecheck::checks
