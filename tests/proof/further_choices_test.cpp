// What kernels are asked besides dense tensors of one seed: for each question a kernel whose author
// made the mistake that no other question shows.
#include <regex>

#include <gmock/gmock.h>

#include "core/fill.hpp"
#include "parts.hpp"

namespace tunecheck::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

TEST(FurtherChoices, a_right_kernel_is_proved_and_told_what_it_was_asked) {
  const ProofResult proof = cpu_proof_of(scaled_rows());
  EXPECT_EQ(wrong_in(proof), "");
  EXPECT_THAT(proof.also_asked, ElementsAre("padded rows", "transposed", "reversed",
                                            "all negative: \"x\"", "all positive: \"x\"", "seed 2",
                                            "seed 3", "second launch in one process (after seed 2)",
                                            "second launch in one process (after size odd, seed 2)",
                                            "broadcast: \"x\""));
  EXPECT_THAT(proof.notes, IsEmpty());
}

TEST(FurtherChoices, of_several_results_the_wrong_one_is_told) {
  Parts parts = scaled_rows();
  parts.tensors += "\n    z { dtype f32  shape \"rows cols\"  access write }";
  parts.arguments += ", Tensor<Z_TYPE> z";
  parts.reference = with(parts.body, "y(i, j) = ", "z(i, j) = y(i, j) = ");
  parts.body = parts.reference + "\n  z(2, 1) += 1;";
  EXPECT_THAT(wrong_in(cpu_proof_of(parts)),
              StartsWith("size smoke: \"z\": 1 of 96 elements wrong; first at [2, 1]"));
}

TEST(FurtherChoices, full_size_is_asked_nothing_further) {
  const TemporaryFolder folder = *TemporaryFolder::create("tunecheck-test-further");
  ProveOptions options;
  options.backends = {DeviceKind::cpu};
  options.size = "full";
  const KernelDefinition kernel = write_kernel(folder.path() / "toy", kernel_of(scaled_rows()));
  EXPECT_THAT(prove_kernel(kernel, options)->also_asked, IsEmpty());
}

// The pitch.

TEST(FurtherChoices, a_pitch_that_is_ignored_where_the_inner_stride_is_1_is_wrong) {
  Parts parts = scaled_rows();
  parts.reference = parts.body;
  parts.body =
      "  if (x.stride(1) == 1 && y.stride(1) == 1) {\n"
      "    for (int64_t i = 0; i < x.size(0) * x.size(1); ++i)\n"
      "      y.data()[i] = 3 * x.data()[i];\n    return;\n  }\n" +
      parts.body;
  EXPECT_THAT(wrong_in(cpu_proof_of(parts)), StartsWith("size smoke, padded rows: "));
}

TEST(FurtherChoices, one_tensors_pitch_taken_for_anothers_is_wrong) {
  Parts parts = scaled_rows();
  parts.reference = parts.body;
  parts.body = with(parts.body, "y(i, j)", "y.data()[i * x.stride(0) + j * y.stride(1)]");
  EXPECT_THAT(wrong_in(cpu_proof_of(parts)), StartsWith("size smoke, strided: "));
  parts.body =
      "  if (x.stride(1) != 1) {\n" + parts.reference + "\n    return;\n  }\n" + parts.body;
  EXPECT_THAT(wrong_in(cpu_proof_of(parts)), StartsWith("size smoke, padded rows: "));
}

TEST(FurtherChoices, a_fast_path_that_mistakes_other_strides_is_wrong) {
  struct Mistake {
    std::string taken;  ///< when the tensors are taken for rows without gaps between elements
    std::string where;
  };
  for (const Mistake& mistake :
       {Mistake{"x.stride(1) == 1 || (x.stride(0) == 1 && x.size(0) > 1)", "transposed"},
        Mistake{"x.stride(1) == 1 || x.stride(1) == -1", "reversed"},
        Mistake{"x.stride(1) == 1 && x.stride(0) <= x.size(1)", "broadcast: \"x\""}}) {
    Parts parts = scaled_rows();
    parts.reference = parts.body;
    const bool is_pitch = mistake.where.starts_with("broadcast");
    parts.body = fmt::format(
        "  if ({}) {{\n    for (int64_t i = 0; i < x.size(0); ++i)\n"
        "      for (int64_t j = 0; j < x.size(1); ++j)\n"
        "        y(i, j) = 3 * x.data()[i * {} + j];\n    return;\n  }}\n{}",
        mistake.taken, is_pitch ? "x.size(1)" : "x.stride(0)", parts.body);
    EXPECT_THAT(wrong_in(cpu_proof_of(parts)),
                StartsWith("size smoke, " + mistake.where + ": \"y\": "));
  }
}

