// Wrong results without compiling anything: tensors and the right contents are made here.
#include "proof/wrong_results.hpp"

#include <gmock/gmock.h>

#include "core/files.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;

// A kernel that turns {1, 1, 1, 1} in each of its tensors into what a test says is right.
class Case {
 public:
  Case(const std::vector<DType>& dtypes, Tolerance tolerance)
      : m_folder(*TemporaryFolder::create("tunecheck-test-wrong")) {
    kernel.tolerance.common = tolerance;
    for (const DType dtype : dtypes) {
      TensorParameter& tensor = kernel.tensors.emplace_back();
      tensor.name = fmt::format("t{}", kernel.tensors.size() - 1);
      tensor.access = Access::in_place;
      m_tensors.emplace_back(m_folder.path() / tensor.name, dtype,
                             Layout::contiguous(std::vector<std::int64_t>{4}), 0,
                             Fill{Fill::Kind::ones, 0, 0}, 1, tensor.name);
    }
  }

  std::vector<ProofResult::Rejection> reject(const TensorContents& right,
                                             const TensorContents& twice) const {
    return reject_wrong_results(kernel, m_tensors, right,
                                [&] { return Result<TensorContents>(twice); });
  }

  KernelDefinition kernel;

 private:
  TemporaryFolder m_folder;
  std::vector<TensorFile> m_tensors;
};

const ProofResult::Rejection& find(const std::vector<ProofResult::Rejection>& rejections,
                                   const std::string& name) {
  for (const ProofResult::Rejection& rejection : rejections)
    if (rejection.wrong_result == name) return rejection;
  throw std::out_of_range(name);
}

TEST(WrongResults, are_rejected_where_the_tolerance_is_tight) {
  const Case one({DType::f32}, {1e-6, 1e-6});
  for (const auto& rejection : one.reject({{2, 3, 4, 5}}, {{3, 5, 7, 9}}))
    EXPECT_TRUE(rejection.rejected) << rejection.wrong_result << ": " << rejection.text;
}

TEST(WrongResults, are_compared_in_the_tensors_own_dtype) {
  for (const DType dtype : all_dtypes) {
    const Case one({dtype}, {0, 0});
    for (const auto& rejection : one.reject({{2, 3, 4, 5}}, {{3, 5, 7, 9}}))
      EXPECT_TRUE(rejection.rejected) << name_of(dtype) << ' ' << rejection.wrong_result;
  }
}

TEST(WrongResults, must_be_rejected_in_every_written_tensor) {
  const Case two({DType::f32, DType::f32}, {1e-6, 1e-6});
  const auto rejections = two.reject({{2, 3, 4, 5}, {0, 0, 0, 0}}, {{3, 5, 7, 9}, {0, 0, 0, 0}});
  EXPECT_FALSE(find(rejections, "zeros").rejected);
  EXPECT_EQ(find(rejections, "zeros").text, "accepted as \"t1\"");
  EXPECT_TRUE(find(rejections, "the unchanged input").rejected);
  EXPECT_TRUE(find(rejections, "a twice-applied kernel").rejected);
}

TEST(WrongResults, that_are_right_by_chance_are_named) {
  const Case one({DType::f32}, {1e-6, 1e-6});
  const auto same = one.reject({{2, 3, 1, 1}}, {{2, 3, 1, 1}});
  EXPECT_FALSE(find(same, "a half-written output").rejected);
  EXPECT_FALSE(find(same, "a twice-applied kernel").rejected);
  EXPECT_EQ(
      find(same, "a twice-applied kernel").text,
      "accepted: a second launch changes nothing; if that is intended, say why in twice_is_once");
  const auto unchanged = one.reject({{1, 1, 1, 1}}, {{3, 5, 7, 9}});
  EXPECT_FALSE(find(unchanged, "the unchanged input").rejected);
  EXPECT_TRUE(find(unchanged, "zeros").rejected);
}

TEST(WrongResults, say_why_a_kernel_could_not_be_applied_twice) {
  const Case one({DType::f32}, {1e-6, 1e-6});
  const auto rejections = reject_wrong_results(
      one.kernel, {}, {}, [] { return Result<TensorContents>(failure("it crashed")); });
  EXPECT_FALSE(find(rejections, "a twice-applied kernel").rejected);
  EXPECT_EQ(find(rejections, "a twice-applied kernel").text, "it crashed");
}

TEST(WrongResults, one_element_off_by_ten_tolerances_is_far_enough_and_no_farther) {
  const Case one({DType::f64}, {0.01, 0.5});
  const auto rejections = one.reject({{2, 3, 4, 100}}, {{3, 5, 7, 9}});
  const auto off = find(rejections, "one element off by ten tolerances");
  EXPECT_TRUE(off.rejected);
  EXPECT_THAT(off.text, HasSubstr("1 of 4 elements wrong; first at [3]: expected 100, found 115"));
}

TEST(WrongResults, in_what_is_only_read_do_not_count) {
  Case one({DType::f32, DType::f32}, {1e-6, 1e-6});
  one.kernel.tensors[1].access = Access::read;
  const auto rejections = one.reject({{2, 3, 4, 5}, {0, 0, 0, 0}}, {{3, 5, 7, 9}, {0, 0, 0, 0}});
  for (const auto& rejection : rejections) {
    EXPECT_TRUE(rejection.rejected) << rejection.wrong_result;
    EXPECT_THAT(rejection.text, testing::Not(HasSubstr("t1")));
  }
  one.kernel.tensors[0].access = Access::read;
  for (const auto& rejection : one.reject({{2, 3, 4, 5}, {0, 0, 0, 0}}, {}))
    EXPECT_FALSE(rejection.rejected) << rejection.wrong_result;
}

}  // namespace
}  // namespace tunecheck::test
