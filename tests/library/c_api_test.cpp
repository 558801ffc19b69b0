// The C API keeps the promises of its header: statuses with texts, ownership, threads.
#include <tunecheck/tunecheck.h>

#include <array>
#include <chrono>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>

#include "core/files.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::int64_t count = 4096;
const std::string kernels = std::string(TUNECHECK_SOURCE_ROOT) + "/kernels/";

class CApi : public testing::Test {
 protected:
  tunecheck_options options() const {
    tunecheck_options options;
    EXPECT_EQ(tunecheck_options_init(&options, sizeof options), TUNECHECK_OK);
    options.cache_folder = m_folder.path().c_str();
    options.effort = "minimal";
    return options;
  }

  tunecheck_tuner* create(const tunecheck_options& options) const {
    tunecheck_tuner* tuner = nullptr;
    EXPECT_EQ(tunecheck_tuner_create(&options, &tuner), TUNECHECK_OK) << tunecheck_error_text();
    return tuner;
  }

  static tunecheck_kernel* bind(tunecheck_tuner* tuner) {
    const tunecheck_size size = {"n", count};
    tunecheck_kernel* kernel = nullptr;
    EXPECT_EQ(tunecheck_kernel_bind(tuner, (kernels + "axpy_inplace").c_str(), "smoke", &size, 1,
                                    &kernel),
              TUNECHECK_OK)
        << tunecheck_error_text();
    return kernel;
  }

  // y = 2 * 3 + 1
  static tunecheck_status call(tunecheck_kernel* kernel, std::vector<float>& y,
                               tunecheck_report* report = nullptr, const char* name = "y") {
    std::vector<float> x(count, 3);
    y.assign(count, 1);
    const std::array<tunecheck_named_tensor, 2> tensors = {
        {{name, y.data(), TUNECHECK_F32, 1, &count, nullptr},
         {"x", x.data(), TUNECHECK_F32, 1, &count, nullptr}}};
    const tunecheck_named_scalar alpha = {"alpha", 2};
    return tunecheck_kernel_call(kernel, tensors.data(), tensors.size(), &alpha, 1, nullptr,
                                 report);
  }

  static tunecheck_report empty_report() {
    tunecheck_report report{};
    report.struct_size = sizeof report;
    return report;
  }

  TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-test-library").value();
};

const std::vector<float> right(count, 7);

TEST_F(CApi, tunes_keeps_the_winner_and_finds_it_again) {
  std::vector<float> y;
  for (const tunecheck_cache_use expected : {TUNECHECK_CACHE_MISS, TUNECHECK_CACHE_HIT}) {
    tunecheck_tuner* const tuner = create(options());
    tunecheck_kernel* const kernel = bind(tuner);
    tunecheck_tuner_destroy(tuner);  // the kernel keeps what it needs
    tunecheck_report report = empty_report();
    ASSERT_EQ(call(kernel, y, &report), TUNECHECK_OK) << tunecheck_error_text();
    EXPECT_EQ(y, right);
    EXPECT_EQ(report.cache, expected);
    EXPECT_THAT(report.winner, HasSubstr("block="));
    EXPECT_EQ(report.compiles > 0, expected == TUNECHECK_CACHE_MISS);
    tunecheck_kernel_destroy(kernel);
  }
}

TEST_F(CApi, one_kernel_serves_several_threads) {
  tunecheck_tuner* const tuner = create(options());
  tunecheck_kernel* const kernel = bind(tuner);
  std::array<std::vector<float>, 4> results;
  std::array<tunecheck_status, 4> statuses{};
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < results.size(); ++i)
      threads.emplace_back([&, i] { statuses[i] = call(kernel, results[i]); });
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(statuses[i], TUNECHECK_OK);
    EXPECT_EQ(results[i], right);
  }
  tunecheck_kernel_destroy(kernel);
  tunecheck_tuner_destroy(tuner);
}

