// Of the families reload and invalidation.
#include "hand_made_record.hpp"

namespace tunecheck::test {
namespace {

using enum Verdict;

void nothing_seen(HandMadeRecord& record) {
  for (CallRecord* const call : {&record.cold(), &record.warm()}) {
    call->launches.clear();
    call->compiles.clear();
  }
}

void fails(CallRecord& call) {
  call.answer->done = false;
  call.answer->message = "nothing works";
  call.launches.clear();
}

void warm_compiles(HandMadeRecord& record) {
  record.warm().compiles.push_back(compile_of("step=2"));
}

// The tuner stores configs alone, so that a compile is no sign of a tuning.
void only_compiles(HandMadeRecord& record) {
  warm_compiles(record);
  record.warm().keeps_artifacts = false;
}

void warm_tries(HandMadeRecord& record) {
  record.warm().launches.insert(record.warm().launches.begin(), launch_of("step=1"));
}

// "warm" is the second call of a process whose first one has read the folder.
void looked_before(HandMadeRecord& record) {
  std::vector<CallRecord>& calls = record.record.processes[1].calls;
  record.warm().number = 2;
  CallRecord before = record.cold();
  before.number = 1;
  before.files = {{1, 2, "open", "step=2.json", "", 0}};
  calls.push_back(before);
}

void cold_is_seen(HandMadeRecord& record) {
  record.cold().files = {{1, 2, "write", "step=2.json", "", 0}};
}

std::vector<CheckCase> reload_only_cases() {
  return {
      {"reload.no_compile", "none", pass, "no compile", "0 compiles", nothing, "warm"},
      {"reload.no_compile", "one", fail, "no compile", "1 compile", warm_compiles, "warm"},
      {"reload.no_compile", "nothing_seen", error, "", "neither a compile nor a launch",
       nothing_seen, "warm"},

      {"reload.no_trial", "one_launch", pass, "one launch, for the caller", "1 launches", nothing,
       "warm"},
      {"reload.no_trial", "two_launches", fail, "one launch", "2 launches", warm_tries, "warm"},
      {"reload.no_trial", "a_declared_warm_up", pass, "one launch",
       "2 launches, all but one of them to warm up",
       [](auto& record) {
         record.warm().may_warm_up = 1;
         record.warm().launches.push_back(launch_of("step=2"));
       },
       "warm"},
      {"reload.no_trial", "nothing_seen", error, "", "no launch", nothing_seen, "warm"},

      {"reload.no_file", "none", pass, "nothing is done", "nothing", looked_before, "warm"},
      {"reload.no_file", "one", fail, "", "1 operations; the first: open of step=2.json",
       [](auto& record) {
         looked_before(record);
         record.warm().files = {{1, 2, "open", "step=2.json", "", 0}};
       },
       "warm"},
      {"reload.no_file", "one_that_failed", fail, "", "the first: open of the folder itself",
       [](auto& record) {
         record.warm().files = {{1, 2, "open", "", "", 13}};
       },
       "warm"},
      {"reload.no_file", "never_seen", error, "", "was ever seen", nothing, "warm"},

      {"cache.untouched", "nothing_done", pass, "neither read nor changed",
       "nothing; 1 operations of process \"cold\"", cold_is_seen, "warm"},
      {"cache.untouched", "read", fail, "", "1 operations; the first: open of step=2.json",
       [](auto& record) {
         record.warm().files = {{1, 2, "open", "step=2.json", "", 0}};
       },
       "warm"},
      {"cache.untouched", "written_by_a_child", fail, "", "new.json is not as it was",
       [](auto& record) {
         cold_is_seen(record);
         record.warm().cache_after.files.push_back({"new.json", 9, 0644, "entry"});
       },
       "warm"},
      {"cache.untouched", "changed_by_a_child", fail, "", "step=2.json is not as it was",
       [](auto& record) {
         cold_is_seen(record);
         record.warm().cache_after.files.back().digest = "another entry";
       },
       "warm"},
      {"cache.untouched", "removed_by_a_child", fail, "", "step=2.json is not as it was",
       [](auto& record) {
         cold_is_seen(record);
         record.warm().cache_after.files.pop_back();
       },
       "warm"},
      {"cache.untouched", "nobody_seen", error, "", "of this scenario did in the cache folder",
       nothing, "warm"},

      {"reload.same_winner", "the_same", pass, "the winner of process \"cold\": step=2",
       "step=2 was launched", nothing, "warm", "cold"},
      {"reload.same_winner", "another", fail, "the winner of process \"cold\": step=2",
       "step=1 was launched", [](auto& record) { record.warm().launches[0].config = "step=1"; },
       "warm", "cold"},
      {"reload.same_winner", "nothing_seen", error, "", "no real call", nothing_seen, "warm",
       "cold"},
      {"reload.same_winner", "the_call_before_failed", fail, "the winner of process \"cold\"",
       "there is none, because its call failed: nothing works",
       [](auto& record) { fails(record.cold()); }, "warm", "cold"},
      {"reload.same_winner", "the_call_failed", fail, "the winner of process \"cold\"",
       "the call failed: nothing works", [](auto& record) { fails(record.warm()); }, "warm",
       "cold"},
      {"reload.same_winner", "the_same_artifact", pass, "artifact artifact of step=2",
       "artifact artifact of step=2 was launched", configs_unknown, "warm", "cold"},
      {"reload.same_winner", "another_artifact", fail, "artifact artifact of step=2",
       "artifact other was launched",
       [](auto& record) {
         configs_unknown(record);
         record.warm().launches[0].module = "other";
       },
       "warm", "cold"},
      {"reload.same_winner", "neither_config_nor_artifact", error, "", "no real call",
       [](auto& record) {
         configs_unknown(record);
         record.cold().launches.back().module.clear();
       },
       "warm", "cold"},
      {"reload.same_winner", "the_process_never_ran", error, "", "no real call", nothing, "warm",
       "never"},

      {"reload.same_bytes", "the_same", pass, "SHA-256 artifact of step", "was launched", nothing,
       "warm", "cold"},
      {"reload.same_bytes", "others", fail, "the artifact that won in process \"cold\"",
       "SHA-256 other... was launched",
       [](auto& record) { record.warm().launches[0].module = "other"; }, "warm", "cold"},
      {"reload.same_bytes", "the_call_before_failed", fail, "the artifact that won",
       "there is none, because its call failed: nothing works",
       [](auto& record) { fails(record.cold()); }, "warm", "cold"},
      {"reload.same_bytes", "unreadable", error, "", "could not read the artifact",
       [](auto& record) { record.warm().launches[0].module.clear(); }, "warm", "cold"},
  };
}

// The launched artifact lies in no file of the folder.
void not_in_the_folder(HandMadeRecord& record) {
  record.warm().launches[0].module = "from elsewhere";
}

std::vector<CheckCase> traced_cases() {
  return {
      {"launches.traced", "in_the_folder", pass, "lay in the cache folder", "step=2.so", nothing,
       "warm"},
      {"launches.traced", "tuned", pass, "", "it was tuned: 2 compiles", nothing},
      {"launches.traced", "from_elsewhere", fail, "",
       "SHA-256 from elsewhere... was launched, which none of the 2 files held", not_in_the_folder,
       "warm"},
      {"launches.traced", "stored_during_the_call", fail, "", "none of the 2 files held",
       [](auto& record) {
         not_in_the_folder(record);
         record.warm().cache_after.files.push_back({"new.so", 9, 0644, "from elsewhere"});
       },
       "warm"},
      {"launches.traced", "stored_by_who_runs_at_the_same_moment", pass, "", "new.so",
       [](auto& record) {
         static const ProcessGroup together;
         not_in_the_folder(record);
         record.record.processes[1].group = &together;
         record.warm().cache_after.files.push_back({"new.so", 9, 0644, "from elsewhere"});
       },
       "warm"},
      {"launches.traced", "stored_by_a_remote_hit", pass, "", "new.so",
       [](auto& record) {
         not_in_the_folder(record);
         record.warm().remote_requests = std::vector<RemoteRequest>{{1, 2, true}};
         record.warm().cache_after.files.push_back({"new.so", 9, 0644, "from elsewhere"});
       },
       "warm"},
      {"launches.traced", "stored_although_no_remote_answered", fail, "",
       "none of the 2 files held",
       [](auto& record) {
         not_in_the_folder(record);
         record.warm().remote_requests = std::vector<RemoteRequest>{{1, 2, false}};
         record.warm().cache_after.files.push_back({"new.so", 9, 0644, "from elsewhere"});
       },
       "warm"},
      {"launches.traced", "launched_by_an_earlier_call", pass, "", "launched before by the process",
       [](auto& record) {
         not_in_the_folder(record);
         CallRecord again = record.warm();
         again.number = 2;
         record.record.processes[1].calls.push_back(again);
         std::swap(record.record.processes[1].calls[0], record.record.processes[1].calls[1]);
       },
       "warm"},
      {"launches.traced", "launched_by_a_later_call", fail, "", "none of the 2 files held",
       [](auto& record) {
         not_in_the_folder(record);
         CallRecord again = record.warm();
         again.number = 2;
         record.record.processes[1].calls.push_back(again);
       },
       "warm"},
      {"launches.traced", "unreadable", error, "", "could not read the artifact",
       [](auto& record) { record.warm().launches[0].module.clear(); }, "warm"},
  };
}

std::vector<CheckCase> store_cases() {
  return {
      {"store.only_winner", "stored", pass, "the winner's artifact and no other",
       "2 files, one of them the winner's artifact", nothing},
      {"store.only_winner", "winner_is_missing", fail, "", "none of its 1 files is the winner's",
       [](auto& record) {
         record.cold().cache_after.files.erase(record.cold().cache_after.files.begin());
       }},
      {"store.only_winner", "a_loser_is_there", fail, "", "artifacts of losers: loser.so",
       [](auto& record) {
         record.cold().cache_after.files.push_back({"loser.so", 9, 0644, "artifact of step=1"});
       }},
      {"store.only_winner", "artifact_unreadable", error, "", "could not read the artifact",
       [](auto& record) { record.cold().launches.back().module.clear(); }},
      {"store.only_winner", "nothing_compiled", error, "", "nothing was compiled", nothing, "warm"},

      {"store.before_first_launch", "before", pass, "stored before it is launched",
       "complete when the real call began", nothing},
      {"store.before_first_launch", "after", fail, "", "changed after the real call had begun",
       [](auto& record) { record.cold().launches.back().stored = "empty"; }},
      {"store.before_first_launch", "never", fail, "", "not stored by the end of the call",
       [](auto& record) { record.cold().cache_after.files.clear(); }},
      {"store.before_first_launch", "not_listed", error, "", "did not list the cache folder",
       [](auto& record) { record.cold().launches.back().stored.clear(); }},

      {"store.relocatable", "served", pass, "the moved cache folder serves", "0 compiles", nothing,
       "warm"},
      {"store.relocatable", "tuned_again", fail, "", "1 compile and 0 trial launches",
       warm_compiles, "warm"},
      {"store.relocatable", "nothing_seen", error, "", "neither a compile nor a launch",
       nothing_seen, "warm"},

      {"store.failure_visible", "said", pass, "not stored", "message: winner not stored: disk",
       [](auto& record) {
         record.cold().cache_after.files.clear();
         record.cold().answer->message = "winner not stored: disk full";
       }},
      {"store.failure_visible", "silent", fail, "", "no message",
       [](auto& record) { record.cold().cache_after.files.clear(); }},
      {"store.failure_visible", "says_something_else", fail, "", "message: all is well",
       [](auto& record) {
         record.cold().cache_after.files.clear();
         record.cold().answer->message = "all is well";
       }},
      {"store.failure_visible", "the_call_fails", fail, "the call succeeds", "the call failed: no",
       [](auto& record) {
         record.cold().answer->done = false;
         record.cold().answer->message = "no";
       }},
      {"store.failure_visible", "stored_all_the_same", error, "", "was stored all the same",
       nothing},
      {"store.failure_visible", "nothing_seen", error, "", "no real call", nothing_seen},
  };
}

std::vector<CheckCase> key_cases() {
  return {
      {"key.must_miss", "tuned", pass, "configs are tried", "2 compiles and 4 trial launches",
       nothing},
      {"key.must_miss", "tries_without_compiling", pass, "", "0 compiles and 1 trial", warm_tries,
       "warm"},
      {"key.must_miss", "hit", fail, "configs are tried", "the cached winner was used", nothing,
       "warm"},
      {"key.must_miss", "what_it_compiled_cannot_be_used", pass, "",
       "1 compile and 0 trial launches; the call failed",
       [](auto& record) {
         only_compiles(record);
         record.warm().launches.clear();
         record.warm().answer->done = false;
       },
       "warm"},
      {"key.must_miss", "compiled_without_a_trial", fail, "", "1 compile and 0 trial launches",
       only_compiles, "warm"},
      {"key.must_miss", "nothing_seen", error, "", "neither a compile nor a launch", nothing_seen},

      {"key.must_hit", "hit", pass, "no compile, no trial", "0 compiles", nothing, "warm"},
      {"key.must_hit", "compiled", fail, "", "1 compile and 0 trial launches", warm_compiles,
       "warm"},
      {"key.must_hit", "tried", fail, "", "0 compiles and 1 trial launch", warm_tries, "warm"},
      {"key.must_hit", "the_tuner_says_why", fail, "", "; the tuner says: axis shape",
       [](auto& record) {
         warm_compiles(record);
         record.warm().answer->message = "axis shape";
       },
       "warm"},
      {"key.must_hit", "a_compile_was_refused", fail, "", "1 compile and 0 trial launches",
       [](auto& record) {
         nothing_seen(record);
         warm_compiles(record);
       },
       "warm"},
      {"key.must_hit", "nothing_seen", error, "", "neither a compile nor a launch", nothing_seen,
       "warm"},

      {"key.explained", "named", pass, "names the axis \"shape\"", "axes: dtype, shape",
       [](auto& record) {
         record.cold().answer->missed_axes = {"dtype", "shape"};
       },
       "cold", "shape"},
      {"key.explained", "said", pass, "", "message: missed: shape differs",
       [](auto& record) { record.cold().answer->message = "missed: shape differs"; }, "cold",
       "shape"},
      {"key.explained", "another", fail, "names the axis \"shape\"", "axes: strides; message: none",
       [](auto& record) { record.cold().answer->missed_axes = {"strides"}; }, "cold", "shape"},
      {"key.explained", "another_too", fail, "and none of what is as it was", "axes: shape, arch",
       [](auto& record) {
         record.cold().answer->missed_axes = {"shape", "arch"};
       },
       "cold", "shape"},
      {"key.explained", "a_name_of_its_own_too", pass, "", "axes: shape, bucket",
       [](auto& record) {
         record.cold().answer->missed_axes = {"shape", "bucket"};
       },
       "cold", "shape"},
      {"key.explained", "part_of_a_word", fail, "", "message: reshaped",
       [](auto& record) { record.cold().answer->message = "reshaped"; }, "cold", "shape"},
      {"key.explained", "silent", fail, "", "axes: none; message: none", nothing, "cold", "shape"},
  };
}

}  // namespace

std::vector<CheckCase> reload_cases() {
  std::vector<CheckCase> all;
  for (const auto& cases : {reload_only_cases(), traced_cases(), store_cases(), key_cases()})
    all.insert(all.end(), cases.begin(), cases.end());
  return all;
}

}  // namespace tunecheck::test
