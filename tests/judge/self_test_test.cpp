// What the judge shows of itself before it judges: that it notices every break planted here.
#include "judge/run/self_test.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <gmock/gmock.h>

#include "judge/run/plain_judgement.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;

std::string trouble_with(const JudgingFunctions& functions) {
  const auto done = test_judgement(functions);
  if (done) return "none";
  EXPECT_EQ(done.error().kind, ErrorKind::internal);
  EXPECT_THAT(done.error().text(), HasSubstr("nothing was judged"));
  return done.error().text();
}

TEST(SelfTest, the_judges_own_functions_pass) {
  EXPECT_EQ(trouble_with({}), "none");
}

// What compare() says if elements for which `excused` holds count as right.
template <class Excused>
JudgingFunctions excusing(Excused excused) {
  JudgingFunctions functions;
  functions.compare = [excused](const TensorView& actual, std::span<const double> expected,
                                const Tolerance& tolerance) {
    std::vector<double> kinder(expected.begin(), expected.end());
    const std::vector<double> values = to_doubles(actual);
    for (std::size_t i = 0; i < kinder.size(); ++i)
      if (excused(values[i], kinder[i])) kinder[i] = values[i];
    return tunecheck::compare(actual, kinder, tolerance);
  };
  return functions;
}

TEST(SelfTest, sees_a_nan_that_equals_everything) {
  EXPECT_THAT(trouble_with(excusing([](double actual, double) { return std::isnan(actual); })),
              HasSubstr("a NaN instead of a number"));
  EXPECT_THAT(trouble_with(excusing([](double, double expected) { return std::isnan(expected); })),
              HasSubstr("a number instead of a NaN"));
}

TEST(SelfTest, sees_an_infinity_that_equals_everything) {
  EXPECT_THAT(trouble_with(excusing([](double actual, double) { return std::isinf(actual); })),
              HasSubstr("infinity instead of a number"));
  EXPECT_THAT(trouble_with(excusing([](double actual, double expected) {
                return std::isinf(actual) && std::isinf(expected);
              })),
              HasSubstr("infinity for minus infinity"));
}

TEST(SelfTest, sees_a_nan_that_does_not_equal_a_nan) {
  JudgingFunctions functions;
  functions.compare = [](const TensorView& actual, std::span<const double> expected,
                         const Tolerance& tolerance) {
    Comparison comparison = tunecheck::compare(actual, expected, tolerance);
    if (expected.size() == 1 && std::isnan(expected[0])) comparison.wrong = 1;
    return comparison;
  };
  EXPECT_THAT(trouble_with(functions), HasSubstr("a NaN for a NaN"));
}

TEST(SelfTest, sees_a_tolerance_that_is_too_wide) {
  JudgingFunctions functions;
  functions.compare = [](const TensorView& actual, std::span<const double> expected,
                         const Tolerance& tolerance) {
    return tunecheck::compare(actual, expected, {tolerance.relative * 1.1, tolerance.absolute});
  };
  EXPECT_THAT(trouble_with(functions), HasSubstr("just outside of the relative tolerance"));
}

TEST(SelfTest, sees_a_comparison_that_leaves_out_the_last_element) {
  JudgingFunctions functions;
  functions.compare = [](const TensorView& actual, std::span<const double> expected,
                         const Tolerance& tolerance) {
    std::vector<double> kinder(expected.begin(), expected.end());
    if (!kinder.empty()) kinder.back() = to_doubles(actual).back();
    return tunecheck::compare(actual, kinder, tolerance);
  };
  EXPECT_THAT(trouble_with(functions), HasSubstr("another value"));
}

TEST(SelfTest, sees_a_comparison_that_takes_unwritten_elements_for_wrong_ones) {
  JudgingFunctions functions;
  functions.compare = [](const TensorView& actual, std::span<const double> expected,
                         const Tolerance& tolerance) {
    Comparison comparison = tunecheck::compare(actual, expected, tolerance);
    comparison.unwritten = 0;
    return comparison;
  };
  EXPECT_THAT(trouble_with(functions), HasSubstr("never written"));
}