TEST(FurtherChoices, shared_memory_is_asked_in_each_layout) {
  Parts parts = scaled_rows();
  parts.tensors = with(parts.tensors, "access write", "access write  may_alias x");
  parts.lists = "restore_value \"y\"";
  parts.reference = parts.body;
  for (const auto& [where, holds] :
       {std::pair<std::string, std::string>("transposed", "x.stride(0) == 1"),
        {"reversed", "x.stride(1) < 0"}}) {
    parts.body =
        fmt::format("{}\n  if (x.data() == y.data() && {}) y(0, 0) += 1;", parts.reference, holds);
    EXPECT_THAT(wrong_in(cpu_proof_of(parts)),
                StartsWith("size smoke, " + where + ", \"y\" is \"x\": \"y\": "));
  }
}

// Rings.

// Adds 1 to a ring and puts values into it from a position on. `at` is where the next one goes.
Parts ring(const std::string& wrong) {
  Parts parts;
  parts.sizes = "smoke { n 64  steps 3 }  full { n 4096  steps 64 }";
  parts.tensors =
      "ring { dtype f32  shape \"n\"  access in_place  fill normal }\n"
      "    added { dtype f32  shape \"steps\"  access read  fill normal }\n"
      "    position { dtype i32  shape \"1\"  access read  fill \"integers 0 n-1\" }";
  parts.lists = "restore_value \"ring\"";
  parts.arguments = "Tensor<RING_TYPE> ring, Tensor<ADDED_TYPE> added, Tensor<POSITION_TYPE> pos";
  const std::string body =
      "  const int64_t n = ring.size(0);\n"
      "  for (int64_t i = 0; i < n; ++i) ring(i) += 1;\n"
      "  int64_t at = static_cast<int64_t>(pos(0)) % n;\n"
      "  for (int64_t i = 0; i < added.size(0); ++i, ++at) {\n"
      "    if (at >= n) at = 0;\n    ring(at) = added(i);\n  }";
  parts.reference = body;
  parts.body = wrong.empty() ? body : with(body, "if (at >= n) at = 0;", wrong);
  parts.tolerance = "relative 0  absolute 0";
  return parts;
}

TEST(FurtherChoices, a_ring_that_wraps_right_is_proved) {
  EXPECT_EQ(wrong_in(cpu_proof_of(ring(""))), "");
}

TEST(FurtherChoices, a_wrong_wrap_of_a_position_in_a_tensor_is_wrong) {
  EXPECT_THAT(
      wrong_in(cpu_proof_of(ring("if (at >= n) at = 1;"))),
      StartsWith("size smoke, \"position\" begins with 63, the highest of its range: \"ring\": "));
}

TEST(FurtherChoices, a_position_past_the_end_of_the_ring_is_asked_where_the_kernel_file_has_it) {
  Parts parts = ring("");
  parts.tensors = with(parts.tensors, "0 n-1", "0 3*n");
  EXPECT_EQ(wrong_in(cpu_proof_of(parts)), "");
  parts.body = with(parts.body, "static_cast<int64_t>(pos(0)) % n",
                    "pos(0) < 3 * n ? static_cast<int64_t>(pos(0)) % n : n - 1");
  EXPECT_THAT(wrong_in(cpu_proof_of(parts)),
              StartsWith("size smoke, \"position\" begins with 192, the highest of its range: "));
}