TEST_F(CApi, calls_that_do_not_wait_are_right_meanwhile_and_get_the_winner_later) {
  tunecheck_options impatient = options();
  impatient.never_wait = 1;
  tunecheck_tuner* const tuner = create(impatient);
  tunecheck_kernel* const kernel = bind(tuner);
  std::vector<float> y;
  tunecheck_report report = empty_report();
  ASSERT_EQ(call(kernel, y, &report), TUNECHECK_OK) << tunecheck_error_text();
  EXPECT_EQ(report.cache, TUNECHECK_CACHE_PENDING);
  EXPECT_EQ(report.given_meanwhile, 1);
  EXPECT_EQ(y, right);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (report.cache != TUNECHECK_CACHE_HIT && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ASSERT_EQ(call(kernel, y, &report), TUNECHECK_OK) << tunecheck_error_text();
    EXPECT_EQ(y, right);
  }
  EXPECT_EQ(report.cache, TUNECHECK_CACHE_HIT);
  tunecheck_kernel_destroy(kernel);
  tunecheck_tuner_destroy(tuner);
}

TEST_F(CApi, an_error_has_a_status_a_text_and_no_object) {
  tunecheck_tuner* tuner = reinterpret_cast<tunecheck_tuner*>(1);
  tunecheck_options wrong = options();
  wrong.effort = "huge";
  EXPECT_EQ(tunecheck_tuner_create(&wrong, &tuner), TUNECHECK_BAD_INPUT);
  EXPECT_EQ(tuner, nullptr);
  EXPECT_THAT(tunecheck_error_text(), HasSubstr("expected minimal, balanced, extensive or full"));
  wrong = options();
  wrong.device = "abacus";
  EXPECT_EQ(tunecheck_tuner_create(&wrong, &tuner), TUNECHECK_BAD_INPUT);
  EXPECT_THAT(tunecheck_error_text(), HasSubstr("abacus"));
  wrong = options();
  wrong.trials = -1;
  EXPECT_EQ(tunecheck_tuner_create(&wrong, &tuner), TUNECHECK_BAD_INPUT);
  EXPECT_THAT(tunecheck_error_text(), StartsWith("trials: "));
}

TEST_F(CApi, a_kernel_that_is_not_there_or_has_no_such_size_is_bad_input) {
  tunecheck_tuner* const tuner = create(options());
  tunecheck_kernel* kernel = nullptr;
  EXPECT_EQ(tunecheck_kernel_bind(tuner, (kernels + "none").c_str(), "smoke", nullptr, 0, &kernel),
            TUNECHECK_BAD_INPUT);
  EXPECT_EQ(kernel, nullptr);
  const std::array<tunecheck_size, 2> twice = {{{"n", 4}, {"n", 8}}};
  EXPECT_EQ(tunecheck_kernel_bind(tuner, (kernels + "axpy_inplace").c_str(), "smoke", twice.data(),
                                  twice.size(), &kernel),
            TUNECHECK_BAD_INPUT);
  EXPECT_THAT(tunecheck_error_text(), HasSubstr("\"n\" is given twice"));
  EXPECT_EQ(
      tunecheck_kernel_bind(tuner, (kernels + "axpy_inplace").c_str(), "huge", nullptr, 0, &kernel),
      TUNECHECK_BAD_INPUT);
  EXPECT_THAT(tunecheck_error_text(), HasSubstr("expected one of: "));
  tunecheck_tuner_destroy(tuner);
}

// A relative path would be one from wherever the program happens to be.
TEST_F(CApi, an_empty_folder_is_no_folder) {
  tunecheck_tuner* const tuner = create(options());
  tunecheck_kernel* kernel = nullptr;
  EXPECT_EQ(tunecheck_kernel_bind(tuner, "", "smoke", nullptr, 0, &kernel), TUNECHECK_BAD_INPUT);
  EXPECT_THAT(tunecheck_error_text(), HasSubstr("found an empty text"));
  EXPECT_EQ(kernel, nullptr);
  tunecheck_tuner_destroy(tuner);
}

