// What a tuner's answers come to: one state for each question, and the causes behind it.
#include "reports/matrix/matrix_state.hpp"

#include <gmock/gmock.h>

#include "matrix_state_results.hpp"

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names_in(const CausesOf& causes) {
  std::vector<std::string> names;
  for (const TunerCause* const cause : causes)
    names.push_back(cause->name);
  return names;
}

QuestionState state_of(const MatrixTuner& tuner, std::string_view check) {
  return answer_of(tuner, check).state;
}

TEST(QuestionState, is_that_of_the_worst_cause) {
  const MatrixTuner tuner = explained_tuner();
  EXPECT_EQ(state_of(tuner, "guard.intact"), QuestionState::held);
  EXPECT_EQ(state_of(tuner, "inputs.pristine"), QuestionState::other_policy);
  EXPECT_EQ(state_of(tuner, "corrupt.is_miss"), QuestionState::never_said);
  EXPECT_EQ(state_of(tuner, "key.must_hit"), QuestionState::broken_promise);
  EXPECT_EQ(state_of(tuner, "store.synced"), QuestionState::unexplained);
  EXPECT_EQ(state_of(tuner, "winner.correct"), QuestionState::failed);
  EXPECT_EQ(state_of(tuner, "memory.flat"), QuestionState::no_evidence);
  EXPECT_EQ(state_of(tuner, "key.explained"), QuestionState::not_testable);
  EXPECT_EQ(state_of(tuner, "lookup.flat"), QuestionState::not_asked);
}

TEST(QuestionState, counts_what_held_among_what_was_asked) {
  const QuestionAnswer answer = answer_of(explained_tuner(), "key.must_hit");
  EXPECT_EQ(answer.held, 1);
  EXPECT_EQ(answer.asked, 3);
  EXPECT_THAT(names_in(answer.causes), ElementsAre("searches_again"));
}

TEST(QuestionState, a_failure_is_put_down_to_the_causes_that_name_its_check) {
  const MatrixTuner tuner = explained_tuner();
  EXPECT_THAT(names_in(causes_behind(tuner, "faults.cut", "corrupt.is_miss")),
              ElementsAre("raises"));
  EXPECT_THAT(names_in(causes_behind(tuner, "faults.cut", "key.must_hit")),
              ElementsAre("searches_again"));
  // Where none names it, all of the scenario may be it.
  EXPECT_THAT(names_in(causes_behind(tuner, "faults.cut", "output.reference")),
              ElementsAre("raises", "searches_again"));
  EXPECT_THAT(causes_behind(tuner, "faults.other", "corrupt.is_miss"), IsEmpty());
}

TEST(QuestionState, what_a_scenario_did_not_come_to_is_no_answer) {
  MatrixTuner tuner = explained_tuner();
  const std::int64_t asked = answer_of(tuner, "guard.intact").asked;
  tuner.scenarios.at("faults.cut").checks["guard.intact"] = Verdict::known;
  EXPECT_FALSE(was_reached(tuner.scenarios.at("faults.cut"), "guard.intact"));
  EXPECT_EQ(answer_of(tuner, "guard.intact").asked, asked - 1);
  EXPECT_EQ(state_of(tuner, "guard.intact"), QuestionState::held);
  // Unless no other scenario has one.
  tuner.scenarios.at("faults.cut").checks["corrupt.healed"] = Verdict::known;
  EXPECT_EQ(state_of(tuner, "corrupt.healed"), QuestionState::broken_promise);
}

TEST(QuestionState, of_every_check_is_counted_once) {
  const StateCounts counts = state_counts(explained_tuner());
  for (const std::size_t state : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U})
    EXPECT_EQ(counts.at(state), 1) << name_of(static_cast<QuestionState>(state));
  EXPECT_GT(counts.back(), 50) << "not asked";
}

TEST(SeenCauses, those_that_no_scenario_is_to_show_stand_apart) {
  const MatrixTuner tuner = explained_tuner();
  const SeenCauses causes = causes_seen(tuner);
  EXPECT_THAT(names_in(causes.seen), ElementsAre("drifts", "raises", "searches_again"));
  EXPECT_THAT(names_in(causes.apart), ElementsAre("fixed_one"));
}

TEST(Columns, of_one_tuner_have_names_of_their_own_that_do_not_depend_on_others) {
  MatrixTuner tuner;
  tuner.adapter = "triton_plain";
  tuner.tuner = "triton 3.6.0";
  tuner.backend = "cuda";
  tuner.device = "NVIDIA H100 80GB HBM3";
  EXPECT_EQ(slug_of(tuner), "triton_plain-3.6.0-cuda-nvidia-h100-80gb-hbm3");
  EXPECT_EQ(card_of(tuner), "H100");
  tuner.device = "NVIDIA H200";
  EXPECT_EQ(slug_of(tuner), "triton_plain-3.6.0-cuda-nvidia-h200");
  EXPECT_EQ(card_of(tuner), "H200");
  tuner.backend = "cpu";
  EXPECT_EQ(card_of(tuner), "CPU");
  tuner.device = "Intel(R) Xeon(R) \"<&/#";
  EXPECT_EQ(slug_of(tuner), "triton_plain-3.6.0-cpu-intel-r-xeon-r");
}

TEST(Columns, a_product_is_what_stands_in_front_of_the_version) {
  const auto split = [](const std::string& text) {
    MatrixTuner tuner;
    tuner.adapter = "adapter";
    tuner.tuner = text;
    const ProductName name = product_of(tuner);
    return name.product + "|" + name.version;
  };
  EXPECT_EQ(split("Kernel Tuner 1.5.0"), "Kernel Tuner|1.5.0");
  EXPECT_EQ(split("inductor 2.11.0, triton 3.6.0"), "inductor|2.11.0, triton 3.6.0");
  EXPECT_EQ(split("FFTW fftw-3.3.10-sse2"), "FFTW|3.3.10-sse2");
  EXPECT_EQ(split("plain"), "plain|");
  EXPECT_EQ(split("3.1"), "adapter|3.1");
  EXPECT_EQ(split(""), "adapter|");
}

}  // namespace
}  // namespace tunecheck::test
