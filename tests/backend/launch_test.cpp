#include <array>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>

#include "backend/cpu/cpu_module.hpp"
#include "kernel_folder.hpp"

namespace tunecheck {
namespace {

using testing::Each;
using testing::ElementsAre;

TensorView view_of(std::vector<float>& values, const Layout& layout, std::size_t first = 0) {
  return {reinterpret_cast<std::byte*>(values.data() + first), DType::f32, layout};
}

Layout row(std::int64_t count, std::int64_t stride = 1) {
  const std::array shape{count}, strides{stride};
  return Layout::strided(shape, strides);
}

// The module of a kernel with this source, compiled and loaded.
std::unique_ptr<Module> module_of(const std::string& source) {
  auto files = axpy_files();
  files["cpu.cpp"] = "#include <tunecheck/cpu_kernel.h>\nusing tunecheck::Tensor;\n" + source;
  const KernelFolder folder(files);
  const KernelDefinition kernel = folder.read();
  const CpuBackend backend;
  return value_of(backend.load(value_of(backend.compile(request_for(kernel)))));
}

std::unique_ptr<Module> axpy() {
  const KernelFolder folder(axpy_files());
  const KernelDefinition kernel = folder.read();
  return value_of(CpuBackend().load(value_of(CpuBackend().compile(request_for(kernel)))));
}

TEST(Launch, a_kernel_computes_on_the_callers_memory) {
  std::vector<float> x = {1, 2, 3, 4, 5}, y = {10, 20, 30, 40, 50};
  const TensorView tensors[] = {view_of(x, row(5)), view_of(y, row(5))};
  const Scalar scalars[] = {{DType::f32, 0.5}};
  const auto module = axpy();
  EXPECT_EQ(module->launch({tensors, scalars}), 0);
  EXPECT_THAT(y, ElementsAre(10.5, 21, 31.5, 42, 52.5));
  EXPECT_EQ(module->launch({tensors, scalars}), 0);
  EXPECT_THAT(y, ElementsAre(11, 22, 33, 44, 55));
  EXPECT_THAT(x, ElementsAre(1, 2, 3, 4, 5));
}

TEST(Launch, strides_are_followed_and_what_lies_between_is_untouched) {
  std::vector<float> x = {1, 2, 3}, y = {0, -1, 0, -1, 0, -1};
  const TensorView tensors[] = {view_of(x, row(3, -1), 2), view_of(y, row(3, 2))};
  const Scalar scalars[] = {{DType::f32, 1}};
  EXPECT_EQ(axpy()->launch({tensors, scalars}), 0);
  EXPECT_THAT(y, ElementsAre(3, -1, 2, -1, 1, -1));
}

TEST(Launch, sizes_strides_rank_and_broadcasts_arrive_for_every_dimension) {
  std::vector<float> x(1), y(24);
  std::iota(y.begin(), y.end(), 0.0F);
  x[0] = 100;
  const std::array<std::int64_t, 3> shape{2, 3, 4}, strides{1, 8, 2}, none{0, 0, 0};
  const TensorView tensors[] = {view_of(x, Layout::strided(shape, none)),
                                view_of(y, Layout::strided(shape, strides))};
  const auto module = module_of(R"(
int add(Tensor<float> x, Tensor<float> y) {
  if (y.rank() != 3 || y.size(0) != 2 || y.size(1) != 3 || y.size(2) != 4) return 9;
  if (x.stride(0) != 0 || y.stride(0) != 1 || y.stride(1) != 8 || y.stride(2) != 2) return 8;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) y(i, j, k) += x(i, j, k);
  return 0;
}
TUNECHECK_KERNEL(add))");
  EXPECT_EQ(module->launch({tensors, {}}), 0);
  for (std::size_t i = 0; i < y.size(); ++i)
    EXPECT_EQ(y[i], static_cast<float>(i) + 100);
}

TEST(Launch, scalars_arrive_in_the_type_of_the_kernels_parameter) {
  std::vector<double> seen(4);
  const TensorView tensors[] = {{reinterpret_cast<std::byte*>(seen.data()), DType::f64, row(4)}};
  const auto module = module_of(R"(
void show(float a, Tensor<double> seen, double b, int c, long d) {
  seen(0) = a; seen(1) = b; seen(2) = c; seen(3) = static_cast<double>(d);
}
TUNECHECK_KERNEL(show))");
  const Scalar scalars[] = {
      {DType::f32, 0.1}, {DType::f64, 0.1}, {DType::i32, -7}, {DType::i64, 9007199254740992.0}};
  EXPECT_EQ(module->launch({tensors, scalars}), 0);
  EXPECT_THAT(seen, ElementsAre(static_cast<double>(0.1F), 0.1, -7, 9007199254740992.0));
}

TEST(Launch, a_scalar_is_converted_to_its_dtype_first) {
  std::vector<double> seen(6);
  const TensorView tensors[] = {{reinterpret_cast<std::byte*>(seen.data()), DType::f64, row(6)}};
  const auto module = module_of(R"(
void show(Tensor<double> seen, double a, double b, double c, long d, long e, int f) {
  seen(0) = a; seen(1) = b; seen(2) = c;
  seen(3) = static_cast<double>(d); seen(4) = static_cast<double>(e); seen(5) = f;
}
TUNECHECK_KERNEL(show))");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Scalar scalars[] = {{DType::f32, 0.1},  {DType::bf16, 1.001}, {DType::i32, -2.9},
                            {DType::i64, 1e30}, {DType::f64, nan},    {DType::i32, 1e10}};
  EXPECT_EQ(module->launch({tensors, scalars}), 0);
  EXPECT_THAT(seen,
              ElementsAre(static_cast<double>(0.1F), 1, -2, 9223372036854775808.0, 0, 2147483647));
}

