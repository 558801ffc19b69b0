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
auto owned_times(double first_ns, double second_ns) {
  return [=](HandMadeRecord& record) {
    record.cold().measurement = OwnMeasurement{{{"step=1", first_ns}, {"step=2", second_ns}}, ""};
  };
}

// The process "warm" tuned as well, and chose this config; measured as above.
auto second_winner(const std::string& config, double first_ns, double second_ns) {
  return [=](HandMadeRecord& record) {
    CallRecord& call = record.warm();
    call.compiles = {compile_of("step=1"), compile_of("step=2")};
    call.launches = {launch_of("step=1"), launch_of("step=2"), launch_of(config)};
    call.measurement = OwnMeasurement{{{"step=1", first_ns}, {"step=2", second_ns}}, ""};
  };
}

// The space that both configs are from, and eight more.
void ten_configs(HandMadeRecord& record) {
  record.cold().request.space.parameters = {{"step", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}};
}

// "cold" tried two configs at most; "warm" may try as many as that, and is a hit.
auto budgets(SearchEffort effort, std::int64_t trials) {
  return [=](HandMadeRecord& record) {
    record.adapter.search_effort = effort;
    record.cold().request.search = protocol::Search{.strategy = "random", .trials = 2};
    record.warm().request.search = protocol::Search{.strategy = "random", .trials = trials};
  };
}

// The same by effort: "cold" had the least, and "warm" this one.
auto efforts(const std::string& effort) {
  return [=](HandMadeRecord& record) {
    record.adapter.search_effort = SearchEffort::upgrade;
    record.processes[0].settings.effort = "minimal";
    record.processes[1].settings.effort = effort;
  };
}

// "warm" has all effort, and tries these configs.
auto tries(const std::vector<std::string>& configs) {
  return [=](HandMadeRecord& record) {
    efforts("full")(record);
    std::vector<LaunchEvent> launches;
    for (const std::string& config : configs)
      launches.push_back(launch_of(config));
    launches.push_back(record.warm().launches.back());
    record.warm().launches = launches;
  };
}

// The same, and "warm" tunes.
auto tunes_again(SearchEffort effort) {
  return [=](HandMadeRecord& record) {
    budgets(effort, 3)(record);
    record.warm().compiles = {compile_of("step=1")};
  };
}

