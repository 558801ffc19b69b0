// The winner must be the fastest, within what was to be spent.
#include <algorithm>

#include "mutants/decorators.hpp"
#include "mutants/families.hpp"

namespace tunecheck::mutants {
namespace {

// One fast rep decides.
class SmallestSample : public Measurement {
 public:
  void measure(const Module& module, TrialArguments& arguments,
               std::chrono::nanoseconds measuring_time, TrialRecord& record) const override {
    Measurement::measure(module, arguments, measuring_time, record);
    if (record.samples < 1) return;
    record.elapsed_ns[0] =
        *std::min_element(record.elapsed_ns.begin(), record.elapsed_ns.begin() + record.samples);
    record.samples = 1;
  }
};

// Keeps one timed rep: the first after `unmeasured` others.
template <int unmeasured>
class OneSample : public Measurement {
 public:
  void measure(const Module& module, TrialArguments& arguments, std::chrono::nanoseconds,
               TrialRecord& record) const override {
    for (int rep = 0; rep <= unmeasured; ++rep) {
      const TimedLaunch launch = run_rep(module, arguments);
      ++record.progress;
      record.status = launch.status;
      if (launch.status != 0) return;
      record.elapsed_ns[0] = launch.elapsed_ns;
    }
    record.samples = 1;
  }
};

// Asks the scheduler nothing.
class InterruptedToo : public Measurement {
 public:
  TimedLaunch run_rep(const Module& module, TrialArguments& arguments) const override {
    TimedLaunch rep = Measurement::run_rep(module, arguments);
    rep.interrupted = false;
    return rep;
  }
};

class NeverDue : public DriftWatch {
 public:
  bool is_due(std::size_t) const override { return false; }
  double common_change(std::vector<double>) const override { return 1; }
};

std::vector<std::size_t> nothing_again(std::span<const Trial>, std::span<const LooksAgain>) {
  return {};
}

// Of looks that do not agree, the slowest one counts, whatever slowed it down.
void judge_by_slowest(Trial& trial, std::span<const Look> looks) {
  const auto slowest =
      std::max_element(looks.begin(), looks.end(),
                       [](const Look& a, const Look& b) { return a.median_ns < b.median_ns; });
  judge_looks(trial, std::span(slowest, 1));
}

// A winner as if drawn by chance: the times play no part.
std::optional<std::size_t> by_digits(std::span<const Trial> trials) {
  std::optional<std::size_t> chosen;
  std::size_t smallest = 0;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const std::size_t draw = std::hash<std::string>()(to_string(trials[i].config));
    if (!trials[i].measured() || (chosen && draw >= smallest)) continue;
    chosen = i;
    smallest = draw;
  }
  return chosen;
}

// The strategy that was asked for, without an end.
std::unique_ptr<Search> without_budget(const SearchInput& input) {
  static const SearchOptions everything;
  return make_search({everything, input.configs, input.first});
}

// One step from the default config, and never a second one.
class StopsEarly : public Search {
 public:
  explicit StopsEarly(const SearchInput& input)
      : Search(input.options.time), m_inner(make_search(input)) {}
  Proposal next(std::span<const Trial> trials) override {
    constexpr int proposals = 2;
    return m_proposals++ < proposals ? m_inner->next(trials) : Proposal{};
  }

 private:
  std::unique_ptr<Search> m_inner;
  int m_proposals = 0;
};

template <class Parts>
void measure_by(ReferenceAdapterSetup& setup) {
  setup.parts.measurement = std::make_shared<Parts>();
}

}  // namespace

std::vector<Mutant> quality_mutants() {
  return {
      {"ranks_by_minimum",
       "takes the config with the fastest single rep, so that an optimistic outlier wins "
       "(helion#2377)",
       measure_by<SmallestSample>},
      {"ranks_by_first_rep", "times only the first rep of each config, which includes loading it",
       measure_by<OneSample<0>>},
      {"one_rep_only", "times each config once, so that every process finds a different winner",
       [](ReferenceAdapterSetup& setup) {
         measure_by<OneSample<1>>(setup);
         setup.parts.choose_finalists = nothing_again;
       }},
      {"ignores_drift",
       "measures configs in order and never returns to one of them, so that a device that becomes "
       "slower decides the winner (pytorch#192159)",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.make_drift_watch = [] { return std::make_unique<NeverDue>(); };
       }},
      {"no_second_look", "trusts the one trial in which a config looked fastest (helion#2377)",
       [](ReferenceAdapterSetup& setup) { setup.parts.choose_finalists = nothing_again; }},
      {"slower_look_counts",
       "lets the slower one of two looks count, so that one disturbed look is the end of a config",
       [](ReferenceAdapterSetup& setup) { setup.parts.judge_looks = judge_by_slowest; }},
      {"counts_interrupted_reps",
       "times reps in which something else had the core, and takes its time for the config's own",
       measure_by<InterruptedToo>},
      {"winner_without_times", "chooses a winner without looking at the times",
       [](ReferenceAdapterSetup& setup) { setup.parts.choose_winner = by_digits; }},
      {"ignores_budget", "tries every config, even if its budget allows fewer",
       [](ReferenceAdapterSetup& setup) { setup.parts.make_search = without_budget; }},
      {"search_stops_early", "ends its search after two proposals, whatever its budget allows",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.make_search = [](const SearchInput& input) -> std::unique_ptr<Search> {
           if (input.options.strategy == SearchStrategy::exhaustive) return make_search(input);
           return std::make_unique<StopsEarly>(input);
         };
       }},
  };
}

}  // namespace tunecheck::mutants
