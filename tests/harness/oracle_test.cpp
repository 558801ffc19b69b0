#include "harness/kernel/oracle.hpp"

#include <fstream>

#include <gmock/gmock.h>

#include "toy_kernel.hpp"

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Kernels with references of the test's own, and one oracle.
class OracleCase : public testing::Test {
 protected:
  OracleCase()
      : folder(*TemporaryFolder::create("tunecheck-test-oracle")),
        oracle(folder.path() / "oracle") {}

  KernelDefinition kernel(const KernelText& text, const std::string& name = "toy") const {
    return write_kernel(folder.path() / name, text);
  }
  // The toy kernel with another reference.
  KernelDefinition kernel_with(const std::string& reference) const {
    KernelText text;
    text.reference = reference;
    return kernel(text);
  }
  static Oracle::Question question(const KernelDefinition& kernel, double x = 1) {
    return {&kernel, {{2}, {2}}, {{x, 10}, {100, 1000}}, {2}};
  }
  std::string trouble(const KernelDefinition& kernel) {
    const auto answer = oracle.ask(question(kernel));
    EXPECT_EQ(answer ? "" : answer.error().file, kernel.reference);
    return answer ? "none" : answer.error().message;
  }

  TemporaryFolder folder;
  Oracle oracle;
};

std::string reference_that(const std::string& body) {
  return "#include <cstdlib>\n#include <fstream>\n#include <tunecheck/reference.h>\n"
         "int toy(tunecheck::Tensor<double>, tunecheck::Tensor<double> y, double) {\n" +
         body + "\n  return 0;\n}\nTUNECHECK_REFERENCE(toy)\n";
}

TEST_F(OracleCase, answers_with_the_contents_after_one_launch) {
  const KernelDefinition toy = kernel(KernelText());
  const auto answer = oracle.ask(question(toy));
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_THAT(**answer, ElementsAre(ElementsAre(1, 10), ElementsAre(102, 1020)));
}

TEST_F(OracleCase, runs_a_reference_once_for_each_question) {
  const std::string log = (folder.path() / "log").string();
  const KernelDefinition toy = kernel_with(
      reference_that("std::ofstream(\"" + log + "\", std::ios::app) << 'x';\n  y(0) = 5;"));
  const auto runs = [&] { return read_text_file(log).value_or("").size(); };
  EXPECT_THAT(oracle.ask(question(toy)).value()->at(1), ElementsAre(5, 1000));
  EXPECT_THAT(oracle.ask(question(toy)).value()->at(1), ElementsAre(5, 1000));
  EXPECT_EQ(runs(), 1U);
  (void)oracle.ask(question(toy, 3));
  EXPECT_EQ(runs(), 2U);
  Oracle::Question other_scalar = question(toy);
  other_scalar.scalars = {3};
  (void)oracle.ask(other_scalar);
  EXPECT_EQ(runs(), 3U);
  Oracle::Question other_shape = question(toy);
  other_shape.shapes = {{2, 1}, {2}};
  (void)oracle.ask(other_shape);
  EXPECT_EQ(runs(), 4U);
}

TEST_F(OracleCase, another_text_is_another_reference) {
  KernelDefinition toy = kernel_with(reference_that("y(0) = 5;"));
  EXPECT_THAT(oracle.ask(question(toy)).value()->at(1), ElementsAre(5, 1000));
  toy = kernel_with(reference_that("y(0) = 6;"));
  EXPECT_THAT(oracle.ask(question(toy)).value()->at(1), ElementsAre(6, 1000));
}

TEST_F(OracleCase, headers_belong_to_the_folder_that_they_are_in) {
  KernelText text;
  text.reference = "#include \"step.h\"\n" + reference_that("y(0) = value;");
  text.header = "inline constexpr int value = 5;\n";
  const KernelDefinition five = kernel(text, "five");
  text.header = "inline constexpr int value = 6;\n";
  const KernelDefinition six = kernel(text, "six");
  EXPECT_EQ(oracle.ask(question(five)).value()->at(1).at(0), 5);
  EXPECT_EQ(oracle.ask(question(six)).value()->at(1).at(0), 6);
}

TEST_F(OracleCase, a_reference_that_does_not_compile_is_told_with_the_compilers_words) {
  const std::string text = trouble(kernel_with(reference_that("y(0) = ;")));
  EXPECT_THAT(text, HasSubstr("the reference does not compile: "));
  EXPECT_THAT(text, HasSubstr("reference.cpp:5"));
}

TEST_F(OracleCase, a_reference_that_crashes_is_told_with_the_signal) {
  EXPECT_THAT(trouble(kernel_with(reference_that("std::abort();"))),
              HasSubstr("the reference failed: signal 6"));
}

TEST_F(OracleCase, a_reference_that_returns_a_status_is_told_with_it) {
  EXPECT_EQ(trouble(kernel_with(reference_that("return 12;"))), "the reference failed: status 12");
}

TEST_F(OracleCase, a_reference_with_other_arguments_fails) {
  EXPECT_EQ(trouble(kernel_with("#include <tunecheck/reference.h>\n"
                                "void toy(tunecheck::Tensor<double>) {}\n"
                                "TUNECHECK_REFERENCE(toy)\n")),
            "the reference failed: status 1");
}

std::string reference_with(const std::string& statement) {
  return "#include <tunecheck/reference.h>\n"
         "void toy(tunecheck::Tensor<double> x, tunecheck::Tensor<double> y, double factor) {\n  " +
         statement + "\n  y(0) += factor * x(0);\n}\nTUNECHECK_REFERENCE(toy)\n";
}

TEST_F(OracleCase, a_reference_that_writes_outside_its_output_is_told_where) {
  EXPECT_EQ(trouble(kernel_with(reference_with("y.data()[2] = 0;"))),
            "the reference writes 1 elements past the end of \"y\", which has 2; expected only "
            "elements of the tensor");
  EXPECT_EQ(trouble(kernel_with(reference_with("y.data()[-3] = 0;"))),
            "the reference writes 3 elements before \"y\"; expected only elements of the tensor");
}

TEST_F(OracleCase, a_reference_that_writes_what_is_only_read_is_told_so) {
  EXPECT_THAT(trouble(kernel_with(reference_with("x(1) = 0;"))),
              HasSubstr("the reference writes \"x\" (element 1), which the kernel only reads"));
  const KernelDefinition harmless = kernel_with(reference_with("x(1) = x(1);"));
  EXPECT_TRUE(oracle.ask(question(harmless)));
}

TEST_F(OracleCase, a_reference_that_depends_on_the_config_is_told_so) {
  EXPECT_THAT(trouble(kernel_with(reference_with("y(0) = STEP;"))),
              HasSubstr("the reference uses STEP, a parameter of the config; expected the same "
                        "result for every config"));
  EXPECT_THAT(trouble(kernel_with(reference_with("y(0) = STEPS;"))),
              HasSubstr("the reference does not compile"));
}

TEST_F(OracleCase, a_failure_of_one_reference_is_none_of_another) {
  const KernelDefinition bad = kernel_with(reference_that("return 12;"));
  EXPECT_FALSE(oracle.ask(question(bad)));
  const KernelDefinition good = kernel(KernelText(), "good");
  EXPECT_TRUE(oracle.ask(question(good)));
}

TEST_F(OracleCase, tensors_without_elements_are_no_trouble) {
  const KernelDefinition toy = kernel(KernelText());
  const auto answer = oracle.ask({&toy, {{0}, {0}}, {{}, {}}, {2}});
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_THAT(**answer, ElementsAre(ElementsAre(), ElementsAre()));
}

}  // namespace
}  // namespace tunecheck::test
