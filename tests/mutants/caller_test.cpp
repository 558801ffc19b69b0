// Mutants that spoil the caller's own arguments.
#include <gmock/gmock.h>

#include "toy.hpp"

namespace tunecheck::test {
namespace {

TEST(CallerMutants, reset_before_snapshot_loses_the_argument_when_the_tuning_fails) {
  for (const std::string mutant : {"", "reset_before_snapshot"}) {
    Toy toy;
    toy.request.kernel.reset_to_zero = {"y"};
    toy.set_space({refuses}, {100, 200});
    const ToyCall call = call_once(toy, mutant);
    EXPECT_FALSE(call.report);
    EXPECT_EQ(call.y == initial_y(toy), mutant.empty()) << mutant;
  }
}

TEST(CallerMutants, the_reset_is_missing_on_the_call_that_its_mutant_names) {
  for (const std::string mutant : {"", "reset_not_on_final_call", "reset_not_on_hit"}) {
    Toy toy;
    toy.request.kernel.restore_value = {};
    toy.request.kernel.reset_to_zero = {"y"};
    ToyProcess process(toy, mutant);
    EXPECT_EQ(process.call().y == expected_result(toy, true), mutant != "reset_not_on_final_call");
    EXPECT_EQ(process.call().y == expected_result(toy, true), mutant != "reset_not_on_hit");
    EXPECT_EQ(call_once(toy, mutant).y == expected_result(toy, true), mutant != "reset_not_on_hit")
        << mutant;
  }
}

TEST(CallerMutants, restore_past_end_damages_what_lies_behind_a_tensor_and_nothing_in_it) {
  for (const std::string mutant : {"", "restore_past_end"}) {
    Toy toy;
    ToyProcess process(toy, mutant);
    const ToyCall tuned = process.call();
    EXPECT_EQ(tuned.canaries_intact, mutant.empty()) << mutant;
    EXPECT_EQ(tuned.y, expected_result(toy));
    EXPECT_TRUE(process.call().canaries_intact) << mutant;
  }
}

TEST(CallerMutants, poisons_read_only_spoils_the_input_and_not_the_result) {
  for (const std::string mutant : {"", "poisons_read_only"}) {
    Toy toy;
    const ToyCall call = call_once(toy, mutant);
    EXPECT_EQ(call.y, expected_result(toy));
    EXPECT_EQ(call.x.at(5) == 6, mutant.empty()) << mutant;
  }
}

TEST(CallerMutants, caller_not_restored_after_failure_leaves_garbage_only_then) {
  for (const std::string mutant : {"", "caller_not_restored_after_failure"}) {
    Toy toy;
    EXPECT_EQ(call_once(toy, mutant).y, expected_result(toy));
    toy.set_space({refuses}, {100});
    const ToyCall failed = call_once(toy, mutant);
    EXPECT_FALSE(failed.report);
    EXPECT_EQ(failed.y == initial_y(toy), mutant.empty()) << mutant;
  }
}

}  // namespace
}  // namespace tunecheck::test
