// Compiled code in a process of its own, with the real toolchain.
#include "harness/kernel/isolated_run.hpp"

#include <gmock/gmock.h>

#include "backend/cpu/cpu_backend.hpp"
#include "toy_kernel.hpp"

namespace tunecheck::test {
namespace {

using namespace std::chrono_literals;
using testing::Each;
using testing::HasSubstr;
using testing::StartsWith;

// A reference over one tensor y of four ones and a factor, whose body is `body`.
class OneReference {
 public:
  explicit OneReference(const std::string& body)
      : m_folder(*TemporaryFolder::create("tunecheck-test-run")) {
    KernelText text;
    text.reference =
        "#include <cstdio>\n#include <cstdlib>\n#include <ctime>\n#include "
        "<tunecheck/reference.h>\n"
        "int toy(tunecheck::Tensor<double> y, double factor) {\n  " +
        body + "\n  return factor < 0;\n}\nTUNECHECK_REFERENCE(toy)\n";
    const KernelDefinition kernel = write_kernel(m_folder.path() / "toy", text);
    const Artifact artifact = compile_reference(*Toolchain::find(), kernel).value();
    run.module = m_folder.path() / "toy.so";
    run.reference = true;
    run.scalars = {{DType::f64, 2}};
    run.tensors = {
        {m_folder.path() / "y", 8, DType::f64, Layout::contiguous(std::vector<std::int64_t>{4})}};
    const std::vector<double> ones(6, 1.0);
    if (!write_file(run.module, artifact.bytes) ||
        !write_file(run.tensors[0].file, std::as_bytes(std::span(ones))))
      throw std::runtime_error("cannot write");
  }

