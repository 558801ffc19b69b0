// Calls that do not wait for a search, and exports and imports: what their checks make of evidence.
#include "hand_made_record.hpp"

namespace tunecheck::test {
namespace {

using enum Verdict;
using protocol::CacheState;

auto in_turn(std::vector<std::function<void(HandMadeRecord&)>> steps) {
  return [steps = std::move(steps)](HandMadeRecord& record) {
    for (const auto& step : steps)
      step(record);
  };
}

// The cold call did not wait: its launch is at 150, its answer at 200, and the search came later.
void unwaited(HandMadeRecord& record) {
  CallRecord& call = record.cold();
  call.request.wait = false;
  call.asked_ns = 100;
  call.wall_ns = 100;
  call.answer->cache = CacheState::pending;
  call.answer->given_meanwhile = 1;
  for (LaunchEvent& launch : call.launches)
    launch.time_ns = 300;
  call.launches.back().time_ns = 150;
  for (CompileEvent& compile : call.compiles) {
    compile.time_ns = 210;
    compile.wall_ns = 20;
  }
}

void tried_first(HandMadeRecord& record) {
  record.cold().launches.front().time_ns = 120;
}

void compiled_first(HandMadeRecord& record) {
  for (CompileEvent& compile : record.cold().compiles)
    compile.time_ns = 110;
}

void other_default(HandMadeRecord& record) {
  record.cold().request.facts.default_config = {{"step", 1}};
}

void winner_was_stored(HandMadeRecord& record) {
  record.cold().cache_before = record.cold().cache_after;
}

void nothing_of_a_search(HandMadeRecord& record) {
  record.cold().compiles.clear();
  record.cold().launches.erase(record.cold().launches.begin(), record.cold().launches.end() - 1);
}

// Another call of the same process and key, after it and without anything but a launch.
void one_more_call(HandMadeRecord& record) {
  auto& calls = record.record.processes.at(0).calls;
  CallRecord later = calls.at(0);
  later.number = 2;
  later.compiles.clear();
  later.launches.erase(later.launches.begin(), later.launches.end() - 1);
  calls.push_back(std::move(later));
}

// The warm call comes after the cold one, in one process.
void after_unwaited(HandMadeRecord& record) {
  unwaited(record);
  record.warm().number = 2;
  record.warm().request.wait = false;
  record.warm().answer->given_meanwhile = 1;
  record.record.processes.at(1).calls.push_back(record.cold());
}

CallRecord& earlier(HandMadeRecord& record) {
  return record.record.processes.at(1).calls.at(1);
}

void never_tried(HandMadeRecord& record) {
  auto& launches = earlier(record).launches;
  for (LaunchEvent& launch : launches)
    launch.config = "step=1";
}

void not_stored(HandMadeRecord& record) {
  record.warm().cache_after.files.clear();
}

std::function<void(HandMadeRecord&)> says(CacheState cache) {
  return [=](HandMadeRecord& record) { record.warm().answer->cache = cache; };
}

std::function<void(HandMadeRecord&)> counts(std::optional<std::int64_t> count) {
  return [=](HandMadeRecord& record) { record.warm().answer->given_meanwhile = count; };
}

std::function<void(HandMadeRecord&)> changed_later(const std::string& what) {
  return [=](HandMadeRecord& record) {
    for (TensorRecord& tensor : record.cold().tensors)
      tensor.changed_later = "";
    record.cold().tensors.at(1).changed_later = what;
  };
}

std::function<void(HandMadeRecord&)> failed_because(const std::string& failure,
                                                    const std::string& message) {
  return [=](HandMadeRecord& record) {
    unwaited(record);
    record.cold().answer->search_failure = failure;
    record.cold().answer->message = message;
  };
}

std::function<void(HandMadeRecord&)> imported(bool done, const std::string& message) {
  return [=](HandMadeRecord& record) {
    static const ArchiveStep step{{.imports = true}, 1};
    for (CallRecord* const call : {&record.cold(), &record.warm()})
      call->archive = ArchiveRecord{&step, {done, message, done ? 1 : 0}};
  };
}

void exported(HandMadeRecord& record) {
  static const ArchiveStep step;
  record.cold().archive = ArchiveRecord{&step, {true, "", 1}};
}

void entry_replaced(HandMadeRecord& record) {
  record.warm().cache_before.files.back().digest = "older entry";
}

std::vector<CheckCase> answered_cases() {
  const std::string check = "pending.answered_first";
  return {
      {check, "default", pass, "the search goes on after the answer",
       "step=2, the default, was launched after 0 trial launches", unwaited},
      {check, "stored_winner", pass, "", "which is stored",
       in_turn({unwaited, other_default, winner_was_stored})},
      {check, "another_config", fail, "", "neither the default nor stored",
       in_turn({unwaited, other_default})},
      {check, "tried_before", fail, "", "after 1 trial launches", in_turn({unwaited, tried_first})},
      {check, "compiled_before", fail, "", "2 compiled binaries",
       in_turn({unwaited, compiled_first})},
      {check, "search_beside_a_later_call", fail, "", "the search did nothing after the answer",
       in_turn({unwaited, nothing_of_a_search, one_more_call})},
      {check, "search_not_seen", error, "", "observers saw no search",
       in_turn({unwaited, nothing_of_a_search})},
      {check, "waited", error, "", "the caller waits", nothing},
      {check, "no_launch", error, "", "no launch that names its config",
       in_turn({unwaited, [](HandMadeRecord& record) { record.cold().launches.clear(); }})},
  };
}

std::vector<CheckCase> later_cases() {
  return {
      {"pending.delivered", "winner", pass, "the stored winner", "it reports hit; step=2",
       after_unwaited, "warm"},
      {"pending.delivered", "still_pending", fail, "", "it reports pending",
       in_turn({after_unwaited, says(CacheState::pending)}), "warm"},
      {"pending.delivered", "not_tried", fail, "", "which was not tried",
       in_turn({after_unwaited, never_tried}), "warm"},
      {"pending.delivered", "not_stored", fail, "", "is not stored",
       in_turn({after_unwaited, not_stored}), "warm"},
      {"pending.delivered", "no_earlier_call", error, "", "no search of an earlier call", nothing,
       "warm"},
      {"pending.delivered", "no_launch", error, "", "no real call",
       in_turn({after_unwaited, [](HandMadeRecord& record) { record.warm().launches.clear(); }}),
       "warm"},
      {"pending.counted", "one", pass, "counts the calls", "there were 1; it says 1",
       after_unwaited, "warm"},
      {"pending.counted", "wrong", fail, "", "there were 1; it says 2",
       in_turn({after_unwaited, counts(2)}), "warm"},
      {"pending.counted", "silent", fail, "", "it says nothing",
       in_turn({after_unwaited, counts(std::nullopt)}), "warm"},
      {"pending.counted", "none", error, "", "no call was given another config", nothing, "warm"},
      {"arguments.left_alone", "as_they_were", pass, "nothing changes its arguments",
       "as when it was answered", changed_later("")},
      {"arguments.left_alone", "changed", fail, "",
       "\"io\" was changed after the answer: its elements are others",
       changed_later("its elements are others")},
      {"arguments.left_alone", "not_looked_at", error, "", "nobody looked", nothing},
      {"pending.trouble_told", "told", pass, "says that the search has failed",
       "of the search it says \"no config works\"",
       failed_because("no config works", "warning: no config works")},
      {"pending.trouble_told", "silent", fail, "", "it says nothing", failed_because("", "")},
      {"pending.trouble_told", "without_a_message", fail, "", "no config works",
       failed_because("no config works", "")},
      {"pending.trouble_told", "no_answer", error, "", "there is no answer",
       [](HandMadeRecord& record) { record.cold().answer.reset(); }},
  };
}

std::vector<CheckCase> archive_cases() {
  return {
      {"archive.told", "refused", pass, "the import before the call fails",
       "it failed, took 0 entries, and says \"truncated\"", imported(false, "truncated")},
      {"archive.told", "done", fail, "", "it succeeded, took 1 entries", imported(true, "")},
      {"archive.told", "without_a_reason", fail, "", "says nothing", imported(false, "")},
      {"archive.told", "an_export", error, "", "no import", exported},
      {"archive.keeps_newer", "as_it_was", pass, "leaves the files of process \"cold\"",
       "all are as they were", imported(true, ""), "warm", "cold"},
      {"archive.keeps_newer", "replaced", fail, "", "step=2.json is not as that process left it",
       in_turn({imported(true, ""), entry_replaced}), "warm", "cold"},
      {"archive.keeps_newer", "failed", fail, "", "the import failed: truncated",
       imported(false, "truncated"), "warm", "cold"},
      {"archive.keeps_newer", "no_import", error, "", "no import", nothing, "warm", "cold"},
      {"archive.keeps_newer", "nothing_there", error, "", "left no file",
       in_turn({imported(true, ""),
                [](HandMadeRecord& record) { record.cold().cache_after.files.clear(); }}),
       "warm", "cold"},
  };
}

}  // namespace

std::vector<CheckCase> pending_cases() {
  std::vector<CheckCase> all = answered_cases();
  for (const auto& cases : {later_cases(), archive_cases()})
    all.insert(all.end(), cases.begin(), cases.end());
  return all;
}

}  // namespace tunecheck::test