std::vector<CheckCase> effort_cases() {
  using enum SearchEffort;
  const std::string tunes = "\"cold\", the call tunes again";
  return {
      {"effort.policy", "ignored", pass, "the call uses its winner all the same", "0 compiles",
       budgets(ignored, 3), "warm", "cold"},
      {"effort.policy", "tuned_although_ignored", fail, "", "1 compile", tunes_again(ignored),
       "warm", "cold"},
      {"effort.policy", "upgraded", pass, tunes, "1 compile", tunes_again(upgrade), "warm", "cold"},
      {"effort.policy", "not_upgraded", fail, tunes, "0 compiles", budgets(upgrade, 3), "warm",
       "cold"},
      {"effort.policy", "without_a_limit_is_more", fail, tunes, "0 compiles", budgets(in_key, 0),
       "warm", "cold"},
      {"effort.policy", "not_in_the_key", fail, tunes, "0 compiles", budgets(in_key, 3), "warm",
       "cold"},
      {"effort.policy", "the_last_call_of_the_other_counts", pass,
       "the call uses its winner all the same", "0 compiles",
       [](auto& record) {
         budgets(SearchEffort::ignored, 3)(record);
         std::vector<CallRecord>& calls = record.record.processes[0].calls;
         CallRecord earlier = calls[0];
         earlier.request.search->trials = 9;
         calls.insert(calls.begin(), earlier);
       },
       "warm", "cold"},
      {"effort.policy", "as_small", error, "", "with a smaller budget", budgets(ignored, 2), "warm",
       "cold"},
      {"effort.policy", "another_call", error, "", "did not make the same call",
       [](auto& record) {
         budgets(SearchEffort::ignored, 3)(record);
         record.warm().request.arch = "other";
       },
       "warm", "cold"},
      {"effort.policy", "a_hit_has_no_budget", error, "", "that process did not tune",
       budgets(ignored, 3), "cold", "warm"},
      {"effort.policy", "no_launch", error, "", "the probe saw no launch",
       [](auto& record) {
         budgets(SearchEffort::ignored, 3)(record);
         record.warm().launches.clear();
       },
       "warm", "cold"},
      {"effort.policy", "less_effort_of_the_process", fail, tunes, "0 compiles",
       efforts("balanced"), "warm", "cold"},
      {"effort.policy", "as_little_effort", error, "", "with a smaller budget", efforts("minimal"),
       "warm", "cold"},
      {"effort.widens", "others_too", pass, "\"cold\", with less effort, had not tried",
       "3 configs were tried, 2 of them", tries({"step=1", "step=2", "step=3"}), "warm", "cold"},
      {"effort.widens", "the_same", fail, "", "2 configs were tried, 2 of them",
       tries({"step=1", "step=2"}), "warm", "cold"},
      {"effort.widens", "a_hit", fail, "", "0 configs were tried", tries({}), "warm", "cold"},
      {"effort.widens", "no_less_effort", error, "", "with a smaller budget", efforts("minimal"),
       "warm", "cold"},
      {"effort.widens", "no_launch", error, "", "the probe saw no launch",
       [](auto& record) {
         efforts("full")(record);
         record.warm().launches.clear();
       },
       "warm", "cold"},
      {"search.goes_on", "half_of_them_again", pass, "at most half",
       "1 of 2 were tried again, and 1 others", tries({"step=2", "step=3"}), "warm", "cold"},
      {"search.goes_on", "all_of_them_again", fail, "at most half", "2 of 2 were tried again",
       tries({"step=1", "step=2", "step=3"}), "warm", "cold"},
      {"search.goes_on", "nothing_tried", error, "", "no config being tried", tries({}), "warm",
       "cold"},
      {"search.goes_on", "that_did_not_tune", error, "", "that process did not tune",
       efforts("full"), "cold", "warm"},
      {"effort.policy", "not_declared", unsupported, "", "the adapter does not declare it", nothing,
       "warm", "cold"},
  };
}