TEST_F(CApi, a_wrong_call_leaves_the_tensors_alone) {
  tunecheck_tuner* const tuner = create(options());
  tunecheck_kernel* const kernel = bind(tuner);
  std::vector<float> y;
  EXPECT_EQ(call(kernel, y, nullptr, "z"), TUNECHECK_BAD_INPUT);
  EXPECT_THAT(tunecheck_error_text(), HasSubstr("no tensor \"z\""));
  EXPECT_EQ(y, std::vector<float>(count, 1));
  EXPECT_EQ(call(nullptr, y), TUNECHECK_BAD_INPUT);
  EXPECT_EQ(tunecheck_kernel_call(kernel, nullptr, 2, nullptr, 0, nullptr, nullptr),
            TUNECHECK_BAD_INPUT);
  EXPECT_THAT(tunecheck_error_text(), HasSubstr("expected 2 tensors where the pointer is null"));
  tunecheck_kernel_destroy(kernel);
  tunecheck_tuner_destroy(tuner);
}

TEST_F(CApi, a_tensor_that_no_kernel_could_read_is_refused) {
  tunecheck_tuner* const tuner = create(options());
  tunecheck_kernel* const kernel = bind(tuner);
  std::vector<float> x(count + 1), y(count);
  const auto refused = [&](float* data, const std::int64_t* strides) {
    const std::array<tunecheck_named_tensor, 2> tensors = {
        {{"y", y.data(), TUNECHECK_F32, 1, &count, nullptr},
         {"x", data, TUNECHECK_F32, 1, &count, strides}}};
    EXPECT_EQ(
        tunecheck_kernel_call(kernel, tensors.data(), tensors.size(), nullptr, 0, nullptr, nullptr),
        TUNECHECK_BAD_INPUT);
    return std::string(tunecheck_error_text());
  };
  EXPECT_EQ(refused(reinterpret_cast<float*>(reinterpret_cast<char*>(x.data()) + 2), nullptr),
            "tensor 2 (x): expected `data` at a multiple of the dtype's size");
  using Limits = std::numeric_limits<std::int64_t>;
  for (const std::int64_t stride : {Limits::max() / 4 / (count - 1) + 1, Limits::max(),
                                    Limits::min(), -(Limits::max() / count)})
    EXPECT_EQ(refused(x.data(), &stride),
              "tensor 2 (x): expected sizes and strides whose memory has addresses")
        << stride;
  tunecheck_kernel_destroy(kernel);
  tunecheck_tuner_destroy(tuner);
}

TEST_F(CApi, a_written_tensor_has_a_place_for_each_element_and_a_read_one_may_be_broadcast) {
  tunecheck_tuner* const tuner = create(options());
  tunecheck_kernel* const kernel = bind(tuner);
  std::vector<float> x(count, 3), y(count, 1);
  const std::int64_t one_place = 0, next_place = 1;
  const auto status = [&](const std::int64_t* of_y, const std::int64_t* of_x) {
    const std::array<tunecheck_named_tensor, 2> tensors = {
        {{"y", y.data(), TUNECHECK_F32, 1, &count, of_y},
         {"x", x.data(), TUNECHECK_F32, 1, &count, of_x}}};
    const tunecheck_named_scalar alpha = {"alpha", 2};
    return tunecheck_kernel_call(kernel, tensors.data(), 2, &alpha, 1, nullptr, nullptr);
  };
  EXPECT_EQ(status(&one_place, &next_place), TUNECHECK_BAD_INPUT);
  EXPECT_THAT(tunecheck_error_text(), HasSubstr("tensor y is written; expected strides"));
  EXPECT_EQ(y, std::vector<float>(count, 1));
  EXPECT_EQ(status(&next_place, &one_place), TUNECHECK_OK) << tunecheck_error_text();
  EXPECT_EQ(y, right);
  // Nor after a call like it whose winner is known.
  EXPECT_EQ(status(&one_place, &one_place), TUNECHECK_BAD_INPUT);
  tunecheck_kernel_destroy(kernel);
  tunecheck_tuner_destroy(tuner);
}