TEST(FurtherChoices, the_lowest_position_is_asked_too) {
  Parts parts = ring("");
  parts.body += "\n  if (pos(0) == 0) ring(0) += 1;";
  EXPECT_THAT(wrong_in(cpu_proof_of(parts)),
              StartsWith("size smoke, \"position\" begins with 0, the lowest of its range: "));
}

TEST(FurtherChoices, ends_that_are_drawn_anyway_are_not_asked_again) {
  Parts parts = ring("");
  parts.tensors =
      with(parts.tensors, "added { dtype f32  shape \"steps\"  access read  fill normal",
           "added { dtype f32  shape \"n\"  access read  fill \"integers 0 1\"");
  parts.body = with(parts.body, "added.size(0)", "3");
  parts.reference = with(parts.reference, "added.size(0)", "3");
  for (const std::string& asked : cpu_proof_of(parts).also_asked)
    if (asked.find("its range") != asked.npos) {
      EXPECT_THAT(asked, AllOf(HasSubstr("\"position\" begins"), HasSubstr("\"added\" begins")));
    }
}

// What one seed draws, and the ends of the range, are right.
TEST(FurtherChoices, what_only_other_seeds_draw_is_asked) {
  std::int32_t drawn = 0;
  const std::vector<std::int64_t> one = {1};
  apply_fill({Fill::Kind::integers, 0, 63}, 1, "position",
             {reinterpret_cast<std::byte*>(&drawn), DType::i32, Layout::contiguous(one)});
  Parts parts = ring("");
  parts.body += fmt::format("\n  if (pos(0) % 63 != 0 && pos(0) != {}) ring(0) += 1;", drawn);
  EXPECT_THAT(wrong_in(cpu_proof_of(parts)), StartsWith("size smoke, seed 2: \"ring\": "));
}

// The same with the position in a scalar.
Parts scalar_ring(const std::string& range, const std::string& wrong) {
  Parts parts = ring(wrong);
  parts.tensors.resize(parts.tensors.find("position"));
  parts.scalars = "position { dtype i32  value 5  " + range + " }";
  parts.arguments = "Tensor<RING_TYPE> ring, Tensor<ADDED_TYPE> added, int pos";
  for (std::string* const body : {&parts.body, &parts.reference})
    *body = with(*body, "static_cast<int64_t>(pos(0))", "pos");
  return parts;
}

TEST(FurtherChoices, a_wrong_wrap_of_a_position_in_a_scalar_with_a_range_is_wrong) {
  const ProofResult right = cpu_proof_of(scalar_ring("range \"0 n-1\"", ""));
  EXPECT_EQ(wrong_in(right), "");
  EXPECT_THAT(right.also_asked, AllOf(Contains("position = 0"), Contains("position = 63")));
  EXPECT_THAT(right.notes, IsEmpty());
  EXPECT_THAT(wrong_in(cpu_proof_of(scalar_ring("range \"0 n-1\"", "if (at >= n) at = 1;"))),
              StartsWith("size smoke, position = 63: \"ring\": "));
}

TEST(FurtherChoices, a_whole_number_without_a_range_is_asked_next_to_the_sizes) {
  const ProofResult proof = cpu_proof_of(scalar_ring("", "if (at >= n) at = 1;"));
  EXPECT_THAT(wrong_in(proof), StartsWith("size smoke, position = 63: \"ring\": "));
  EXPECT_THAT(proof.notes, ElementsAre(HasSubstr("scalar \"position\" has no range in the kernel "
                                                 "file, and so it was also asked with 6, 63, 2;")));
}

TEST(FurtherChoices, a_whole_number_that_the_reference_does_not_bear_is_not_asked) {
  Parts parts = scalar_ring("", "");
  const std::string bound = "  if (pos > 6) __builtin_abort();\n";
  parts.reference = bound + parts.reference;
  const ProofResult proof = cpu_proof_of(parts);
  EXPECT_EQ(wrong_in(proof), "");
  EXPECT_THAT(proof.also_asked, AllOf(Contains("position = 6"), Not(Contains("position = 63"))));
}

// Signs.