  Result<IsolatedResult> start() const { return run_isolated(run, m_folder.path()); }
  std::string trouble() const {
    const auto result = start();
    return result ? "none" : result.error().text();
  }
  // The whole file: the tensor's four elements are 1 to 4.
  std::vector<double> numbers() const {
    const auto bytes = read_binary_file(run.tensors[0].file).value();
    std::vector<double> values(bytes.size() / sizeof(double));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  std::filesystem::path folder() const { return m_folder.path(); }

  IsolatedRun run;

 private:
  TemporaryFolder m_folder;
};

constexpr const char* multiply = "for (int i = 0; i < 4; ++i) y(i) *= factor;";

TEST(IsolatedRun, writes_the_tensors_elements_and_nothing_else) {
  const OneReference one(multiply);
  const auto result = one.start();
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result->status, 0);
  EXPECT_THAT(one.numbers(), testing::ElementsAre(1, 2, 2, 2, 2, 1));
}

TEST(IsolatedRun, launches_as_often_as_asked_and_zeroes_before_each) {
  OneReference one("for (int i = 0; i < 4; ++i) y(i) += factor;");
  one.run.launches = 3;
  ASSERT_TRUE(one.start());
  EXPECT_EQ(one.numbers().at(1), 7);
  one.run.zeroed = {0};
  ASSERT_TRUE(one.start());
  EXPECT_EQ(one.numbers().at(1), 2);
}

// Its result is what the first launch in the process left in a static.
constexpr const char* remember =
    "static double first = factor + y(0); for (int i = 0; i < 4; ++i) y(i) = first;";

TEST(IsolatedRun, an_earlier_launch_comes_before_it_in_the_same_process) {
  OneReference one(remember);
  one.run.zeroed = {0};
  ASSERT_TRUE(one.start());
  EXPECT_EQ(one.numbers().at(1), 2);
  RunTensor tensor = one.run.tensors[0];
  tensor.file = one.folder() / "earlier";
  const std::vector<double> ones(6, 1.0);
  ASSERT_TRUE(write_file(tensor.file, std::as_bytes(std::span(ones))));
  one.run.earlier = {{tensor}, {{DType::f64, 5}}};
  ASSERT_TRUE(one.start());
  EXPECT_EQ(one.numbers().at(1), 5);
}

TEST(IsolatedRun, whose_earlier_launch_returns_a_status_returns_that_status) {
  OneReference one(multiply);
  RunTensor tensor = one.run.tensors[0];
  tensor.file = one.folder() / "earlier";
  const std::vector<double> ones(6, 1.0);
  ASSERT_TRUE(write_file(tensor.file, std::as_bytes(std::span(ones))));
  one.run.earlier = {{tensor}, {{DType::f64, -1}}};
  EXPECT_EQ(one.start().value().status, 1);
  EXPECT_EQ(one.numbers().at(1), 1);
}

TEST(IsolatedRun, measures_on_the_initial_content) {
  OneReference one(multiply);
  one.run.measure = true;
  const auto result = one.start();
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result->status, 0);
  ASSERT_GE(result->samples_ns.size(), 5U);
  EXPECT_GT(quantile(result->samples_ns, 0.5), 0);
  EXPECT_EQ(one.numbers().at(1), 1);  // the file stays as it was
}

TEST(IsolatedRun, that_has_measured_for_long_enough_launches_as_often_as_a_median_needs) {
  OneReference one(multiply);
  one.run.measure = true;
  one.run.enough = std::chrono::milliseconds(0);
  const std::size_t least = one.start().value().samples_ns.size();
  EXPECT_EQ(least, 25U);
  one.run.enough = std::chrono::milliseconds(40);
  EXPECT_GT(one.start().value().samples_ns.size(), least);
}

TEST(IsolatedRun, that_is_slowed_says_how_long_it_took) {
  OneReference one(multiply);
  one.run.measure = true;
  const double as_it_is = quantile(one.start().value().samples_ns, 0);
  one.run.slowdown = 1000;
  EXPECT_GT(quantile(one.start().value().samples_ns, 0), 10 * as_it_is);
}

TEST(Quantile, is_a_sample) {
  EXPECT_EQ(quantile({5}, 0.5), 5);
  EXPECT_EQ(quantile({9, 1, 5}, 0.5), 5);
  EXPECT_EQ(quantile({9, 1, 5}, 0), 1);
  EXPECT_EQ(quantile({9, 1, 5}, 1), 9);
  EXPECT_EQ(quantile({10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110}, 0.1), 20);
}

TEST(IsolatedRun, returns_the_status) {
  OneReference one(multiply);
  one.run.scalars[0].value = -1;
  EXPECT_EQ(one.start().value().status, 1);
  one.run.measure = true;
  EXPECT_EQ(one.start().value().status, 1);
}

TEST(IsolatedRun, of_a_crash_tells_the_signal) {
  EXPECT_THAT(OneReference("std::abort();").trouble(), StartsWith("signal 6"));
}

TEST(IsolatedRun, of_code_that_exits_tells_its_status) {
  EXPECT_EQ(OneReference("std::fputs(\"gave up\\n\", stderr); std::exit(7);").trouble(),
            "exit status 7: gave up\n");
}

TEST(IsolatedRun, of_code_that_prints_without_end_tells_how_it_began) {
  const std::string trouble =
      OneReference(
          "for (int i = 0; i < 5000; ++i) std::fputs(\"gave up\\n\", stderr); std::exit(7);")
          .trouble();
  EXPECT_THAT(trouble, StartsWith("exit status 7: gave up\n"));
  EXPECT_LT(trouble.size(), 1000U);
}

TEST(IsolatedRun, that_hangs_is_killed_at_its_time_limit) {
  // Without the limit it would come back some day.
  OneReference one(
      "for (const std::time_t end = std::time(nullptr) + 20; std::time(nullptr) < end;) {}");
  one.run.time_limit = 1s;
  EXPECT_EQ(one.trouble(), "no end within the time limit");
}

TEST(IsolatedRun, of_code_that_prints_is_refused_with_what_it_printed) {
  EXPECT_THAT(OneReference("std::puts(\"debug\");").trouble(), StartsWith("printed \"debug\n"));
}

TEST(IsolatedRun, of_what_is_no_artifact_says_so) {
  const OneReference one(multiply);
  ASSERT_TRUE(write_file(one.run.module, std::string_view("no shared object")));
  EXPECT_THAT(one.trouble(), StartsWith("exit status 1: "));
  std::filesystem::remove(one.run.module);
  EXPECT_THAT(one.trouble(), HasSubstr("toy.so"));
}

TEST(IsolatedRun, of_a_reference_as_a_kernel_is_refused) {
  OneReference one(multiply);
  one.run.reference = false;
  EXPECT_THAT(one.trouble(), HasSubstr("tunecheck_entry"));
  EXPECT_THAT(one.numbers(), Each(1));
}

TEST(IsolatedRun, leaves_no_request_behind) {
  const OneReference one(multiply);
  ASSERT_TRUE(one.start());
  for (const auto& entry : std::filesystem::directory_iterator(one.folder()))
    EXPECT_NE(entry.path().extension(), ".json") << entry.path();
}

TEST(IsolatedRun, a_request_that_is_no_json_is_refused) {
  const auto read = parse_isolated_run("{");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("expected a run as JSON"));
}

TEST(IsolatedRun, survives_the_way_to_the_runner_and_back) {
  OneReference one(multiply);
  one.run.zeroed = {0};
  one.run.launches = 3;
  one.run.measure = true;
  one.run.enough = std::chrono::milliseconds(7);
  one.run.tight = true;
  one.run.as_trials = true;
  one.run.earlier = {one.run.tensors, {{DType::f32, 0.5}}};
  one.run.tensors[0].layout =
      Layout::strided(std::vector<std::int64_t>{2, 2}, std::vector<std::int64_t>{-3, 1});
  const auto read = parse_isolated_run(to_line(one.run));
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(to_line(*read), to_line(one.run));
  EXPECT_EQ(read->tensors[0].layout, one.run.tensors[0].layout);
  EXPECT_EQ(read->module, one.run.module);
  EXPECT_TRUE(read->tight);
  EXPECT_TRUE(read->as_trials);
  EXPECT_EQ(read->enough, one.run.enough);
  const auto result = parse_isolated_result(to_line(IsolatedResult{701, "status 701", {1, 2}}));
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result->status, 701);
  EXPECT_EQ(result->status_text, "status 701");
  EXPECT_THAT(result->samples_ns, testing::ElementsAre(1, 2));
  const auto trouble = parse_isolated_result(to_line(Result<IsolatedResult>(failure("no GPU"))));
  ASSERT_FALSE(trouble);
  EXPECT_EQ(trouble.error().message, "no GPU");
}

}  // namespace
}  // namespace tunecheck::test