// All of these are one key, whose winner is known after the first call.
TEST_F(CApi, strides_of_a_known_winner_are_looked_at) {
  tunecheck_tuner* const tuner = create(options());
  const std::array<tunecheck_size, 2> sizes = {{{"rows", 8}, {"cols", 6}}};
  tunecheck_kernel* kernel = nullptr;
  ASSERT_EQ(tunecheck_kernel_bind(tuner, (kernels + "transpose_strided").c_str(), "smoke",
                                  sizes.data(), sizes.size(), &kernel),
            TUNECHECK_OK)
      << tunecheck_error_text();
  std::vector<float> in(48, 2), out(1000);
  const std::array<std::int64_t, 2> shape_in = {8, 6}, shape_out = {6, 8};
  const auto status = [&](std::array<std::int64_t, 2> strides) {
    const std::array<tunecheck_named_tensor, 2> tensors = {
        {{"in", in.data(), TUNECHECK_F32, 2, shape_in.data(), nullptr},
         {"out", out.data() + 500, TUNECHECK_F32, 2, shape_out.data(), strides.data()}}};
    return tunecheck_kernel_call(kernel, tensors.data(), 2, nullptr, 0, nullptr, nullptr);
  };
  EXPECT_EQ(status({20, 2}), TUNECHECK_OK) << tunecheck_error_text();
  EXPECT_EQ(status({30, 3}), TUNECHECK_OK) << tunecheck_error_text();
  EXPECT_EQ(status({-30, -3}), TUNECHECK_OK) << tunecheck_error_text();
  EXPECT_EQ(status({3, 18}), TUNECHECK_OK) << tunecheck_error_text();
  EXPECT_EQ(status({13, 2}), TUNECHECK_OK) << "they cross, and meet nowhere";
  EXPECT_EQ(status({3, 2}), TUNECHECK_BAD_INPUT);
  EXPECT_EQ(status({-3, 2}), TUNECHECK_BAD_INPUT);
  EXPECT_EQ(status({8, 7}), TUNECHECK_OK) << "likewise";
  tunecheck_kernel_destroy(kernel);
  tunecheck_tuner_destroy(tuner);
}

TEST_F(CApi, a_cpu_has_no_stream) {
  tunecheck_tuner* const tuner = create(options());
  tunecheck_kernel* const kernel = bind(tuner);
  int no_stream = 0;
  EXPECT_EQ(tunecheck_kernel_call(kernel, nullptr, 0, nullptr, 0, &no_stream, nullptr),
            TUNECHECK_BAD_INPUT);
  EXPECT_THAT(tunecheck_error_text(), HasSubstr("expected NULL for the stream"));
  tunecheck_kernel_destroy(kernel);
  tunecheck_tuner_destroy(tuner);
}

TEST_F(CApi, a_tensor_without_elements_needs_no_memory) {
  tunecheck_tuner* const tuner = create(options());
  const tunecheck_size size = {"n", 0};
  tunecheck_kernel* kernel = nullptr;
  ASSERT_EQ(
      tunecheck_kernel_bind(tuner, (kernels + "axpy_inplace").c_str(), "smoke", &size, 1, &kernel),
      TUNECHECK_OK);
  const std::array<tunecheck_named_tensor, 2> tensors = {
      {{"y", nullptr, TUNECHECK_F32, 1, &size.value, nullptr},
       {"x", nullptr, TUNECHECK_F32, 1, &size.value, nullptr}}};
  EXPECT_EQ(tunecheck_kernel_call(kernel, tensors.data(), 2, nullptr, 0, nullptr, nullptr),
            TUNECHECK_OK)
      << tunecheck_error_text();
  tunecheck_kernel_destroy(kernel);
  tunecheck_tuner_destroy(tuner);
}