TEST(SelfTest, sees_a_digest_that_ignores_the_last_bytes) {
  JudgingFunctions functions;
  functions.digest_elements = [](const TensorView& view) {
    std::vector<std::byte> packed(static_cast<std::size_t>(view.layout.count()) *
                                  size_of(view.dtype));
    const TensorView copy{packed.data(), view.dtype, Layout::contiguous(view.layout.dimensions())};
    copy_elements(view, copy);
    if (!packed.empty()) packed.back() &= std::byte{0x7f};
    return tunecheck::digest_elements(copy);
  };
  EXPECT_THAT(trouble_with(functions), HasSubstr("the digest of"));
}

TEST(SelfTest, sees_a_comparison_that_is_wrong_only_where_everything_is_exact) {
  JudgingFunctions functions;
  functions.compare = [](const TensorView& actual, std::span<const double> expected,
                         const Tolerance& tolerance) {
    Comparison comparison = tunecheck::compare(actual, expected, tolerance);
    if (tolerance.relative == 0 && tolerance.absolute == 0) ++comparison.elements;
    return comparison;
  };
  EXPECT_THAT(trouble_with(functions), HasSubstr("what is right in"));
}

TEST(SelfTest, sees_a_digest_that_ignores_the_low_byte_of_wide_elements) {
  JudgingFunctions functions;
  functions.digest_elements = [](const TensorView& view) {
    const std::size_t size = size_of(view.dtype);
    std::vector<std::byte> packed(static_cast<std::size_t>(view.layout.count()) * size);
    const TensorView copy{packed.data(), view.dtype, Layout::contiguous(view.layout.dimensions())};
    copy_elements(view, copy);
    const std::string digest = tunecheck::digest_elements(copy);
    // The original must still get its own digest: only what changes in low bytes is lost.
    static std::map<std::vector<std::byte>, std::string> first_of;
    std::vector<std::byte> seen = packed;
    for (std::size_t at = 0; size > 1 && at < seen.size(); at += size)
      seen[at] = std::byte{0};
    seen.push_back(static_cast<std::byte>(view.dtype));
    seen.push_back(static_cast<std::byte>(view.layout.count()));
    return first_of.emplace(seen, digest).first->second;
  };
  EXPECT_THAT(trouble_with(functions), HasSubstr("with another byte"));
}

TEST(SelfTest, sees_a_digest_that_does_not_follow_the_strides) {
  JudgingFunctions functions;
  functions.digest_elements = [](TensorView view) {
    view.layout = Layout::contiguous(view.layout.dimensions());
    return tunecheck::digest_elements(view);
  };
  EXPECT_THAT(trouble_with(functions), HasSubstr("the digest of"));
}

TEST(SelfTest, sees_a_sha_256_that_ignores_the_last_byte) {
  JudgingFunctions functions;
  functions.artifact_digest = [](std::span<const std::byte> bytes) {
    return artifact_digest(bytes.first(std::max<std::size_t>(bytes.size(), 1) - 1));
  };
  EXPECT_THAT(trouble_with(functions), HasSubstr("the SHA-256 of 1 bytes"));
}

Layout with_swapped_strides(Layout layout) {
  std::reverse(layout.strides.begin(), layout.strides.begin() + layout.rank);
  return layout;
}

TEST(SelfTest, sees_strides_that_are_swapped) {
  JudgingFunctions functions;
  const auto offsets_of = functions.offsets_of;
  functions.offsets_of = [offsets_of](const Layout& layout) {
    return offsets_of(with_swapped_strides(layout));
  };
  EXPECT_THAT(trouble_with(functions), HasSubstr("the elements of a matrix"));
  functions = {};
  functions.contiguous = [](std::span<const std::int64_t> shape) {
    return with_swapped_strides(Layout::contiguous(shape));
  };
  EXPECT_THAT(trouble_with(functions), HasSubstr("a contiguous tensor"));
}

TEST(SelfTest, sees_an_extent_that_ends_too_soon) {
  JudgingFunctions functions;
  functions.extent_of = [](const Layout& layout) {
    Extent extent = tunecheck::extent_of(layout);
    if (extent.first < 0) extent.first = 0;
    return extent;
  };
  EXPECT_THAT(trouble_with(functions), HasSubstr("the extent of a reversed row"));
}

TEST(PlainJudgement, computes_the_sha_256_of_the_standard) {
  const std::string_view abc = "abc";
  EXPECT_EQ(plain::sha256(std::as_bytes(std::span(abc))),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(plain::sha256({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

}  // namespace
}  // namespace tunecheck::test
