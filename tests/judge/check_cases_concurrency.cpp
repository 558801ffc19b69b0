// Of the families concurrency and faults.
#include "hand_made_record.hpp"

namespace tunecheck::test {
namespace {

using enum Verdict;

// "cold" tuned and "warm" waited for it.
void at_once(HandMadeRecord& record) {
  static const ProcessGroup group;
  for (ProcessRecord& process : record.record.processes)
    process.group = &group;
  record.warm().request = record.cold().request;
}

void both_tune(HandMadeRecord& record) {
  at_once(record);
  record.warm().compiles = record.cold().compiles;
  record.warm().launches = record.cold().launches;
}

// As threads of one process: what was compiled twice is seen, whoever it is put down to.
void threads_tune(HandMadeRecord& record) {
  static const CallGroup group;
  record.cold().group = &group;
  CallRecord other = record.warm();
  other.group = &group;
  record.cold().compiles.push_back(compile_of("step=1"));
  record.record.processes[0].calls.push_back(other);
}

// "warm" is a hit of a tuner that keeps configs: it compiles its winner, to other bytes.
void keeps_configs(HandMadeRecord& record) {
  record.cold().keeps_artifacts = record.warm().keeps_artifacts = false;
  record.warm().compiles = {compile_of("step=2")};
  record.warm().compiles[0].output_digest = record.warm().launches[0].module = "compiled again";
}

void keeps_another_config(HandMadeRecord& record) {
  keeps_configs(record);
  record.warm().launches[0].config = "step=1";
}

void other_keys(HandMadeRecord& record) {
  at_once(record);
  record.warm().request.sizes["n"] = 7;
}

constexpr std::int64_t second_ns = 1'000'000'000;

// "cold", asked at 1 s, works from 5 s on; "warm", asked then, after so long.
void slow_by_themselves(HandMadeRecord& record, std::int64_t way_ns) {
  other_keys(record);
  record.cold().asked_ns = second_ns;
  record.cold().compiles[0].time_ns = 5 * second_ns;
  record.cold().launches.back().time_ns = 6 * second_ns;
  record.warm().asked_ns = 5 * second_ns;
  record.warm().compiles = {compile_of("step=1")};
  record.warm().compiles[0].time_ns = 5 * second_ns + way_ns;
  record.warm().launches.back().time_ns = 20 * second_ns;
}

// "cold" stands still until 10 s; "warm" is asked at 6 s and takes so long.
void frozen(HandMadeRecord& record, std::int64_t took_s) {
  at_once(record);
  record.record.processes[0].killed_ns = 10 * second_ns;
  record.warm().asked_ns = 6 * second_ns;
  record.warm().wall_ns = took_s * second_ns;
}

// "cold" is killed at 10 s; "warm" tunes from then on.
void killed_and_taken_over(HandMadeRecord& record, std::int64_t after_ns) {
  at_once(record);
  record.record.processes[0].killed_ns = 10 * second_ns;
  record.warm().compiles = {compile_of("step=1")};
  record.warm().compiles[0].time_ns = 10 * second_ns + after_ns;
  record.warm().launches[0].time_ns = 20 * second_ns;
}

void killed(HandMadeRecord& record) {
  record.record.processes[0].killed_ns = 10 * second_ns;
  record.cold().answer.reset();
  record.cold().launches.pop_back();
}

void resumed(HandMadeRecord& record, int launches_of_measured) {
  killed(record);
  auto& launches = record.warm().launches;
  for (int i = 0; i < launches_of_measured; ++i)
    launches.insert(launches.begin(), launch_of("step=1"));
}

void real_calls_at(HandMadeRecord& record, std::int64_t cold_ns, std::int64_t warm_ns) {
  other_keys(record);
  record.cold().launches.back().time_ns = cold_ns;
  record.warm().launches.back().time_ns = warm_ns;
}

std::vector<CheckCase> concurrency_only_cases() {
  return {
      {"tuning.single_flight", "one_tunes", pass, "requests tunes", "2 requests, 1 of them tuned",
       at_once},
      {"tuning.single_flight", "both_tune", fail, "",
       "2 of them tuned, 2 configs were compiled; step=1 was compiled 2", both_tune},
      {"tuning.single_flight", "threads_compile_twice", fail, "", "step=1 was compiled 2 times",
       threads_tune},
      {"tuning.single_flight", "both_compile_the_config_that_is_kept", pass, "",
       "2 requests, 1 of them tuned",
       [](auto& record) {
         at_once(record);
         keeps_configs(record);
       }},
      {"tuning.single_flight", "alone", error, "", "no concurrent request", nothing},
      {"tuning.single_flight", "others_ask_for_other_keys", error, "", "no concurrent request",
       other_keys},

      {"tuning.independent", "ends_earlier", pass, "still tunes another key", "0.000 s earlier",
       [](auto& record) { real_calls_at(record, 20, 10); }, "warm", "cold"},
      {"tuning.independent", "ends_later", fail, "", "2.000 s later",
       [](auto& record) { real_calls_at(record, second_ns, 3 * second_ns); }, "warm", "cold"},
      {"tuning.independent", "ends_later_and_was_not_held_up", pass, "",
       "14.000 s later; it took 8.000 s from its call to its first work, that process 4.000 s",
       [](auto& record) { slow_by_themselves(record, 8 * second_ns); }, "warm", "cold"},
      {"tuning.independent", "ends_later_and_was_held_up", fail, "", "took 9.000 s",
       [](auto& record) { slow_by_themselves(record, 9 * second_ns); }, "warm", "cold"},
      {"tuning.independent", "not_at_once", error, "", "did not run at the same time", nothing,
       "warm", "cold"},
      {"tuning.independent", "the_same_key", error, "", "the same key", at_once, "warm", "cold"},

      {"store.no_lost_entry", "is_there", pass, "process \"cold\" stored", "step=2", nothing,
       "warm", "cold"},
      {"store.no_lost_entry", "tuned_again", fail, "", "tuned again: 1 compile",
       [](auto& record) { record.warm().compiles = {compile_of("step=2")}; }, "warm", "cold"},
      {"store.no_lost_entry", "another", fail, "", "step=2 was launched",
       [](auto& record) { record.warm().launches[0].module = "something"; }, "warm", "cold"},
      {"store.no_lost_entry", "a_config_is_there", pass, "", "step=2 was launched", keeps_configs,
       "warm", "cold"},
      {"store.no_lost_entry", "a_config_whose_binary_is_gone", pass, "", "step=2 was launched",
       [](auto& record) {
         keeps_configs(record);
         record.cold().launches.back().module.clear();
       },
       "warm", "cold"},
      {"store.no_lost_entry", "another_config", fail, "", "step=1 was launched, step=2",
       keeps_another_config, "warm", "cold"},
      {"store.no_lost_entry", "nothing_seen", error, "", "no real call",
       [](auto& record) { record.cold().launches.clear(); }, "warm", "cold"},

      {"waiter.never_hangs", "takes_over", pass, "within 1 s", "after 0.200 s",
       [](auto& record) { killed_and_taken_over(record, second_ns / 5); }, "warm", "1"},
      {"waiter.never_hangs", "late", fail, "within 1 s", "after 3.000 s",
       [](auto& record) { killed_and_taken_over(record, 3 * second_ns); }, "warm", "1"},
      {"waiter.never_hangs", "is_as_slow_as_who_was_killed", pass, "within 1 s",
       "after 3.000 s; the killed process took 2.000 s",
       [](auto& record) {
         killed_and_taken_over(record, 5 * second_ns);
         record.cold().asked_ns = 6 * second_ns;
         record.cold().compiles[0].time_ns = 8 * second_ns;
         record.warm().asked_ns = 12 * second_ns;  // after the death
       },
       "warm", "1"},
      {"waiter.never_hangs", "is_slower_than_who_was_killed", fail, "within 1 s", "after 3.000 s",
       [](auto& record) {
         killed_and_taken_over(record, 3 * second_ns);
         record.cold().asked_ns = 6 * second_ns;
         record.cold().compiles[0].time_ns = 7 * second_ns;
         record.warm().asked_ns = 9 * second_ns;
       },
       "warm", "1"},
      {"waiter.never_hangs", "nobody_waits", pass, "within 1 s",
       "all had started work before the kill",
       [](auto& record) {
         killed_and_taken_over(record, -second_ns);
         record.warm().launches[0].time_ns = 9 * second_ns;
       },
       "warm", "1"},
      {"waiter.never_hangs", "fails", fail, "within 1 s", "the call failed: out of memory",
       [](auto& record) {
         killed_and_taken_over(record, second_ns / 5);
         record.warm().answer->done = false;
         record.warm().answer->message = "out of memory";
       },
       "warm", "1"},
      {"waiter.never_hangs", "does_nothing", error, "", "no process work after the kill",
       [](auto& record) {
         killed_and_taken_over(record, 0);
         record.warm().compiles.clear();
         record.warm().launches.clear();
       },
       "warm", "1"},
      {"waiter.never_hangs", "nobody_was_killed", error, "", "no process that tuned", at_once,
       "warm", "1"},

      {"waiter.gives_up", "in_time", pass, "before process \"cold\" ends",
       "after 3.000 s, 1.000 s before its end", [](auto& record) { frozen(record, 3); }, "warm",
       "cold"},
      {"waiter.gives_up", "too_late", fail, "", "after 5.000 s, 1.000 s after its end",
       [](auto& record) { frozen(record, 5); }, "warm", "cold"},
      {"waiter.gives_up", "asked_too_late", error, "", "had ended before the call",
       [](auto& record) {
         frozen(record, 3);
         record.warm().asked_ns = 11 * second_ns;
       },
       "warm", "cold"},
      {"waiter.gives_up", "nobody_was_killed", error, "", "was not killed", nothing, "warm",
       "cold"},

      {"tuning.resumes", "goes_on", pass, "process \"cold\" had measured",
       "1 had been measured, 0 of them were measured again",
       [](auto& record) { resumed(record, 1); }, "warm", "cold"},
      {"tuning.resumes", "begins_anew", fail, "",
       "1 of them were measured again: step=1 with 8 launches",
       [](auto& record) { resumed(record, 8); }, "warm", "cold"},
      {"tuning.resumes", "begins_anew_with_configs_that_have_no_names", fail, "",
       "1 of them were measured again: artifact ",
       [](auto& record) {
         resumed(record, 8);
         configs_unknown(record);
       },
       "warm", "cold"},
      {"tuning.resumes", "nobody_was_killed", error, "", "was not killed", nothing, "warm", "cold"},
      {"tuning.resumes", "nothing_was_finished", error, "", "not finished a single config",
       [](auto& record) {
         resumed(record, 1);
         record.cold().launches.resize(1);
       },
       "warm", "cold"},
  };
}

void wrong_result(HandMadeRecord& record) {
  killed(record);
  record.warm().tensors[3].comparison = comparison_with(2);
}

void refused(HandMadeRecord& record, const std::string& message) {
  record.warm().faults.push_back({1, 2, "before_write_4", 28, "/cache/x"});
  record.warm().answer->message = message;
}

// "cold" does this to a.tmp and gives it the name a.json.
void renamed(HandMadeRecord& record, const std::vector<std::string>& operations) {
  for (const std::string& operation : operations)
    record.cold().files.push_back({1, 2, operation, "a.tmp", "", 0});
  record.cold().files.push_back({2, 2, "rename", "a.json", "a.tmp", 0});
}

std::vector<CheckCase> fault_cases() {
  return {
      {"store.old_or_new", "whole", pass, "either a whole entry is used or none", "a whole entry",
       killed, "warm"},
      {"store.old_or_new", "none", pass, "", "tuned again",
       [](auto& record) {
         killed(record);
         record.warm().compiles = {compile_of("step=2")};
       },
       "warm"},
      {"store.old_or_new", "torn", fail, "", "not one that was ever compiled",
       [](auto& record) {
         killed(record);
         record.warm().launches[0].module = "half of an artifact";
       },
       "warm"},
      {"store.old_or_new", "of_a_later_call", pass, "", "a whole entry",
       [](auto& record) {
         killed(record);
         std::vector<CallRecord>& calls = record.record.processes[0].calls;
         calls.push_back(calls[0]);
         calls.back().compiles = {compile_of("step=5")};
         record.warm().launches[0] = launch_of("step=5");
       },
       "warm"},
      {"store.old_or_new", "a_config_that_was_tried", pass, "", "a whole entry",
       [](auto& record) {
         killed(record);
         keeps_configs(record);
         record.warm().launches[0].module.clear();
       },
       "warm"},
      {"store.old_or_new", "a_config_that_nobody_tried", fail, "", "not one that was ever tried",
       [](auto& record) {
         killed(record);
         keeps_configs(record);
         record.warm().launches[0].config = "step=9";
       },
       "warm"},
      {"store.old_or_new", "wrong_result", fail, "", "wrong result", wrong_result, "warm"},
      {"store.old_or_new", "nobody_was_killed", error, "", "no process was killed", nothing,
       "warm"},

      {"corrupt.is_miss", "tuned", pass, "the call tunes", "was compiled in this call", nothing},
      {"corrupt.is_miss", "used", fail, "", "not compiled in this call", nothing, "warm"},
      {"corrupt.is_miss", "tuned_to_a_binary_that_is_whole", pass, "", "its winner is whole",
       [](auto& record) {
         record.warm().launches.insert(record.warm().launches.begin(), launch_of("step=1"));
       },
       "warm"},
      {"corrupt.is_miss", "tuned_to_a_binary_that_nobody_compiled", fail, "",
       "not compiled in this call",
       [](auto& record) {
         record.warm().launches.insert(record.warm().launches.begin(), launch_of("step=1"));
         record.warm().launches.back().module = "damaged";
       },
       "warm"},
      {"corrupt.is_miss", "a_config_is_used", fail, "", "used an entry", keeps_configs, "warm"},
      {"corrupt.is_miss", "configs_are_tried", pass, "", "tuned again", keeps_configs},
      {"corrupt.is_miss", "raised", fail, "", "the call failed",
       [](auto& record) { record.cold().answer->done = false; }},
      {"corrupt.is_miss", "nothing_seen", error, "", "could not read",
       [](auto& record) { record.cold().launches.clear(); }},

      {"corrupt.healed", "healed", pass, "process \"cold\" stored", "no compile, no trial", nothing,
       "warm", "cold"},
      {"corrupt.healed", "not_healed", fail, "", "tuned again",
       [](auto& record) { record.warm().compiles = {compile_of("step=2")}; }, "warm", "cold"},
      {"corrupt.healed", "something_else", fail, "", "other bytes",
       [](auto& record) { record.warm().launches[0].module = "something"; }, "warm", "cold"},
      {"corrupt.healed", "a_config_is_healed", pass, "", "no trial, the same config", keeps_configs,
       "warm", "cold"},
      {"corrupt.healed", "another_config", fail, "", "step=1 was launched", keeps_another_config,
       "warm", "cold"},
      {"corrupt.healed", "a_config_whose_binary_is_gone", pass, "", "the same config",
       [](auto& record) {
         keeps_configs(record);
         record.warm().launches[0].module.clear();
       },
       "warm", "cold"},
      {"corrupt.healed", "nothing_seen", error, "", "could not read",
       [](auto& record) { record.warm().launches[0].module.clear(); }, "warm", "cold"},

      {"store.kept_or_told", "kept", pass, "process \"cold\" is used", "it is used", nothing,
       "warm", "cold"},
      {"store.kept_or_told", "told", pass, "", "message: cannot write",
       [](auto& record) {
         record.warm().compiles = {compile_of("step=2")};
         record.cold().answer->message = "cannot write";
       },
       "warm", "cold"},
      {"store.kept_or_told", "neither", fail, "", "tuned again; the other's message: none",
       [](auto& record) { record.warm().compiles = {compile_of("step=2")}; }, "warm", "cold"},
      {"store.kept_or_told", "something_else_was_said", fail, "", "message: all is well",
       [](auto& record) {
         record.warm().compiles = {compile_of("step=2")};
         record.cold().answer->message = "all is well";
       },
       "warm", "cold"},
      {"store.kept_or_told", "wrong_result", fail, "", "wrong result", wrong_result, "warm",
       "cold"},
      {"store.kept_or_told", "no_answer", error, "", "no answer",
       [](auto& record) { record.cold().answer.reset(); }, "warm", "cold"},
      {"store.kept_or_told", "nothing_seen", error, "", "no launch",
       [](auto& record) { record.warm().launches.clear(); }, "warm", "cold"},

      {"full_disk.reported", "told", pass, "a message says", "message: could not be stored",
       [](auto& record) { refused(record, "could not be stored"); }, "warm"},
      {"full_disk.reported", "silent", fail, "", "no message",
       [](auto& record) { refused(record, ""); }, "warm"},
      {"full_disk.reported", "an_entry_is_gone", fail, "", "step=2.json is gone",
       [](auto& record) {
         refused(record, "could not be stored");
         record.warm().cache_after.files.pop_back();
       },
       "warm"},
      {"full_disk.reported", "an_entry_was_changed", fail, "", "step=2.json was changed",
       [](auto& record) {
         refused(record, "could not be stored");
         record.warm().cache_after.files.back().digest = "torn";
       },
       "warm"},
      {"full_disk.reported", "an_entry_that_has_room", pass, "", "leaves room",
       [](auto& record) {
         record.warm().keeps_artifacts = false;
         record.warm().cache_is_small = record.warm().cache_has_room = true;
       },
       "warm"},
      {"full_disk.reported", "an_entry_that_has_no_room", fail, "", "no message",
       [](auto& record) {
         record.warm().keeps_artifacts = false;
         record.warm().cache_is_small = true;
       },
       "warm"},
      {"full_disk.reported", "a_binary_that_may_have_had_no_room", fail, "", "no message",
       [](auto& record) {
         record.warm().keeps_artifacts = true;
         record.warm().cache_is_small = record.warm().cache_has_room = true;
       },
       "warm"},
      {"full_disk.reported", "nothing_was_refused", error, "", "nothing kept the tuner", nothing,
       "warm"},

      {"store.synced", "synced", pass, "after its last write", "1 files, all of them synced",
       [](auto& record) {
         renamed(record, {"write", "sync"});
       }},
      {"store.synced", "not_synced", fail, "", "a.tmp became a.json and was not synced before",
       [](auto& record) { renamed(record, {"write"}); }},
      {"store.synced", "written_once_more", fail, "", "was not synced before",
       [](auto& record) {
         renamed(record, {"write", "sync", "write"});
       }},
      {"store.synced", "the_sync_failed", fail, "", "was not synced before",
       [](auto& record) {
         renamed(record, {"write", "sync"});
         record.cold().files[1].error = 5;
       }},
      {"store.synced", "in_a_folder_that_is_renamed", fail, "", "a.tmp/x became a.json",
       [](auto& record) {
         renamed(record, {"write"});
         record.cold().files[0].path = "a.tmp/x";
       }},
      {"store.synced", "under_its_own_name", fail, "", "was written under its own name",
       [](auto& record) {
         const std::string path = record.cold().cache_after.files.front().path;
         record.cold().files.push_back({1, 2, "write", path, "", 0});
       }},
      {"store.synced", "a_journal_besides", pass, "", "1 files",
       [](auto& record) {
         renamed(record, {"write", "sync"});
         const std::string path = record.cold().cache_after.files.front().path;
         record.cold().files.push_back({3, 2, "write", path, "", 0});
       }},
      {"store.synced", "written_elsewhere", error, "", "no file was written",
       [](auto& record) { renamed(record, {}); }},
      {"store.synced", "nothing_seen", error, "", "no file was written", nothing},

      {"no_foreign_code", "own", pass, "compiled in this call", "5 launches", nothing},
      {"no_foreign_code", "from_the_folder", fail, "", "step=2 came from the cache folder", nothing,
       "warm"},
      {"no_foreign_code", "nothing_seen", error, "", "no launch",
       [](auto& record) { record.cold().launches.clear(); }},
  };
}

}  // namespace

std::vector<CheckCase> concurrency_cases() {
  std::vector<CheckCase> all = concurrency_only_cases();
  for (CheckCase& one : fault_cases())
    all.push_back(std::move(one));
  return all;
}

}  // namespace tunecheck::test
