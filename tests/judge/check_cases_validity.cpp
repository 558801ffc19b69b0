#include "hand_made_record.hpp"

namespace tunecheck::test {
namespace {

using enum Verdict;

void no_launch_seen(HandMadeRecord& record) {
  record.cold().launches.clear();
}

void call_has_failed(HandMadeRecord& record) {
  record.cold().answer->done = false;
  record.cold().answer->winner.reset();
  record.cold().answer->message = "nothing works";
  record.cold().cache_after.files.clear();
}

void only_config_untried(HandMadeRecord& record) {
  record.cold().launches.erase(record.cold().launches.begin(), record.cold().launches.end() - 1);
  record.cold().request.facts.configs = {{{{"step", 2}}, {}, {}}};
}

// step=1 crashes in its first launch, and the tuner says so.
void first_config_crashes(HandMadeRecord& record) {
  CallRecord& call = record.cold();
  call.launches[0].ended = false;
  call.launches.erase(call.launches.begin() + 1);
  call.answer->trials[0] = {{{"step", 1}}, "crashed", 0, 0};
}

// A third config that does not compile, and is reported as failed.
void third_config_does_not_compile(HandMadeRecord& record) {
  CompileEvent compile = compile_of("step=3");
  compile.exit_status = 1;
  compile.output_digest.clear();
  record.cold().compiles.push_back(compile);
  record.cold().answer->trials.push_back({{{"step", 3}}, "does not compile", 0, 0});
}

std::vector<CheckCase> winner_cases() {
  return {
      {"winner.correct", "right", pass, "by itself", "config step=2 is right", nothing},
      {"winner.correct", "wrong", fail, "by itself", "config step=2 won: 3 of 4 elements wrong",
       [](auto& record) { record.cold().tensors[3].comparison = comparison_with(3); }},
      {"winner.correct", "failed", fail, "", "the call failed: nothing works", call_has_failed},
      {"winner.correct", "no_launch", error, "", "no real call", no_launch_seen},

      {"winner.measured", "measured", pass, "launched in a trial",
       "step=2 was launched 2 times in trials", nothing},
      {"winner.measured", "never_launched_in_a_trial", fail, "launched in a trial",
       "step=2 was launched 0 times in trials",
       [](auto& record) {
         record.cold().launches.erase(record.cold().launches.begin() + 2,
                                      record.cold().launches.begin() + 4);
       }},
      {"winner.measured", "the_only_config_need_not_be_tried", pass, "launched in a trial",
       "step=2 is the only config there is",
       [](auto& record) {
         only_config_untried(record);
         record.adapter.capabilities.push_back("space");
       }},
      {"winner.measured", "a_space_that_the_tuner_does_not_take_says_nothing", fail,
       "launched in a trial", "0 times", only_config_untried},
      {"winner.measured", "one_of_two_configs_untried", fail, "launched in a trial", "0 times",
       [](auto& record) {
         only_config_untried(record);
         record.adapter.capabilities.push_back("space");
         record.cold().request.facts.configs.push_back({{{"step", 1}}, {}, {}});
       }},
      {"winner.measured", "measured_in_an_earlier_process", pass, "",
       "step=2 was launched 2 times in trials",
       [](auto& record) { record.adapter.capabilities.push_back("resume"); }, "warm"},
      {"winner.measured", "stored_and_compiled_again", pass, "",
       "step=2 was launched 2 times in trials", nothing, "warm"},
      {"winner.measured", "stored_and_compiled_again_from_other_lines", pass, "",
       "was launched 2 times in trials",
       [](auto& record) {
         configs_unknown(record);
         for (CallRecord* const call : {&record.cold(), &record.warm()})
           for (LaunchEvent& launch : call->launches)
             launch.code = "code of " + launch.module;
         record.warm().launches.back().module = "artifact of step=2, compiled again";
       },
       "warm"},
      {"winner.measured", "stored_and_compiled_to_other_code", fail, "", "0 times",
       [](auto& record) { record.warm().launches.back().module = "artifact for another device"; },
       "warm"},
      {"winner.measured", "stored_for_another_question", fail, "", "0 times",
       [](auto& record) { record.warm().request.sizes["n"] += 1; }, "warm"},
      {"winner.measured", "failed_when_it_was_stored", fail, "", "0 times",
       [](auto& record) {
         record.cold().launches[2].status = 701;
         record.cold().launches[3].ended = false;
       },
       "warm"},
      {"winner.measured", "an_earlier_process_is_nothing_to_a_tuning_that_does_not_resume", fail,
       "", "0 times",
       [](auto& record) {
         record.warm().launches.insert(record.warm().launches.begin(), launch_of("step=1"));
       },
       "warm"},
      {"winner.measured", "failed_in_its_trials", fail, "", "0 times",
       [](auto& record) {
         record.cold().launches[2].status = 701;
         record.cold().launches[3].ended = false;
       }},
      {"winner.measured", "known_by_its_artifact", pass, "launched in a trial",
       "artifact artifact of step=2 was launched 2 times in trials", configs_unknown},
      {"winner.measured", "another_artifact", fail, "launched in a trial", "0 times",
       [](auto& record) {
         configs_unknown(record);
         record.cold().launches.back().module = "artifact of step=9";
       }},
      {"winner.measured", "another_file_of_the_same_code", pass, "",
       "was launched 2 times in trials",
       [](auto& record) {
         configs_unknown(record);
         for (LaunchEvent& launch : record.cold().launches)
           launch.code = "code of " + launch.module;
         record.cold().launches.back().module = "artifact of step=2, compiled again";
       }},
      {"winner.measured", "neither_config_nor_artifact", error, "", "neither their config nor",
       [](auto& record) {
         configs_unknown(record);
         record.cold().launches.back().module.clear();
       }},
      {"winner.measured", "no_launch", error, "", "no real call", no_launch_seen},
      {"winner.measured", "no_winner_where_all_failed", pass, "has no winner",
       "no winner, nothing stored", call_has_failed},
      {"winner.measured", "a_winner_where_all_failed", fail, "has no winner", "winner step=2",
       [](auto& record) {
         call_has_failed(record);
         record.cold().answer->winner = Config{{"step", 2}};
       }},
      {"winner.measured", "an_artifact_where_all_failed", fail, "has no winner",
       "x.so was stored: the artifact of step=1",
       [](auto& record) {
         call_has_failed(record);
         record.cold().cache_after.files = {{"x.so", 1, 0644, "artifact of step=1"}};
       }},
  };
}

// The config is in the source, and no argument of the command names it.
void third_config_does_not_compile_and_is_not_named(HandMadeRecord& record) {
  third_config_does_not_compile(record);
  for (CompileEvent& compile : record.cold().compiles)
    compile.arguments = {"-c", "kernel.cc", "-o", "kernel.o"};
}

std::vector<CheckCase> failure_cases() {
  return {
      {"failure.recorded", "a_crash_is_reported", pass, "with a reason", "1 failed, all",
       first_config_crashes},
      {"failure.recorded", "a_crash_is_forgotten", fail, "with a reason",
       "not reported: step=1 never came back from the kernel",
       [](auto& record) {
         first_config_crashes(record);
         record.cold().answer->trials[0].failure.clear();
       }},
      {"failure.recorded", "a_status_is_forgotten", fail, "", "step=1 returned status 701",
       [](auto& record) { record.cold().launches[1].status = 701; }},
      {"failure.recorded", "a_failed_compile_is_forgotten", fail, "", "step=3 did not compile",
       [](auto& record) {
         third_config_does_not_compile(record);
         record.cold().answer->trials.pop_back();
       }},
      {"failure.recorded", "a_failed_compile_without_a_name", pass, "", "1 failed, all",
       third_config_does_not_compile_and_is_not_named},
      {"failure.recorded", "a_failed_compile_without_a_name_is_forgotten", fail, "",
       "not reported: a config did not compile",
       [](auto& record) {
         third_config_does_not_compile_and_is_not_named(record);
         record.cold().answer->trials.pop_back();
       }},
      {"failure.recorded", "nothing_failed", error, "", "no config failed", nothing},

      {"tuning.survives", "a_crash", pass, "one of those wins",
       "step=1 never came back from the kernel; 1 others were launched; winner step=2",
       first_config_crashes},
      {"tuning.survives", "a_failed_compile", pass, "", "2 others were launched",
       third_config_does_not_compile},
      {"tuning.survives", "a_failed_compile_without_a_name", pass, "",
       "a config did not compile; 2 others were launched",
       third_config_does_not_compile_and_is_not_named},
      {"tuning.survives", "the_call_fails", fail, "", "the call failed: nothing works",
       [](auto& record) {
         first_config_crashes(record);
         call_has_failed(record);
       }},
      {"tuning.survives", "others_are_left_out", fail, "", "1 others were launched, 1 were not",
       [](auto& record) {
         first_config_crashes(record);
         record.cold().compiles.push_back(compile_of("step=4"));
       }},
      {"tuning.survives", "others_are_blamed", fail, "",
       "step=2 is reported as failed but ran well",
       [](auto& record) {
         first_config_crashes(record);
         record.cold().answer->trials[1].failure = "also crashed";
       }},
      {"tuning.survives", "the_crasher_wins", fail, "", "winner step=1",
       [](auto& record) {
         first_config_crashes(record);
         record.cold().launches.back().config = "step=1";
       }},
      {"tuning.survives", "the_result_is_wrong", fail, "", "winner step=2",
       [](auto& record) {
         first_config_crashes(record);
         record.cold().tensors[1].comparison = comparison_with(1);
       }},
      {"tuning.survives", "nothing_failed", error, "", "no config failed", nothing},
  };
}

// "warm" says that it tuned and did not, beside a call that did and says `other`.
void beside_in_a_thread(HandMadeRecord& record, protocol::CacheState other) {
  static const CallGroup group;
  CallRecord beside = record.cold();
  beside.answer->cache = other;
  beside.group = record.warm().group = &group;
  record.warm().answer->cache = protocol::CacheState::miss;
  record.record.processes[1].calls.push_back(beside);
}

std::vector<CheckCase> report_cases() {
  return {
      {"report.agrees", "of_a_miss", pass, "what observers saw", "miss, winner step=2, 2 compiles",
       nothing},
      {"report.agrees", "of_a_hit", pass, "", "hit, winner step=2, 0 compiles", nothing, "warm"},
      {"report.agrees", "nothing_is_reported", pass, "", "the call failed", call_has_failed},
      {"report.agrees", "a_false_hit", fail, "",
       "it reports hit, and observers saw 2 compiles and 4 trial launches",
       [](auto& record) { record.cold().answer->cache = protocol::CacheState::hit; }},
      {"report.agrees", "a_false_miss", fail, "", "it reports miss, and observers saw 0 compiles",
       [](auto& record) { record.warm().answer->cache = protocol::CacheState::miss; }, "warm"},
      {"report.agrees", "of_two_threads_that_tuned", pass, "", "miss, winner step=2, 0 compiles",
       [](auto& record) { beside_in_a_thread(record, protocol::CacheState::miss); }, "warm"},
      {"report.agrees", "of_two_threads_with_different_winners", pass, "", "miss, winner step=2",
       [](auto& record) {
         beside_in_a_thread(record, protocol::CacheState::miss);
         record.warm().answer->winner = Config{{"step", 1}};
       },
       "warm"},
      {"report.agrees", "of_a_thread_with_a_winner_that_none_of_them_launched", fail, "",
       "reports winner step=7, and step=2 was launched",
       [](auto& record) {
         beside_in_a_thread(record, protocol::CacheState::miss);
         record.warm().answer->winner = Config{{"step", 7}};
       },
       "warm"},
      {"report.agrees", "of_a_thread_beside_one_that_is_said_to_have_hit", fail, "",
       "it reports miss, and observers saw 0 compiles",
       [](auto& record) { beside_in_a_thread(record, protocol::CacheState::hit); }, "warm"},
      {"report.agrees", "another_winner", fail, "",
       "reports winner step=1, and step=2 was launched",
       [](auto& record) {
         record.cold().answer->winner = Config{{"step", 1}};
       }},
      {"report.agrees", "another_number_of_compiles", fail, "",
       "it reports 1 compiles, and observers saw 2",
       [](auto& record) { record.cold().answer->compiles = 1; }},
      {"report.agrees", "a_number_of_compiles_that_is_not_said", pass, "", "2 compiles",
       [](auto& record) { record.cold().answer->compiles.reset(); }},
      {"report.agrees", "of_a_search_beside_a_call_that_does_not_wait", pass, "", "pending, winner",
       [](auto& record) {
         record.cold().request.wait = false;
         record.cold().answer->cache = protocol::CacheState::pending;
         record.cold().answer->compiles = 1;
       }},
      {"report.agrees", "pending_though_its_caller_waits", fail, "",
       "it reports pending, and its caller waits",
       [](auto& record) { record.cold().answer->cache = protocol::CacheState::pending; }},
      {"report.agrees", "no_launch", error, "", "no real call", no_launch_seen},

      {"launches.seen", "none_elsewhere", pass, "where launches are seen", "no other process",
       nothing},
      {"launches.seen", "not_on_this_machine", error, "", "no evidence: it is forbidden",
       [](auto& record) { record.record.processes[0].programs_not_seen = "it is forbidden"; }},
      {"launches.seen", "in_a_bare_child", fail, "",
       "/bin/child loaded /cache/kernel.so without the launch probe, and 1 more",
       [](auto& record) {
         record.cold().unseen_code = {{1, 2, "/bin/child", "/cache/kernel.so"},
                                      {3, 2, "/bin/child", "/cache/other.so"}};
       }},
  };
}

}  // namespace

std::vector<CheckCase> validity_cases() {
  std::vector<CheckCase> all;
  for (const auto& cases : {winner_cases(), failure_cases(), report_cases()})
    all.insert(all.end(), cases.begin(), cases.end());
  return all;
}

}  // namespace tunecheck::test