TEST_F(CApi, a_value_that_a_scalars_dtype_does_not_have_is_refused) {
  tunecheck_tuner* const tuner = create(options());
  tunecheck_kernel* kernel = nullptr;
  ASSERT_EQ(tunecheck_kernel_bind(tuner, (kernels + "dft").c_str(), "smoke", nullptr, 0, &kernel),
            TUNECHECK_OK);
  std::vector<double> x(512, 1), y(512);
  const std::array<std::int64_t, 3> shape = {1, 256, 2};
  const std::array<tunecheck_named_tensor, 2> tensors = {
      {{"x", x.data(), TUNECHECK_F64, 3, shape.data(), nullptr},
       {"y", y.data(), TUNECHECK_F64, 3, shape.data(), nullptr}}};
  for (const double value : {0.5, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
    const tunecheck_named_scalar sign = {"sign", value};
    EXPECT_EQ(tunecheck_kernel_call(kernel, tensors.data(), 2, &sign, 1, nullptr, nullptr),
              TUNECHECK_BAD_INPUT);
    EXPECT_THAT(tunecheck_error_text(), StartsWith("scalar \"sign\" is "));
  }
  const tunecheck_named_scalar sign = {"sign", 1};
  EXPECT_EQ(tunecheck_kernel_call(kernel, tensors.data(), 2, &sign, 1, nullptr, nullptr),
            TUNECHECK_OK)
      << tunecheck_error_text();
  tunecheck_kernel_destroy(kernel);
  tunecheck_tuner_destroy(tuner);
}

TEST_F(CApi, texts_are_utf_8) {
  tunecheck_tuner* const tuner = create(options());
  tunecheck_kernel* kernel = nullptr;
  EXPECT_EQ(tunecheck_kernel_bind(tuner, "/no\xff\nwhere", "smoke", nullptr, 0, &kernel),
            TUNECHECK_BAD_INPUT);
  EXPECT_THAT(tunecheck_error_text(), HasSubstr("/no\xef\xbf\xbd\nwhere"));
  tunecheck_tuner_destroy(tuner);
}

TEST_F(CApi, the_text_of_an_error_is_the_threads_own) {
  EXPECT_EQ(tunecheck_tuner_create(nullptr, nullptr), TUNECHECK_BAD_INPUT);
  std::string other = "unset";
  std::jthread([&] { other = tunecheck_error_text(); }).join();
  EXPECT_EQ(other, "");
  EXPECT_THAT(tunecheck_error_text(), HasSubstr("a place for the tuner"));
}

TEST_F(CApi, an_older_program_has_shorter_structures) {
  tunecheck_options older = options();
  older.struct_size = offsetof(tunecheck_options, trials);
  older.trials = -1;  // what lies behind is none of the library's business
  tunecheck_tuner* const tuner = create(older);
  tunecheck_kernel* const kernel = bind(tuner);
  tunecheck_report report = empty_report();
  report.struct_size = offsetof(tunecheck_report, winner);
  std::vector<float> y;
  ASSERT_EQ(call(kernel, y, &report), TUNECHECK_OK) << tunecheck_error_text();
  EXPECT_EQ(report.winner, nullptr);
  report.struct_size = 3;
  EXPECT_EQ(call(kernel, y, &report), TUNECHECK_BAD_INPUT);
  tunecheck_kernel_destroy(kernel);
  tunecheck_tuner_destroy(tuner);
}

TEST_F(CApi, nothing_may_be_destroyed) {
  tunecheck_tuner_destroy(nullptr);
  tunecheck_kernel_destroy(nullptr);
  EXPECT_EQ(tunecheck_abi_version(), TUNECHECK_ABI_VERSION);
  EXPECT_THAT(tunecheck_version(), testing::MatchesRegex("[0-9]+.[0-9]+.[0-9]+"));
}

}  // namespace
}  // namespace tunecheck::test