// The largest of `value` over all elements, or the smallest.
Parts extremum(const std::string& start, const std::string& comparison, const std::string& value) {
  Parts parts;
  parts.tensors =
      "x { dtype f32  shape \"n\"  access read  fill normal }\n"
      "    w { dtype f32  shape \"n\"  access read  fill normal }\n"
      "    out { dtype f32  shape \"1\"  access write }";
  parts.arguments = "Tensor<X_TYPE> x, Tensor<W_TYPE> w, Tensor<OUT_TYPE> out";
  const auto body = [&](const std::string& from) {
    return fmt::format(
        "  (void)w(0);\n  out(0) = {};\n  for (int64_t i = 0; i < x.size(0); ++i) "
        "if ({} {} out(0)) out(0) = {};",
        from, value, comparison, value);
  };
  parts.body = body(start);
  parts.reference = body(std::string(comparison == ">" ? "-" : "") + "1e30");
  return parts;
}

TEST(FurtherChoices, a_running_maximum_that_starts_at_0_is_wrong) {
  EXPECT_EQ(wrong_in(cpu_proof_of(extremum("-1e30f", ">", "x(i)"))), "");
  EXPECT_THAT(wrong_in(cpu_proof_of(extremum("0", ">", "x(i)"))),
              StartsWith("size smoke, all negative: \"x\", \"w\": \"out\": "));
}

TEST(FurtherChoices, a_running_minimum_that_starts_at_0_is_wrong) {
  EXPECT_THAT(wrong_in(cpu_proof_of(extremum("0", "<", "x(i)"))),
              StartsWith("size smoke, all positive: \"x\", \"w\": \"out\": "));
}

TEST(FurtherChoices, a_running_maximum_of_products_that_starts_at_0_is_wrong) {
  EXPECT_THAT(wrong_in(cpu_proof_of(extremum("0", ">", "x(i) * w(i)"))),
              StartsWith("size smoke, all negative: \"x\", all positive: \"w\": \"out\": "));
}

TEST(FurtherChoices, a_range_that_the_kernel_file_declares_is_kept) {
  Parts parts = extremum("0", ">", "__builtin_sqrt(x(i)) + w(i)");
  parts.tensors = with(parts.tensors, "x { dtype f32  shape \"n\"  access read  fill normal",
                       "x { dtype f32  shape \"n\"  access read  fill uniform");
  parts.tensors = with(parts.tensors, "w { dtype f32  shape \"n\"  access read  fill normal",
                       "w { dtype f32  shape \"n\"  access read  fill \"integers 0 9\"");
  const ProofResult proof = cpu_proof_of(parts);
  EXPECT_EQ(wrong_in(proof), "");
  EXPECT_THAT(proof.also_asked, Each(Not(HasSubstr("negative"))));
}

TEST(FurtherChoices, whole_numbers_of_either_sign_are_asked_within_their_range) {
  Parts parts = extremum("0", ">", "x(i)");
  for (int i = 0; i < 2; ++i)
    parts.tensors.replace(parts.tensors.find("fill normal"), 11, "fill \"integers -9 9\"");
  EXPECT_THAT(wrong_in(cpu_proof_of(parts)),
              StartsWith("size smoke, all negative: \"x\", \"w\": "));
  parts.tensors = std::regex_replace(parts.tensors, std::regex("f32"), "i32");
  EXPECT_THAT(wrong_in(cpu_proof_of(parts)),
              StartsWith("size smoke, all negative: \"x\", \"w\": "));
}

// Scalars.

TEST(FurtherChoices, a_scalar_that_is_written_into_the_code_is_wrong) {
  KernelText text;
  text.info = with(with(text.info, "x { dtype \"f32 f64\"", "x { dtype f32"),
                   "y { dtype \"f32 f64\"", "y { dtype f32");
  text.cpu = with(text.cpu, "static_cast<Y_TYPE>(factor)", "1.25f");
  text.cpu = with(text.cpu, "(void)config;", "(void)config;\n  (void)factor;");
  EXPECT_THAT(wrong_in(cpu_proof_of(text)), StartsWith("size smoke, factor = 0.625: \"y\": "));
}