TEST(Launch, the_kernels_status_comes_back) {
  const auto module =
      module_of("int refuse(int status) { return status; }\nTUNECHECK_KERNEL(refuse)");
  const Scalar scalars[] = {{DType::i32, 701}};
  EXPECT_EQ(module->launch({{}, scalars}), 701);
  EXPECT_EQ(module->timed_launch({{}, scalars}).status, 701);
}

TEST(Launch, a_wrong_number_of_arguments_is_status_1_and_nothing_runs) {
  std::vector<float> x = {1, 2}, y = {3, 4};
  const TensorView tensors[] = {view_of(x, row(2)), view_of(y, row(2)), view_of(y, row(2))};
  const Scalar scalars[] = {{DType::f32, 1}, {DType::f32, 1}};
  const auto module = axpy();
  EXPECT_EQ(module->launch({std::span(tensors).first(1), std::span(scalars).first(1)}), 1);
  EXPECT_EQ(module->launch({std::span(tensors).first(3), std::span(scalars).first(1)}), 1);
  EXPECT_EQ(module->launch({std::span(tensors).first(2), {}}), 1);
  EXPECT_EQ(module->launch({std::span(tensors).first(2), scalars}), 1);
  EXPECT_THAT(y, ElementsAre(3, 4));
}

TEST(Launch, more_arguments_than_usual_are_passed_too) {
  constexpr std::size_t many = 40;
  std::string parameters, sum;
  for (std::size_t i = 0; i < many; ++i) {
    parameters += ", Tensor<float> t" + std::to_string(i) + ", float s" + std::to_string(i);
    sum += " + t" + std::to_string(i) + "(0) * s" + std::to_string(i);
  }
  const auto module = module_of("void add(Tensor<float> y" + parameters + ") { y(0) = 0" + sum +
                                "; }\nTUNECHECK_KERNEL(add)");
  std::vector<float> values(many + 1, 1);
  std::vector<TensorView> tensors;
  std::vector<Scalar> scalars;
  float expected = 0;
  for (std::size_t i = 0; i <= many; ++i)
    tensors.push_back(view_of(values, row(1), i));
  for (std::size_t i = 0; i < many; ++i) {
    values[i + 1] = static_cast<float>(i);
    scalars.push_back({DType::f32, static_cast<double>(i % 3)});
    expected += static_cast<float>(i) * static_cast<float>(i % 3);
  }
  EXPECT_EQ(module->launch({tensors, scalars}), 0);
  EXPECT_EQ(values[0], expected);
}

TEST(Launch, a_timed_launch_times_the_kernel) {
  const auto module = module_of(R"(#include <time.h>
void wait(int milliseconds) {
  const timespec time{0, milliseconds * 1000000L};
  nanosleep(&time, nullptr);
}
TUNECHECK_KERNEL(wait))");
  const Scalar scalars[] = {{DType::i32, 20}};
  const TimedLaunch timed = module->timed_launch({{}, scalars});
  EXPECT_EQ(timed.status, 0);
  EXPECT_GE(timed.elapsed_ns, 20'000'000);  // nanosleep never returns early
}

TEST(Launch, the_reference_computes_in_double) {
  const KernelFolder folder(axpy_files());
  const auto reference = value_of(
      load_reference(value_of(compile_reference(value_of(Toolchain::find()), folder.read()))));
  std::vector<double> x = {1, 2}, y = {0.1, 0.2};
  const TensorView tensors[] = {{reinterpret_cast<std::byte*>(x.data()), DType::f64, row(2)},
                                {reinterpret_cast<std::byte*>(y.data()), DType::f64, row(2)}};
  const Scalar scalars[] = {{DType::f64, 1e-12}};
  EXPECT_EQ(reference->launch({tensors, scalars}), 0);
  EXPECT_THAT(y, ElementsAre(0.1 + 1e-12, 0.2 + 2e-12));
}

}  // namespace
}  // namespace tunecheck
