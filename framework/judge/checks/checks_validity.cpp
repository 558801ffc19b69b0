#include <algorithm>
#include <set>

#include "core/device_kinds.hpp"
#include "judge/checks/checks.hpp"

namespace tunecheck::checks {
namespace {

// The configs that observers saw fail: they did not compile, or a launch did not end well. What
// becomes of a launch on a GPU nobody sees from outside: there the judge has run each config
// itself.
std::map<std::string, std::string> failed_configs(const CallRecord& call) {
  std::map<std::string, std::string> failed;
  for (const CompileEvent& compile : call.compiles)
    if (compile.exit_status != 0 && !config_of(compile).empty())
      failed[config_of(compile)] = "did not compile";
  for (const LaunchEvent& launch : call.launches)
    if (!launch.ended)
      failed[launch.config] = "never came back from the kernel";
    else if (launch.status != 0)
      failed[launch.config] = fmt::format("returned status {}", launch.status);
  if (call.measurement)
    for (const auto& [config, reason] : call.measurement->failed)
      failed.emplace(config, reason);
  return failed;
}

// Some tuners write a config into the source and not into the command: which one did not compile is
// then not known, only that one did not.
bool nameless_compile_failed(const CallRecord& call) {
  return std::any_of(call.compiles.begin(), call.compiles.end(), [](const CompileEvent& compile) {
    return compile.exit_status != 0 && config_of(compile).empty();
  });
}

// Why nothing can be said where no config was seen to fail.
std::string without_failure(const CallRecord& call) {
  return call.measurement && !call.measurement->trouble.empty() ? call.measurement->trouble
                                                                : "no config failed";
}

std::string list(const std::map<std::string, std::string>& reasons) {
  std::string text;
  for (const auto& [config, reason] : reasons)
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", config, reason);
  return text;
}

bool ended_well(const LaunchEvent& launch) {
  return launch.ended && launch.status == 0;
}

std::int64_t good_trials(const CallRecord& call, const std::string& winner) {
  const auto trials = call.trial_launches();
  return std::count_if(trials.begin(), trials.end(), [&](const LaunchEvent& launch) {
    return config_or_artifact(launch) == winner && ended_well(launch);
  });
}

// The calls of the scenario that come before the one in question, in the order of the file.
std::vector<const CallRecord*> calls_before(const CheckContext& context) {
  std::vector<const CallRecord*> calls;
  for (const ProcessRecord& process : context.scenario.processes)
    for (const CallRecord& call : process.calls) {
      if (&call == &context.call) return calls;
      calls.push_back(&call);
    }
  return calls;
}

// True where both launched one code. A config that was compiled for something else is other code.
bool same_code(const LaunchEvent& a, const LaunchEvent& b) {
  return !a.module.empty() && (a.module == b.module || (!a.code.empty() && a.code == b.code));
}

// The trials that count for the winner of a call although they were made in an earlier one. Who
// goes on with the measurements of an earlier call need not repeat them. And who finds a winner
// that was stored (Helion's, which is stored before its binary is) but not its binary, compiles it
// and tries nothing: then what the winner was measured as must be what is launched now.
std::int64_t earlier_trials(const CheckContext& context, const LaunchEvent& real) {
  const bool resumes = context.scenario.adapter->has("resume");
  const bool tried_nothing = context.call.trial_launch_count() == 0;
  std::int64_t good = 0;
  for (const CallRecord* const earlier : calls_before(context)) {
    if (resumes) {
      good += good_trials(*earlier, config_or_artifact(real));
    } else if (tried_nothing && same_question(earlier->request, context.call.request)) {
      const auto trials = earlier->trial_launches();
      good += std::count_if(trials.begin(), trials.end(), [&](const LaunchEvent& launch) {
        return same_code(launch, real) && ended_well(launch);
      });
    }
  }
  return good;
}

bool outputs_right(const CallRecord& call) {
  return std::all_of(call.tensors.begin(), call.tensors.end(), [](const TensorRecord& tensor) {
    return !tensor.comparison || tensor.comparison->equal();
  });
}

}  // namespace

Answer winner_correct(const CheckContext& context) {
  const std::string expected = "the winner computes the right result by itself";
  const LaunchEvent* const real = context.call.real_launch();
  if (!context.call.answer->done)
    return judged(false, expected, "the call failed: " + context.call.answer->message);
  if (real == nullptr) return no_evidence(expected, "the probe saw no real call");
  for (const TensorRecord& tensor : context.call.tensors)
    if (tensor.comparison && !tensor.comparison->equal())
      return judged(false, expected,
                    fmt::format("config {} won: {}", real->config, tensor.comparison->text()));
  return judged(true, expected, fmt::format("config {} is right", real->config));
}

Answer winner_measured(const CheckContext& context) {
  const CallRecord& call = context.call;
  if (!call.answer->done) {
    const std::string expected = "a tuning in which every config failed has no winner";
    if (call.answer->winner)
      return judged(false, expected, "winner " + to_string(*call.answer->winner));
    for (const CompileEvent& compile : call.compiles)
      for (const FileRecord& file : call.cache_after.files)
        if (file.holds(compile.output_digest))
          return judged(
              false, expected,
              fmt::format("{} was stored: the artifact of {}", file.path, config_of(compile)));
    return judged(true, expected, "no winner, nothing stored");
  }
  const std::string expected =
      "the winner was measured: it was launched in a trial without failing";
  const LaunchEvent* const real = call.real_launch();
  if (real == nullptr) return no_evidence(expected, "the probe saw no real call");
  const std::string winner = config_or_artifact(*real);
  if (winner.empty())
    return no_evidence(expected, "launches name neither their config nor their artifact");
  std::int64_t good = good_trials(call, winner);
  if (good == 0) good = earlier_trials(context, *real);
  // A tuner that may launch one config has nothing to choose (triton.autotune launches it at once).
  if (good == 0 && call.request.facts.configs.size() == 1 && context.scenario.adapter->has("space"))
    return judged(true, expected, fmt::format("{} is the only config there is", winner));
  return judged(good > 0, expected,
                fmt::format("{} was launched {} times in trials", winner, good));
}

Answer failure_recorded(const CheckContext& context) {
  const std::string expected = "every config that failed is reported with a reason";
  const auto failed = failed_configs(context.call);
  const bool nameless = nameless_compile_failed(context.call);
  if (failed.empty() && !nameless) return no_evidence(expected, without_failure(context.call));
  std::map<std::string, std::string> missing = failed;
  if (nameless) missing.emplace("a config", "did not compile");
  for (const protocol::Trial& trial : context.call.answer->trials)
    if (!trial.failure.empty() && missing.erase(to_string(trial.config)) == 0)
      missing.erase("a config");
  return judged(missing.empty(), expected,
                missing.empty()
                    ? fmt::format("{} failed, all reported", failed.size() + (nameless ? 1 : 0))
                    : "not reported: " + list(missing));
}

// One bad config must cost one trial: whatever compiled was launched, and nothing is reported as
// failed that observers did not see fail (pytorch#95542: after one crash every later config
// "failed").
Answer tuning_survives(const CheckContext& context) {
  const std::string expected =
      "each bad config costs one trial, all others are measured, and one of those wins";
  const CallRecord& call = context.call;
  const auto failed = failed_configs(call);
  if (!call.answer->done)
    return judged(false, expected, "the call failed: " + call.answer->message);
  if (failed.empty() && !nameless_compile_failed(call))
    return no_evidence(expected, without_failure(call));
  std::set<std::string> compiled, measured, blamed;
  for (const CompileEvent& compile : call.compiles)
    if (compile.exit_status == 0 && !config_of(compile).empty())
      compiled.insert(config_of(compile));
  for (const LaunchEvent& launch : call.trial_launches())
    if (!failed.contains(launch.config)) measured.insert(launch.config);
  for (const protocol::Trial& trial : call.answer->trials)
    if (!trial.failure.empty() && measured.contains(to_string(trial.config)))
      blamed.insert(to_string(trial.config));
  const auto left_out = std::count_if(compiled.begin(), compiled.end(), [&](const auto& config) {
    return !failed.contains(config) && !measured.contains(config);
  });
  const LaunchEvent* const real = call.real_launch();
  const bool survived = real != nullptr && measured.contains(real->config) && left_out == 0 &&
                        blamed.empty() && outputs_right(call);
  std::string observed =
      fmt::format("{}; {} others were launched",
                  failed.empty() ? "a config did not compile" : list(failed), measured.size());
  if (left_out > 0) observed += fmt::format(", {} were not", left_out);
  for (const std::string& config : blamed)
    observed += fmt::format("; {} is reported as failed but ran well", config);
  return judged(survived, expected,
                observed + "; winner " + (real != nullptr ? real->config : "none"));
}

// Whether another call, in a thread beside this one, says that it tuned as well.
template <class Also>
bool tuned_beside(const CheckContext& context, Also&& also) {
  const CallRecord& call = context.call;
  const auto& calls = context.process.calls;
  return call.group != nullptr && std::any_of(calls.begin(), calls.end(), [&](const auto& other) {
           return &other != &call && other.group == call.group && other.answer &&
                  other.answer->cache != protocol::CacheState::hit && also(other);
         });
}

// Of calls in threads of one process, nobody sees which of them compiled and tried what: where
// another one says that it tuned as well, the work of both is put down to one of them.
bool shares_its_work(const CheckContext& context) {
  return tuned_beside(context, [](const CallRecord& other) { return other.tuned(); });
}

// True where the config that the call reports is the one that it launched. The probe does not say
// which thread launched what: where calls in several threads each tune, it is one of theirs.
bool has_reported_winner(const CheckContext& context, const LaunchEvent& real) {
  const CallRecord& call = context.call;
  const std::string winner = to_string(*call.answer->winner);
  if (winner == real.config) return true;
  const auto launched_it = [&](const CallRecord& each) {
    return each.group == call.group &&
           std::any_of(each.launches.begin(), each.launches.end(),
                       [&](const LaunchEvent& launch) { return launch.config == winner; });
  };
  const auto& calls = context.process.calls;
  return call.answer->cache != protocol::CacheState::hit &&
         tuned_beside(context, [](const CallRecord&) { return true; }) &&
         std::any_of(calls.begin(), calls.end(), launched_it);
}

Answer report_agrees(const CheckContext& context) {
  const std::string expected = "what the tuner reports is what observers saw";
  const CallRecord& call = context.call;
  const LaunchEvent* const real = call.real_launch();
  if (!call.answer->done) return judged(true, expected, "the call failed; nothing is reported");
  if (call.burst && call.launch_count() == 0) return no_evidence(expected, "no launch was counted");
  if (real == nullptr && !call.burst) return no_evidence(expected, "the probe saw no real call");
  std::vector<std::string> differences;
  const bool says_hit = call.answer->cache == protocol::CacheState::hit;
  const bool shares = !says_hit && shares_its_work(context);
  // What a search beside the call does cannot be told from what the call does.
  const bool is_beside = call.answer->cache == protocol::CacheState::pending ||
                         call.answer->cache == protocol::CacheState::unchecked;
  if (is_beside && call.request.wait)
    differences.push_back(fmt::format("it reports {}, and its caller waits for the winner",
                                      name_of(call.answer->cache)));
  if (says_hit == call.tuned() && !shares && !is_beside)
    differences.push_back(
        fmt::format("it reports {}, and observers saw {} compiles and {} trial launches",
                    name_of(call.answer->cache), call.compile_count(), call.trial_launch_count()));
  if (call.burst && call.burst->counts.launches < static_cast<std::uint64_t>(call.burst->calls))
    differences.push_back(fmt::format("it reports {} calls as done, but only {} were launched",
                                      call.burst->calls, call.burst->counts.launches));
  if (real != nullptr && call.answer->winner && !real->config.empty() &&
      !has_reported_winner(context, *real))
    differences.push_back(fmt::format("it reports winner {}, and {} was launched",
                                      to_string(*call.answer->winner), real->config));
  // No compiler runs for the simulated device, so no observer could have seen one.
  if (context.scenario.backend != DeviceKind::sim && call.answer->compiles && !shares &&
      !is_beside && *call.answer->compiles != call.compile_count())
    differences.push_back(fmt::format("it reports {} compiles, and observers saw {}",
                                      *call.answer->compiles, call.compile_count()));
  std::string text;
  for (const std::string& difference : differences)
    text += (text.empty() ? "" : "; ") + difference;
  return judged(
      differences.empty(), expected,
      differences.empty()
          ? fmt::format("{}, winner {}, {} compiles", name_of(call.answer->cache),
                        real != nullptr ? real->config : "of many calls", call.compile_count())
          : text);
}

Answer launches_seen(const CheckContext& context) {
  const std::string expected = "code that was made for the tuner is loaded where launches are seen";
  if (!context.process.programs_not_seen.empty())
    return no_evidence(expected, context.process.programs_not_seen);
  const auto& unseen = context.call.unseen_code;
  if (unseen.empty()) return judged(true, expected, "no other process loaded any");
  return judged(
      false, expected,
      fmt::format("{} loaded {} without the launch probe{}", unseen.front().program,
                  unseen.front().file,
                  unseen.size() == 1 ? "" : fmt::format(", and {} more", unseen.size() - 1)));
}

}  // namespace tunecheck::checks
