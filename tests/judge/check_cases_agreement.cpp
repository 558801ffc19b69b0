// Of the families agreement and turn.
#include "hand_made_record.hpp"

namespace tunecheck::test {
namespace {

using enum Verdict;

void promises_bits(HandMadeRecord& record) {
  record.adapter.result_policy = ResultPolicy::bitwise;
}

void promises_tolerance(HandMadeRecord& record) {
  record.adapter.result_policy = ResultPolicy::tolerance;
}

// Of "out", the last tensor.
void other_bits(HandMadeRecord& record) {
  record.warm().tensors.back().digest_after = "others";
}

void other_config(HandMadeRecord& record) {
  record.warm().launches.back().config = "step=1";
}

// "cold" and "warm" are ranks of one start.
void one_start(HandMadeRecord& record) {
  static const ProcessGroup group;
  for (ProcessRecord& process : record.record.processes)
    process.group = &group;
}

// A third process, of no start, launched another config.
void one_beside_them(HandMadeRecord& record) {
  ProcessRecord& beside = record.record.processes.emplace_back();
  beside = record.record.processes[1];
  beside.group = nullptr;
  beside.calls[0].launches.back().config = "step=1";
}

void own_folders(HandMadeRecord& record) {
  record.processes.back().cache_folder = "own";
}

auto all_of(std::vector<std::function<void(HandMadeRecord&)>> steps) {
  return [steps = std::move(steps)](HandMadeRecord& record) {
    for (const auto& step : steps)
      step(record);
  };
}

std::vector<CheckCase> result_cases() {
  const std::string check = "result.same_bits";
  return {
      {check, "the_same", pass, "the bits that process \"cold\" got",
       "the same bits in io, sum, out", promises_bits, "warm", "cold"},
      {check, "others", fail, "the bits that process \"cold\" got",
       "other bits in out: step=2 was launched there, step=1 here",
       all_of({promises_bits, other_bits, other_config}), "warm", "cold"},
      {check, "others_within_a_promised_tolerance", pass,
       "both this result and that of process \"cold\" within the tolerance", "other bits in out",
       all_of({promises_tolerance, other_bits}), "warm", "cold"},
      {check, "one_outside_of_the_promised_tolerance", fail, "within the tolerance",
       "other bits in out",
       all_of({promises_tolerance, other_bits,
               [](auto& record) { record.warm().tensors.back().comparison = comparison_with(1); }}),
       "warm", "cold"},
      {check, "others_of_a_tuner_that_promises_nothing", unsupported, "policy result bitwise",
       "other bits in out: step=2 was launched there, step=2 here; the adapter declares no policy",
       other_bits, "warm", "cold"},
      {check, "the_same_of_a_tuner_that_promises_nothing", unsupported, "policy result bitwise",
       "the same bits in io, sum, out; the adapter declares no policy", nothing, "warm", "cold"},
      {check, "of_another_cache_folder", unsupported, "", "they have cache folders of their own",
       all_of({promises_bits, other_bits, own_folders}), "warm", "cold"},
      {check, "of_another_call", error, "", "got no result of the same call",
       all_of({promises_bits, [](auto& record) { record.warm().request.scalars["alpha"] = 2; }}),
       "warm", "cold"},
      {check, "of_a_call_that_failed", error, "", "this call got no result",
       all_of(
           {promises_bits, other_bits, [](auto& record) { record.warm().answer->done = false; }}),
       "warm", "cold"},
      {check, "unreadable", error, "", "what a call left in out could not be read",
       all_of({promises_bits,
               [](auto& record) { record.cold().tensors.back().digest_after.clear(); }}),
       "warm", "cold"},
      {check, "the_process_never_ran", error, "", "got no result", promises_bits, "warm", "never"},
  };
}

std::vector<CheckCase> rank_cases() {
  const std::string check = "ranks.same_winner";
  return {
      {check, "the_same", pass, "the same config", "all 2 launched step=2",
       all_of({promises_bits, one_start})},
      {check, "others", fail, "the same config", "2 configs: step=1 in warm; step=2 in cold",
       all_of({promises_bits, one_start, other_config})},
      {check, "others_of_a_tuner_that_promises_tolerance", unsupported, "policy result bitwise",
       "2 configs: step=1 in warm; step=2 in cold; the adapter declares the policy tolerance",
       all_of({promises_tolerance, one_start, other_config})},
      {check, "others_with_folders_of_their_own", unsupported, "",
       "they have cache folders of their own",
       all_of({promises_bits, one_start, other_config, own_folders})},
      {check, "others_in_another_start", pass, "the same config", "all 2 launched step=2",
       all_of({promises_bits, one_start, one_beside_them})},
      {check, "alone", error, "", "no two processes of one start", promises_bits},
      {check, "of_another_key", error, "", "no two processes of one start",
       all_of(
           {promises_bits, one_start, [](auto& record) { record.warm().request.sizes["n"] = 2; }})},
  };
}

// "warm" asked three times before, of which the first tuned; the asked call is its fourth.
void fourth_call(HandMadeRecord& record) {
  std::vector<CallRecord>& calls = record.record.processes[1].calls;
  for (const int number : {1, 2, 3}) {
    CallRecord earlier = number == 1 ? record.cold() : record.warm();
    earlier.number = number;
    calls.push_back(earlier);
  }
  record.warm().number = 4;
}

void tunes(CallRecord& call) {
  call.launches.insert(call.launches.begin(), launch_of("step=1"));
}

void second_tunes(HandMadeRecord& record) {
  tunes(record.record.processes[1].calls.at(2));
}

void third_tunes(HandMadeRecord& record) {
  tunes(record.record.processes[1].calls.at(3));
}

// The number that decides nothing is another in each call.
void another_number_each_time(HandMadeRecord& record) {
  for (CallRecord& call : record.record.processes[1].calls) {
    call.request.scalars = {{"alpha", call.number}, {"decides", 1}};
    call.request.facts.key_scalars = {"decides"};
  }
}

std::vector<CheckCase> turn_cases() {
  const std::string check = "tuning.in_turn";
  return {
      {check, "first_call_alone", pass, "in the process's first call for it",
       "4 calls, none of them late", fourth_call, "warm"},
      {check, "again_later", fail, "never again",
       "1 of 4 calls tuned late; the first is call 3: 0 compiles and 1 trial launches",
       all_of({fourth_call, third_tunes}), "warm"},
      {check, "again_in_the_first_call_that_may_not", fail, "never again",
       "1 of 4 calls tuned late; the first is call 2: 0 compiles and 1 trial launches",
       all_of({fourth_call, second_tunes}), "warm"},
      {check, "within_the_declared_calls", pass, "first 3 calls", "none of them late",
       all_of({fourth_call, third_tunes, [](auto& record) { record.adapter.tuning_calls = 3; }}),
       "warm"},
      {check, "fewer_calls_than_declared", unsupported, "policy tuning_calls below 9",
       "no later call for the key",
       all_of({fourth_call, [](auto& record) { record.adapter.tuning_calls = 9; }}), "warm"},
      {check, "for_each_value_of_a_number", fail, "", "1 of 4 calls tuned late",
       all_of({fourth_call, another_number_each_time, third_tunes}), "warm"},
      {check, "for_another_key", pass, "", "3 calls, none of them late",
       all_of({fourth_call, another_number_each_time, third_tunes,
               [](auto& record) {
                 record.record.processes[1].calls.at(3).request.scalars["decides"] = 2;
               }}),
       "warm"},
      {check, "the_first_call", error, "", "the process's first call for the key", nothing, "warm"},
      {check, "nothing_seen", error, "", "the probe saw no launch",
       all_of({fourth_call, [](auto& record) { record.warm().launches.clear(); }}), "warm"},
      {"default.launched", "default", pass, "none is tried", "step=2 was launched after 0 trial",
       nothing, "warm"},
      {"default.launched", "another_config", fail, "", "step=1 was launched after 0 trial",
       [](auto& record) { record.warm().launches[0].config = "step=1"; }, "warm"},
      {"default.launched", "after_trials", fail, "", "trial launches; the default is", nothing},
      {"default.launched", "no_default_in_the_space", error, "", "among those that the call allows",
       [](auto& record) { record.warm().request.facts.default_config = {}; }, "warm"},
      {"default.launched", "nothing_seen", error, "", "no launch that names its config",
       [](auto& record) { record.warm().launches.clear(); }, "warm"},
  };
}

}  // namespace

std::vector<CheckCase> agreement_cases() {
  std::vector<CheckCase> all = result_cases();
  for (const auto& cases : {rank_cases(), turn_cases()})
    all.insert(all.end(), cases.begin(), cases.end());
  return all;
}

}  // namespace tunecheck::test
