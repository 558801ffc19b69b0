// Mutants that look at a part of what a config left behind, or compare it with the wrong thing.
#include <gmock/gmock.h>

#include "toy.hpp"

namespace tunecheck::test {
namespace {

// The one that wins where a right config is slow and a broken one fast.
std::int64_t winner_beside(Toy& toy, Defect defect, const std::string& mutant) {
  toy.set_space({right, defect}, {200});
  const ToyCall call = call_once(toy, mutant);
  EXPECT_TRUE(call.report) << call.report.error().text();
  return call.winner.at("defect");
}

TEST(ValidationMutants, first_output_only_takes_a_wrong_second_output) {
  for (const std::string& mutant : both("first_output_only")) {
    Toy toy(Access::write);
    toy.add_second_output();
    EXPECT_EQ(winner_beside(toy, wrong_second, mutant), mutant.empty() ? right : wrong_second);
  }
}

TEST(ValidationMutants, first_output_only_compares_the_first) {
  Toy toy(Access::write);
  toy.add_second_output();
  EXPECT_EQ(winner_beside(toy, wrong, "first_output_only"), right);
  Toy other(Access::write);
  EXPECT_EQ(winner_beside(other, half_written, "first_output_only"), right);
}

TEST(ValidationMutants, pure_outputs_only_takes_a_wrong_output_in_place) {
  for (const std::string& mutant : both("pure_outputs_only")) {
    Toy toy(Access::in_place);
    EXPECT_EQ(winner_beside(toy, wrong, mutant), mutant.empty() ? right : wrong);
  }
  Toy toy(Access::write);
  EXPECT_EQ(winner_beside(toy, wrong, "pure_outputs_only"), right);
}

TEST(ValidationMutants, no_guard_in_front_takes_a_config_that_writes_there) {
  for (const std::string& mutant : both("no_guard_in_front")) {
    Toy toy(Access::write);
    EXPECT_EQ(winner_beside(toy, writes_in_front, mutant),
              mutant.empty() ? right : writes_in_front);
  }
  Toy toy(Access::write);
  EXPECT_EQ(winner_beside(toy, writes_past_end, "no_guard_in_front"), right);
}

TEST(ValidationMutants, input_end_unchecked_takes_a_config_that_overwrites_it) {
  for (const std::string& mutant : both("input_end_unchecked")) {
    Toy toy(Access::write);
    EXPECT_EQ(winner_beside(toy, changes_input, mutant), mutant.empty() ? right : changes_input);
  }
}

void take_bytes(Toy& toy) {
  toy.dtype = DType::u8;
  for (TensorParameter& tensor : toy.request.kernel.tensors)
    tensor.dtypes.push_back(DType::u8);
}

TEST(ValidationMutants, bytes_count_as_written_takes_an_output_that_was_not) {
  for (const std::string& mutant : both("bytes_count_as_written")) {
    Toy toy(Access::write);
    take_bytes(toy);
    toy.request.kernel.default_config = {{"defect", "1"}, {"time", "200"}};
    EXPECT_EQ(winner_beside(toy, half_written, mutant), mutant.empty() ? right : half_written);
  }
}

TEST(ValidationMutants, bytes_count_as_unwritten_finds_no_config_for_a_right_byte) {
  for (const std::string& mutant : both("bytes_count_as_unwritten")) {
    Toy toy(Access::in_place);
    take_bytes(toy);
    toy.elements = 140;  // one of them is 173
    toy.set_space({right}, {200});
    EXPECT_EQ(call_once(toy, mutant).report.has_value(), mutant.empty());
  }
}

TEST(ValidationMutants, first_config_is_right_although_all_others_contradict_it) {
  for (const std::string& mutant : both("first_config_is_right")) {
    Toy toy(Access::write);
    toy.request.kernel.default_config = {{"defect", "8"}, {"time", "200"}};
    toy.set_space({wrong_if_200}, {200, 300, 400});
    const ToyCall call = call_once(toy, mutant);
    ASSERT_TRUE(call.report) << call.report.error().text();
    EXPECT_EQ(call.winner.at("time"), mutant.empty() ? 300 : 200);
    EXPECT_EQ(call.y == expected_result(toy), mutant.empty());
  }
}

}  // namespace
}  // namespace tunecheck::test
