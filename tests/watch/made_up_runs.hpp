#pragma once
// Evidence that is made up: the cases that no program shows by itself.
#include <algorithm>
#include <string>
#include <vector>

#include "watch/rules.hpp"

namespace tunecheck::watch {

inline std::vector<std::string> words_of(const std::vector<WatchResult::Finding>& findings) {
  std::vector<std::string> words;
  for (const WatchResult::Finding& finding : findings)
    words.push_back((finding.is_certain ? "" : "unclear ") + std::string(name_of(finding.word)));
  return words;
}

inline CodeLaunches code(const std::string& name, std::int64_t launches, std::int64_t measured,
                         std::int64_t runs = 1) {
  CodeLaunches made;
  made.runs = runs;
  made.code = name;
  made.launches = launches;
  made.measured = measured;
  return made;
}

// One process with one kernel.
struct Process {
  explicit Process(int number) : pid(number) {}

  Process& burst(std::vector<CodeLaunches> codes, const std::string& winner, Replay replay,
                 const std::string& inputs = "i", const std::string& result = "r") {
    BurstEvent event;
    event.pid = pid;
    event.number = bursts.size() + 1;
    event.kernel = "k";
    event.shapes = "s";
    event.place = "train.py:9 (step)";
    event.first_ns = static_cast<std::int64_t>(event.number);
    event.codes = std::move(codes);
    event.winner = winner;
    event.replay = replay;
    event.inputs = inputs;
    event.result = result;
    event.after_trials = 1;
    ArgumentSeen argument;
    argument.bytes = 64;
    argument.differing = argument.written = replay == Replay::differs ? 8 : 0;
    argument.found = inputs;
    event.arguments = {argument};
    bursts.push_back(event);
    return *this;
  }
  ProgramRun run(std::int64_t after_trials = 1, const std::string& rank = "") const {
    ProgramRun run;
    add_to(run, after_trials, rank);
    return run;
  }
  void add_to(ProgramRun& run, std::int64_t after_trials = 1, const std::string& rank = "") const {
    run.told.processes.push_back({pid, 1, "python", "", rank, 0});
    TotalEvent total;
    total.pid = pid;
    total.kernel = "k";
    total.shapes = "s";
    total.last_code = bursts.back().winner;
    total.after_trials = after_trials;
    for (const BurstEvent& burst : bursts)
      for (const CodeLaunches& each : burst.codes) {
        auto known = std::find_if(total.codes.begin(), total.codes.end(),
                                  [&](const auto& other) { return other.code == each.code; });
        if (known == total.codes.end()) {
          total.codes.push_back(each);
        } else {
          known->launches += each.launches;
          known->measured += each.measured;
          known->runs += each.runs;
        }
      }
    run.told.totals.push_back(total);
    for (const BurstEvent& burst : bursts)
      run.told.bursts.push_back(burst);
  }
  int pid;
  std::vector<BurstEvent> bursts;
};

inline std::vector<std::string> words(const std::vector<ProgramRun>& runs) {
  return words_of(find_findings(runs, false));
}

}  // namespace tunecheck::watch