// y = x / (x * x + eps)
Parts with_eps(const std::string& eps) {
  Parts parts = scaled_rows();
  parts.scalars = eps;
  parts.arguments += ", float eps";
  parts.body = with(parts.body, "3 * x(i, j)", "x(i, j) / (x(i, j) * x(i, j) + eps)");
  parts.tolerance = "relative 1e-5  absolute 1e-5";
  return parts;
}

TEST(FurtherChoices, a_scalar_of_little_effect_is_asked_with_a_value_that_shows) {
  Parts parts = with_eps("eps { dtype f32  value 1e-12 }");
  const ProofResult proof = cpu_proof_of(parts);
  EXPECT_EQ(wrong_in(proof), "");
  EXPECT_THAT(proof.notes, IsEmpty());
  EXPECT_THAT(proof.also_asked, Contains("eps = 1.04858e-06"));
  parts.reference = parts.body;
  parts.body = with(parts.body, "+ eps", "+ 1e-12f + 0 * eps");
  EXPECT_THAT(wrong_in(cpu_proof_of(parts)), StartsWith("size smoke, eps = 1.04858e-06: "));
}

TEST(FurtherChoices, a_scalar_that_nothing_depends_on_is_noted) {
  Parts parts = with_eps("eps { dtype f32  value 2 }");
  parts.body = with(parts.body, "+ eps", "+ 0 * eps + 2");
  const ProofResult proof = cpu_proof_of(parts);
  EXPECT_EQ(wrong_in(proof), "");
  EXPECT_THAT(proof.notes,
              ElementsAre("scalar \"eps\" makes no difference: the reference gives the same with "
                          "1, 2048, 2097152 as with 2, so that nothing shows whether the kernel "
                          "uses it"));
}

TEST(FurtherChoices, a_scalar_of_one_declared_value_is_noted) {
  const ProofResult proof =
      cpu_proof_of(with_eps("eps { dtype f32  value 0.5  range \"0.5 0.5\" }"));
  EXPECT_EQ(wrong_in(proof), "");
  EXPECT_THAT(proof.notes, ElementsAre("scalar \"eps\" is asked with 0.5 alone: its range holds no "
                                       "other value"));
  EXPECT_THAT(proof.also_asked, Each(Not(HasSubstr("eps"))));
}

// State.

TEST(FurtherChoices, a_value_kept_from_the_first_launch_is_wrong) {
  Parts parts = scaled_rows();
  parts.reference = with(parts.body, "3 * x(i, j)", "x(0, 0) * x(i, j)");
  parts.body =
      "  if (x.size(0) * x.size(1) == 0) return;\n  static const float first = x(0, 0);\n" +
      with(parts.body, "3 * x(i, j)", "first * x(i, j)");
  EXPECT_THAT(wrong_in(cpu_proof_of(parts)),
              StartsWith("size smoke, second launch in one process (after seed 2): \"y\": "));
}

TEST(FurtherChoices, a_scalar_kept_from_the_first_launch_is_wrong) {
  Parts parts = with_eps("eps { dtype f32  value 0.5 }");
  parts.reference = parts.body;
  parts.body = "  static const float first = eps;\n" + with(parts.body, "+ eps", "+ first");
  EXPECT_THAT(
      wrong_in(cpu_proof_of(parts)),
      StartsWith("size smoke, second launch in one process (after eps = 0.25, seed 2): \"y\": "));
}

TEST(FurtherChoices, a_size_kept_from_the_first_launch_is_wrong) {
  Parts parts = scaled_rows();
  parts.reference = parts.body;
  parts.body = "  static const int64_t columns = x.size(1);\n" +
               with(parts.body, "j < x.size(1)", "j < columns");
  EXPECT_THAT(
      wrong_in(cpu_proof_of(parts)),
      StartsWith("size smoke, second launch in one process (after size odd, seed 2): \"y\": "));
}

// Errors and tolerances.