std::vector<CheckCase> choice_cases() {
  return {
      {"timing.excludes_restore", "as_the_probe_timed", pass, "at most 3 times",
       "0 of 2 configs are reported as slower", nothing},
      {"timing.excludes_restore", "within_the_slack", pass, "", "0 of 2", reported(52'000, 52'000)},
      {"timing.excludes_restore", "one_of_two_may_be_noise", pass, "", "1 of 2",
       reported(1e6, 1000)},
      {"timing.excludes_restore", "all_inflated", fail, "the kernel's own",
       "2 of 2 configs are reported as slower: step=2 took 1 us and is reported as 2000 us",
       reported(1e6, 2e6)},
      {"timing.excludes_restore", "all_behind_a_fair_one_count", fail, "",
       "2 of 3 configs are reported as slower: step=3 took 1 us and is reported as 3000 us",
       [](auto& record) {
         reported(1000, 2e6)(record);
         record.cold().answer->trials.push_back({{{"step", 3}}, "", 3e6, 2});
         record.cold().launches.insert(record.cold().launches.begin(), 2, launch_of("step=3"));
       }},
      {"timing.excludes_restore", "median_of_the_launches_counts", pass, "", "0 of 2",
       [](auto& record) {
         for (LaunchEvent& launch : record.cold().launches)
           launch.elapsed_ns = 400'000;
         reported(1.2e6, 1.2e6)(record);
       }},
      {"timing.excludes_restore", "fair_in_another_tuning", pass, "", "0 of 2",
       [](auto& record) {
         CallRecord before = record.cold();
         reported(1e6, 2e6)(record);
         record.warm() = before;
       }},
      {"timing.excludes_restore", "fair_for_another_question", fail, "", "2 of 2",
       [](auto& record) {
         CallRecord before = record.cold();
         reported(1e6, 2e6)(record);
         record.warm() = before;
         record.warm().request.sizes["n"] = 7;
       }},
      {"timing.excludes_restore", "failed_trials_only", error, "", "no reported time",
       [](auto& record) {
         for (protocol::Trial& trial : record.cold().answer->trials)
           trial.failure = "crashed";
       }},
      {"timing.excludes_restore", "nothing_seen", error, "", "no reported time",
       [](auto& record) { record.cold().launches.clear(); }},

      {"winner.regret", "the_best_won", pass, "at most 10 %", "0 % slower", owned_times(1500, 1000),
       "cold", "10"},
      {"winner.regret", "nearly_the_best_won", pass, "", "9 % slower", owned_times(1000, 1090),
       "cold", "10"},
      {"winner.regret", "a_slow_config_won", fail, "at most 10 %",
       "step=2 takes 3.0 us on pristine arguments, the best config, step=1, takes 1.0 us: 200 % "
       "slower",
       owned_times(1000, 3000), "cold", "10"},
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
         owned_times(1000, 1000)(record);
         record.cold().launches.clear();
       },
       "cold", "10"},

      {"winner.stable", "the_same_config", pass, "within 10 %", "2 winners, 0.0 % apart",
       second_winner("step=2", 5000, 1000), "warm", "10"},
      {"winner.stable", "another_that_is_as_good", pass, "", "2 winners, 9.0 % apart",
       second_winner("step=1", 1090, 1000), "warm", "10"},
      {"winner.stable", "another_that_is_slower", fail, "within 10 %",
       "2 winners, 50.0 % apart: step=2 of cold takes 1.0 us, step=1 of warm 1.5 us",
       second_winner("step=1", 1500, 1000), "warm", "10"},
      {"winner.stable", "one_that_never_works_on_a_device_that_knows", fail, "",
       "step=1 won in warm, but never gives right results",
       [](auto& record) {
         second_winner("step=1", 0, 1000)(record);
         record.warm().measurement->median_ns.erase("step=1");
         record.warm().measurement->is_exact = true;
       },
       "warm", "10"},
      {"winner.stable", "winner_not_measured", error, "", "was not among the measured",
       [](auto& record) {
         second_winner("step=1", 0, 1000)(record);
         record.warm().measurement->median_ns.erase("step=1");
       },
       "warm", "10"},
      {"winner.stable", "nobody_else_tuned", error, "", "fewer than two processes",
       owned_times(1500, 1000), "cold", "10"},
      {"winner.stable", "another_call", error, "", "fewer than two processes",
       [](auto& record) {
         second_winner("step=1", 1500, 1000)(record);
         record.cold().request.sizes = {{"n", 7}};
       },
       "warm", "10"},
      {"winner.stable", "not_measured", error, "", "nothing was measured", nothing, "warm", "10"},

      {"tuning.cost", "as_many_as_allowed", pass, "at most 2 of the 10 configs", "2 launched",
       ten_configs, "cold", "2"},
      {"tuning.cost", "a_share", pass, "at most 2 of the 10 configs", "2 launched", ten_configs,
       "cold", "20%"},
      {"tuning.cost", "one_too_many", fail, "at most 1 of the 10 configs",
       "2 configs compiled, 2 launched", ten_configs, "cold", "1"},
      {"tuning.cost", "too_large_a_share", fail, "at most 1 of", "2 configs", ten_configs, "cold",
       "10%"},
      {"tuning.cost", "compiles_count_without_launches", fail, "", "3 configs compiled, 0 launched",
       [](auto& record) {
         ten_configs(record);
         record.cold().compiles.push_back(compile_of("step=3"));
         record.cold().launches.erase(record.cold().launches.begin(),
                                      std::prev(record.cold().launches.end()));
       },
       "cold", "2"},
      {"tuning.cost", "nothing_tried", error, "", "no config being tried", nothing, "warm", "2"},
  };
}

}  // namespace

std::vector<CheckCase> quality_cases() {
  std::vector<CheckCase> all = choice_cases();
  for (const CheckCase& each : effort_cases())
    all.push_back(each);
  return all;
}

}  // namespace tunecheck::test
