#include "hand_made_record.hpp"

namespace tunecheck::test {
namespace {

using enum Verdict;

// The tuner says that each launch of both configs took so long; the probe timed 1000 ns.
auto reported(double first_ns, double second_ns) {
  return [=](HandMadeRecord& record) {
    record.cold().answer->trials[0].median_ns = first_ns;
    record.cold().answer->trials[1].median_ns = second_ns;
  };
}

// The judge itself measured these times; step=2 is the winner.
auto measured(double first_ns, double second_ns) {
  return [=](HandMadeRecord& record) {
    record.cold().measurement = OwnMeasurement{{{"step=1", first_ns}, {"step=2", second_ns}}, ""};
  };
}

}  // namespace

std::vector<CheckCase> quality_cases() {
  return {
      {"timing.excludes_restore", "as_the_probe_timed", pass, "at most 3 times",
       "0 of 2 configs reported slower", nothing},
      {"timing.excludes_restore", "within_the_slack", pass, "", "0 of 2", reported(52'000, 52'000)},
      {"timing.excludes_restore", "one_of_two_may_be_noise", pass, "", "1 of 2",
       reported(1e6, 1000)},
      {"timing.excludes_restore", "all_inflated", fail, "the kernel's own",
       "2 of 2 configs reported slower: step=2 took 1 us and is reported with 2000 us",
       reported(1e6, 2e6)},
      {"timing.excludes_restore", "median_of_the_launches_counts", pass, "", "0 of 2",
       [](auto& record) {
         for (LaunchEvent& launch : record.cold().launches)
           launch.elapsed_ns = 400'000;
         reported(1.2e6, 1.2e6)(record);
       }},
      {"timing.excludes_restore", "failed_trials_only", error, "", "no reported time",
       [](auto& record) {
         for (protocol::Trial& trial : record.cold().answer->trials)
           trial.failure = "crashed";
       }},
      {"timing.excludes_restore", "nothing_seen", error, "", "no reported time",
       [](auto& record) { record.cold().launches.clear(); }},

      {"winner.regret", "the_best_won", pass, "at most 10 %", "0 % slower", measured(1500, 1000),
       "cold", "10"},
      {"winner.regret", "nearly_the_best_won", pass, "", "9 % slower", measured(1000, 1090), "cold",
       "10"},
      {"winner.regret", "a_slow_config_won", fail, "at most 10 %",
       "step=2 takes 3.0 us on pristine arguments, the best config, step=1, 1.0 us: 200 % slower",
       measured(1000, 3000), "cold", "10"},
      {"winner.regret", "not_measured", error, "", "nothing was measured", nothing, "cold", "10"},
      {"winner.regret", "trouble", error, "", "no compiler",
       [](auto& record) {
         record.cold().measurement = OwnMeasurement{{}, "no compiler"};
       },
       "cold", "10"},
      {"winner.regret", "winner_not_among_them", error, "", "not among the measured",
       [](auto& record) {
         record.cold().measurement = OwnMeasurement{{{"step=1", 1000}}, ""};
       },
       "cold", "10"},
      {"winner.regret", "no_real_call", error, "", "no real call",
       [](auto& record) {
         measured(1000, 1000)(record);
         record.cold().launches.clear();
       },
       "cold", "10"},
  };
}

}  // namespace tunecheck::test
