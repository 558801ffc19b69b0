// Which tensors kernels are asked with a stride of 0, and with which values.
#include <gmock/gmock.h>

#include "parts.hpp"

namespace tunecheck::test {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Each column less its first element, over how far its first two are apart, which is nothing if all
// are one.
Parts over_difference() {
  Parts parts = scaled_rows();
  parts.body =
      "  for (int64_t j = 0; j < x.size(1) && x.size(0) > 1; ++j) {\n"
      "    const auto apart = x(1, j) - x(0, j);\n"
      "    for (int64_t i = 0; i < x.size(0); ++i)\n"
      "      y(i, j) = (x(i, j) - x(0, j)) / (apart * apart + 1e-6f);\n  }";
  parts.reference = with(parts.body, "1e-6f", "1e-6");
  parts.tolerance = "relative 1e-3  absolute 1e-3";
  return parts;
}

TEST(Broadcast, what_would_show_a_kernels_rounding_alone_is_not_asked) {
  const ProofResult proof = cpu_proof_of(over_difference());
  EXPECT_EQ(wrong_in(proof), "");
  EXPECT_THAT(proof.also_asked, Each(Not(HasSubstr("broadcast"))));
  EXPECT_THAT(proof.notes,
              ElementsAre("not asked, because the results would depend on the last digits: "
                          "broadcast: \"x\""));
}

// y = the sum of each column. A float sum of thousands of equal numbers has few right digits,
// unless it is exact.
TEST(Broadcast, a_sum_of_broadcast_rows_is_asked_and_exact) {
  Parts parts = scaled_rows();
  parts.sizes = "smoke { rows 4096  cols 8 }  full { rows 64  cols 64 }  odd { rows 3  cols 5 }";
  parts.tensors = with(parts.tensors, "y { dtype f32  shape \"rows cols\"  access write }",
                       "y { dtype f32  shape \"cols\"  access write }");
  parts.body =
      "  for (int64_t j = 0; j < x.size(1); ++j) {\n    y(j) = 0;\n"
      "    for (int64_t i = 0; i < x.size(0); ++i) y(j) += x(i, j);\n  }";
  parts.tolerance = "relative 1e-5  absolute 1e-3";
  const ProofResult proof = cpu_proof_of(parts);
  EXPECT_EQ(wrong_in(proof), "");
  EXPECT_THAT(proof.also_asked, Contains("broadcast: \"x\""));
}

// A row of equal numbers is nowhere above its mean; which digits say so is up to the kernel.
TEST(Broadcast, a_decision_that_hangs_on_the_last_digits_is_not_asked) {
  Parts parts = scaled_rows();
  parts.tensors = with(parts.tensors, "y { dtype f32", "y { dtype i32");
  parts.body =
      "  for (int64_t j = 0; j < x.size(1); ++j) {\n    auto mean = 0 * x(0, j);\n"
      "    for (int64_t i = 0; i < x.size(0); ++i) mean += 0.7 * x(i, j) / x.size(0);\n"
      "    for (int64_t i = 0; i < x.size(0); ++i) y(i, j) = 0.7 * x(i, j) > mean;\n  }";
  parts.tolerance = "relative 0  absolute 0";
  const ProofResult proof = cpu_proof_of(parts);
  EXPECT_EQ(wrong_in(proof), "");
  EXPECT_THAT(proof.notes, ElementsAre(HasSubstr("the last digits: broadcast: \"x\"")));
}

// A tolerance of a few units in the last place leaves dense tensors no more room.
TEST(Broadcast, a_narrow_tolerance_does_not_hide_a_pitch_of_0_taken_for_none) {
  for (const auto& [dtype, tolerance] :
       {std::pair<std::string, std::string>("f64", "relative 1e-14  absolute 0"),
        {"f32", "relative 1e-7  absolute 0"}}) {
    Parts parts = scaled_rows();
    parts.tensors = std::regex_replace(parts.tensors, std::regex("f32"), dtype);
    parts.tolerance = tolerance;
    parts.reference = parts.body;
    parts.body = "  const int64_t pitch = x.stride(0) != 0 ? x.stride(0) : x.size(1);\n" +
                 with(parts.body, "x(i, j)", "x.data()[i * pitch + j * x.stride(1)]");
    EXPECT_THAT(wrong_in(cpu_proof_of(parts)), StartsWith("size smoke, broadcast: \"x\": \"y\": "))
        << dtype;
  }
}

// The other one is asked nevertheless.
TEST(Broadcast, each_tensor_is_looked_at_for_itself) {
  Parts parts = over_difference();
  parts.tensors += "\n    bias { dtype f32  shape \"cols\"  access read  fill normal }";
  parts.arguments += ", Tensor<BIAS_TYPE> bias";
  for (std::string* const body : {&parts.body, &parts.reference})
    *body = with(*body, ";\n  }", " + bias(j);\n  }");
  const ProofResult proof = cpu_proof_of(parts);
  EXPECT_EQ(wrong_in(proof), "");
  EXPECT_THAT(proof.also_asked, Contains("broadcast: \"bias\""));
  EXPECT_THAT(proof.notes, ElementsAre(HasSubstr("the last digits: broadcast: \"x\"")));
}

TEST(Broadcast, what_may_be_indices_is_not_broadcast) {
  Parts parts = scaled_rows();
  parts.tensors = with(parts.tensors, "fill normal", "fill \"integers 0 9\"");
  EXPECT_THAT(cpu_proof_of(parts).also_asked, Each(Not(HasSubstr("broadcast"))));
}

// Each alone leaves the other's values to be apart.
TEST(Broadcast, what_only_both_would_show_is_asked_of_the_first_alone) {
  Parts parts = over_difference();
  parts.tensors += "\n    w { dtype f32  shape \"rows cols\"  access read  fill normal }";
  parts.arguments += ", Tensor<W_TYPE> w";
  for (std::string* const body : {&parts.body, &parts.reference})
    for (const char* const at : {"(i, j)", "(0, j)", "(1, j)"})
      *body = std::regex_replace(*body, std::regex("\\bx\\" + std::string(at, 5) + "\\)"),
                                 fmt::format("(x{0} + w{0})", at));
  const ProofResult proof = cpu_proof_of(parts);
  EXPECT_EQ(wrong_in(proof), "");
  EXPECT_THAT(proof.also_asked, Contains("broadcast: \"x\""));
  EXPECT_THAT(proof.notes, ElementsAre(HasSubstr("the last digits: broadcast: \"w\"")));
}

}  // namespace
}  // namespace tunecheck::test