TEST(LargestErrors, are_shown_next_to_what_is_allowed) {
  Parts parts = scaled_rows();
  parts.body = with(parts.body, "3 *", "0.1f *");
  parts.reference = with(parts.body, "0.1f *", "0.1 *");
  const ProofResult proof = cpu_proof_of(parts);
  EXPECT_TRUE(proof.proved());
  ASSERT_EQ(proof.largest_errors.size(), 1U);
  const ProofResult::LargestError& largest = proof.largest_errors[0];
  EXPECT_EQ(largest.dtype, "f32");
  EXPECT_GT(largest.error, 1e-10);
  EXPECT_LT(largest.error, largest.allowed);
  EXPECT_FALSE(largest.is_too_wide());
  EXPECT_THAT(largest.where, StartsWith("cpu step=1, size "));
}

TEST(LargestErrors, of_a_thousandth_of_what_is_allowed_is_a_warning_and_proved) {
  Parts parts = scaled_rows();
  parts.body = with(parts.body, "3 *", "0.1f *");
  parts.reference = with(parts.body, "0.1f *", "0.1 *");
  parts.tolerance = "relative 0  absolute 1e-3";
  const ProofResult proof = cpu_proof_of(parts);
  EXPECT_TRUE(proof.proved());
  ASSERT_EQ(proof.largest_errors.size(), 1U);
  EXPECT_TRUE(proof.largest_errors[0].is_too_wide());
}

TEST(LargestErrors, of_0_are_told_with_the_narrowest_that_is_allowed) {
  const ProofResult proof = cpu_proof_of([] {
    Parts parts = scaled_rows();
    parts.tensors = with(parts.tensors, "fill normal", "fill \"integers 1 9\"");
    return parts;
  }());
  ASSERT_EQ(proof.largest_errors.size(), 1U);
  EXPECT_EQ(proof.largest_errors[0].error, 0);
  EXPECT_DOUBLE_EQ(proof.largest_errors[0].allowed, 4e-6);
  EXPECT_FALSE(proof.largest_errors[0].is_too_wide());
}

TEST(LargestErrors, are_not_looked_for_where_none_is_allowed) {
  EXPECT_THAT(cpu_proof_of(ring("")).largest_errors, IsEmpty());
}

// The reference.

TEST(SuspectReference, is_what_to_look_at_where_all_configs_agree_against_it) {
  Parts parts = scaled_rows();
  parts.reference = with(parts.body, "3 *", "4 *");
  EXPECT_THAT(cpu_proof_of(parts).mistakes,
              ElementsAre("all 2 configs agree on \"y\", and the reference gives another result "
                          "(size smoke): look at the reference first, and then at what all "
                          "configs have in common"));
}

TEST(SuspectReference, is_named_for_a_scalar_that_it_ignores) {
  Parts parts = with_eps("eps { dtype f32  value 0.5  range \"0.25 0.5\" }");
  parts.reference = with(parts.body, "+ eps", "+ 0.5 + 0 * eps");
  EXPECT_THAT(cpu_proof_of(parts).mistakes,
              ElementsAre(HasSubstr("(size smoke, eps = 0.25): look at the reference first")));
}

TEST(SuspectReference, is_not_named_where_configs_differ_or_it_cannot_see_the_case) {
  Parts parts = scaled_rows();
  parts.reference = parts.body;
  parts.body += "\n  if (step == 2 && y.size(0) > 0) y(0, 0) += 1;";
  EXPECT_THAT(cpu_proof_of(parts).mistakes, IsEmpty());
  parts.body = parts.reference + "\n  if (y.size(0) > 0) y(0, 0) += step;";
  EXPECT_THAT(cpu_proof_of(parts).mistakes, IsEmpty());
  parts.body = parts.reference + "\n  if (y.stride(1) != 1) y(0, 0) += 1;";
  EXPECT_THAT(cpu_proof_of(parts).mistakes, IsEmpty());
  parts.body = "  (void)x;\n  (void)y;";
  EXPECT_THAT(cpu_proof_of(parts).mistakes, Each(Not(HasSubstr("reference"))));
}

}  // namespace
}  // namespace tunecheck::test
