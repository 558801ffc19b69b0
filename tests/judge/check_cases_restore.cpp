#include "hand_made_record.hpp"

namespace tunecheck::test {
namespace {

using enum Verdict;

void call_fails(HandMadeRecord& record) {
  record.cold().answer->done = false;
  record.cold().answer->winner.reset();
  record.cold().answer->message = "nothing works";
  for (TensorRecord& tensor : record.cold().tensors)
    tensor.unchanged = true;
}

void no_tensor_was_read(HandMadeRecord& record) {
  record.cold().tensors.clear();
}

std::vector<CheckCase> output_and_input_cases() {
  return {
      {"output.reference", "right", pass, "single clean run", "all outputs as expected", nothing},
      {"output.reference", "wrong", fail, "single clean run",
       "\"sum\": 2 of 4 elements wrong; first at [3]: expected 1, found 2",
       [](auto& record) { record.cold().tensors[2].comparison = comparison_with(2); }},
      {"output.reference", "two_are_wrong", fail, "",
       "elements wrong; first at [3]: expected 1, "
       "found 2 (0 ulp); \"out\": 4 of 4",
       [](auto& record) {
         record.cold().tensors[1].comparison = comparison_with(1);
         record.cold().tensors[3].comparison = comparison_with(4);
       }},
      {"output.reference", "failed", fail, "", "the call failed: nothing works", call_fails},
      {"output.reference", "not_compared", error, "", "no tensor was compared",
       [](auto& record) {
         for (TensorRecord& tensor : record.cold().tensors)
           tensor.comparison.reset();
       }},

      {"inputs.pristine", "all_see_the_callers_content", pass, "zeros in reset tensors",
       "5 launches, all with the same input", nothing},
      {"inputs.pristine", "what_is_only_written_may_hold_anything", pass, "",
       "all with the same input",
       [](auto& record) { record.cold().launches[1].digests[3] = "something else"; }},
      {"inputs.pristine", "scratch_may_hold_anything", pass, "", "all with the same input",
       [](auto& record) {
         record.kernel.tensors[3].access = Access::scratch;
         record.cold().launches[1].digests[3] = "something else";
       }},
      {"inputs.pristine", "the_real_call_may_accumulate", pass, "", "all with the same input",
       [](auto& record) { record.cold().launches[4].digests[2] = "caller's sum"; }},
      {"inputs.pristine", "a_hook_zeroes_what_would_be_restored", pass, "",
       "5 launches, all with the same input",
       [](auto& record) {
         record.calls[0].settings.hook_zeroes = {"io", "out"};
         record.cold().tensors[1].digest_zero = "zeros of io";
         record.cold().tensors[3].digest_zero = "zeros of out";
         for (LaunchEvent& launch : record.cold().launches)
           launch.digests = {"caller's in", "zeros of io", "zeros of sum", "zeros of out"};
       }},
      {"inputs.pristine", "a_hook_did_not_run_before_one_launch", fail, "",
       "1 of 5 launches ran on spoilt arguments",
       [](auto& record) {
         record.calls[0].settings.hook_zeroes = {"out"};
         record.cold().tensors[3].digest_zero = "zeros of out";
         for (LaunchEvent& launch : record.cold().launches)
           launch.digests[3] = "zeros of out";
         record.cold().launches[2].digests[3] = "poison";
       }},
      {"inputs.pristine", "one_launch_sees_other_content", fail, "",
       "1 of 5 launches ran on spoilt arguments (2 different inputs); the first: launch 2 of 5 "
       "(config step=1) saw different content in \"io\"",
       [](auto& record) { record.cold().launches[1].digests[1] = "x"; }},
      {"inputs.pristine", "a_trial_does_not_see_zeros", fail, "",
       "the first: launch 3 of 5 (config step=2) saw different content in \"sum\"",
       [](auto& record) {
         record.cold().launches[2].digests[2] = "caller's sum";
         record.cold().launches[3].digests[1] = "x";
       }},
      {"inputs.pristine", "the_real_call_sees_a_trials_result", fail, "",
       "launch 5 of 5 (config step=2) saw different content in \"io\"",
       [](auto& record) { record.cold().launches[4].digests[1] = "x"; }},
      {"inputs.pristine", "a_hit_sees_other_content", fail, "", "1 of 1 launches",
       [](auto& record) { record.warm().launches[0].digests[0] = "x"; }, "warm"},
      {"inputs.pristine", "no_launch", error, "", "the probe saw no launch",
       [](auto& record) { record.cold().launches.clear(); }},
      {"inputs.pristine", "no_digests", error, "", "digested no arguments",
       [](auto& record) { record.cold().launches[3].digests.clear(); }},
      {"inputs.pristine", "not_watched", error, "", "not watched",
       [](auto& record) { record.scenario.watch = false; }},
  };
}

// Where the first trial gets its second tensor, and where the call does.
std::function<void(HandMadeRecord&)> places(TensorPlace of_trial, TensorPlace of_call) {
  return [of_trial = std::move(of_trial), of_call = std::move(of_call)](HandMadeRecord& record) {
    record.cold().launches.front().places.at(1) = of_trial;
    record.cold().launches.back().places.at(1) = of_call;
    for (std::size_t i = 1; i + 1 < record.cold().launches.size(); ++i)
      record.cold().launches[i].places.at(1) = of_call;
  };
}

std::vector<CheckCase> place_cases() {
  return {
      {"trials.like_the_call", "alike", pass, "shapes and strides, and no better alignment",
       "4 trial launches", nothing},
      {"trials.like_the_call", "a_hit_tries_nothing", pass, "", "no trial", nothing, "warm"},
      {"trials.like_the_call", "aligned_worse", pass, "", "4 trial launches",
       places({4, {8}, {1}}, {0, {8}, {1}})},
      {"trials.like_the_call", "aligned_as_well_at_another_place", pass, "", "4 trial launches",
       places({20, {8}, {1}}, {44, {8}, {1}})},
      {"trials.like_the_call", "aligned_better", fail, "",
       "launch 1 of 5 (config step=1) got \"io\" aligned to 64 bytes, in the call to 4",
       places({0, {8}, {1}}, {20, {8}, {1}})},
      {"trials.like_the_call", "contiguous", fail, "",
       "got \"io\" with the strides [4, 1], in the call [6, 1]",
       places({16, {8, 4}, {4, 1}}, {16, {8, 4}, {6, 1}})},
      {"trials.like_the_call", "of_another_shape", fail, "",
       "got \"io\" of the shape [4, 8], in the call [8, 4]",
       places({16, {4, 8}, {8, 1}}, {16, {8, 4}, {6, 1}})},
      {"trials.like_the_call", "the_stride_of_one_element_is_never_used", pass, "", "4 trial",
       places({16, {1, 4}, {4, 1}}, {16, {1, 4}, {6, 1}})},
      {"trials.like_the_call", "neither_is_one_without_elements", pass, "", "4 trial",
       places({16, {3, 0}, {4, 1}}, {16, {3, 0}, {6, 1}})},
      {"trials.like_the_call", "not_seen", error, "", "did not see where",
       [](auto& record) { record.cold().launches[2].places.clear(); }},
      {"trials.like_the_call", "no_launch", error, "", "no real call",
       [](auto& record) { record.cold().launches.clear(); }},
  };
}

std::vector<CheckCase> memory_cases() {
  return {
      {"output.launched", "what_the_launch_left", pass, "what the launch for it left",
       "the same content", nothing},
      {"output.launched", "another_result", fail, "",
       "\"io\" holds something else than step=2 left in it",
       [](auto& record) { record.cold().tensors[1].digest_after = "mended"; }},
      {"output.launched", "a_launch_on_a_copy", fail, "", "\"sum\" holds something else",
       [](auto& record) { record.warm().tensors[2].digest_after = "caller's sum"; }, "warm"},
      {"output.launched", "what_has_no_digest_is_not_compared", pass, "", "the same content",
       [](auto& record) { record.cold().launches[4].left[1] = ""; }},
      {"output.launched", "no_launch", error, "", "no real call",
       [](auto& record) { record.cold().launches.clear(); }},
      {"output.launched", "one_not_read_back", error, "", "not all tensors",
       [](auto& record) { record.cold().tensors[1].digest_after.clear(); }},
      {"output.launched", "no_digests", error, "", "no arguments after the launch",
       [](auto& record) { record.cold().launches[4].left.clear(); }},
      {"inputs.read_only_untouched", "untouched", pass, "", "unchanged", nothing},
      {"inputs.read_only_untouched", "changed", fail, "", "\"in\" was changed: byte 3",
       [](auto& record) {
         record.cold().tensors[0].unchanged = false;
         record.cold().tensors[0].first_difference = "byte 3";
       }},
      {"inputs.read_only_untouched", "not_read_back", error, "", "not all tensors",
       no_tensor_was_read},

      {"inputs.read_only_untouched", "one_not_read_back", error, "", "not all tensors",
       [](auto& record) { record.cold().tensors[3].digest_after.clear(); }},
      {"guard.intact", "one_not_read_back", error, "", "not all tensors",
       [](auto& record) { record.cold().tensors[3].digest_after.clear(); }},
      {"guard.intact", "intact", pass, "outside the elements", "all canaries intact", nothing},
      {"guard.intact", "damaged", fail, "outside the elements",
       "around \"out\" a canary was overwritten: byte 0 past the end",
       [](auto& record) { record.cold().tensors[3].canary_damage = "byte 0 past the end"; }},
      {"guard.intact", "not_read_back", error, "", "not all tensors", no_tensor_was_read},

      {"caller.unharmed", "unharmed", pass, "leaves the caller's arguments",
       "every byte is unchanged", call_fails},
      {"caller.unharmed", "harmed", fail, "leaves the caller's arguments",
       "the call failed, and \"io\" was changed: byte 7",
       [](auto& record) {
         call_fails(record);
         record.cold().tensors[1].unchanged = false;
         record.cold().tensors[1].first_difference = "byte 7";
       }},
      {"caller.unharmed", "succeeded", fail, "the call fails", "the call succeeded", nothing},
      {"caller.unharmed", "one_not_read_back", error, "", "not all tensors",
       [](auto& record) {
         call_fails(record);
         record.cold().tensors[1].digest_after.clear();
         record.cold().tensors[1].unchanged = false;
       }},
      {"caller.unharmed", "not_read_back", error, "", "not all tensors",
       [](auto& record) {
         call_fails(record);
         no_tensor_was_read(record);
       }},
  };
}

CheckCase reset_case(const std::string& situation, ResetPolicy policy, const std::string& process,
                     const std::string& seen, Verdict verdict, const std::string& expected,
                     const std::string& observed) {
  return {"reset.policy",
          situation,
          verdict,
          expected,
          observed,
          [=](auto& record) {
            record.adapter.reset_policy = policy;
            CallRecord& call = process == "cold" ? record.cold() : record.warm();
            call.launches.back().digests[2] = seen;
          },
          process};
}

std::vector<CheckCase> reset_cases() {
  using enum ResetPolicy;
  return {
      reset_case("always_zeros", every_call, "warm", "zeros of sum", pass, "sees zeros", "it did"),
      reset_case("not_on_a_hit", every_call, "warm", "caller's sum", fail, "sees zeros",
                 "\"sum\" held the caller's content"),
      reset_case("a_trials_sum", every_call, "cold", "x", fail, "sees zeros",
                 "\"sum\" held something else"),
      reset_case("tuned_call_zeros", tuned_call, "cold", "zeros of sum", pass, "sees zeros", ""),
      reset_case("tuned_call_accumulates", tuned_call, "cold", "caller's sum", fail, "sees zeros",
                 ""),
      reset_case("a_hit_accumulates", tuned_call, "warm", "caller's sum", pass,
                 "sees the caller's content", "it did"),
      reset_case("never_on_the_real_call", trials_only, "cold", "caller's sum", pass,
                 "sees the caller's content", ""),
      reset_case("against_the_policy", trials_only, "cold", "zeros of sum", fail,
                 "sees the caller's content", "\"sum\" held zeros"),
      {"reset.policy", "no_launch", error, "", "no real call",
       [](auto& record) { record.cold().launches.clear(); }},
      {"reset.policy", "nothing_is_reset", error, "", "the kernel resets nothing",
       [](auto& record) { record.kernel.reset_to_zero.clear(); }},
  };
}

}  // namespace

std::vector<CheckCase> restore_cases() {
  std::vector<CheckCase> all;
  for (const auto& cases : {output_and_input_cases(), place_cases(), memory_cases(), reset_cases()})
    all.insert(all.end(), cases.begin(), cases.end());
  return all;
}

}  // namespace tunecheck::test
