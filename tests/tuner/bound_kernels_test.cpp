// Which calls of the reference adapter are calls of one bound kernel.
#include "adapter/reference/bound_kernels.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

#include "probe_kernel.hpp"

namespace tunecheck::test {
namespace {

class BoundKernelsTest : public testing::Test {
 protected:
  BoundKernelsTest() {
    m_request.kernel_folder = folder.path();
    m_request.kernel = "probe";
    m_request.sizes = {{"n", ProbeTensors::size}};
    m_request.space = folder.request().space;
  }
  ~BoundKernelsTest() override { ::unsetenv("TUNECHECK_TEST_VARIABLE"); }

  std::shared_ptr<TunedKernel> bind(const protocol::CallRequest& request) {
    TuneRequest tune = folder.request();
    tune.sizes = request.sizes;
    auto bound = kernels.bind(m_tuner, backend, request, std::move(tune));
    EXPECT_TRUE(bound) << bound.error().text();
    return bound ? *bound : nullptr;
  }
  std::shared_ptr<TunedKernel> bind() { return bind(m_request); }

  ProbeFolder folder;
  FunctionBackend backend{run_probe};
  protocol::CallRequest m_request;

 private:
  TemporaryFolder m_cache = TemporaryFolder::create("tunecheck-bound").value();
  Tuner m_tuner{backend, quick_options(m_cache.path())};

 protected:
  BoundKernels kernels;
};

TEST_F(BoundKernelsTest, the_same_request_is_a_call_of_the_same_kernel) {
  EXPECT_EQ(bind(), bind());
}

TEST_F(BoundKernelsTest, tensors_and_scalars_do_not_matter) {
  const auto bound = bind();
  m_request.scalars = {{"alpha", 3}};
  m_request.tensors.emplace_back().name = "y";
  EXPECT_EQ(bind(), bound);
}

TEST_F(BoundKernelsTest, other_settings_are_another_kernel) {
  const auto bound = bind();
  const auto changed = [&](auto&& change) {
    protocol::CallRequest other = m_request;
    change(other);
    return bind(other);
  };
  EXPECT_NE(changed([](auto& request) { request.arch = "other"; }), bound);
  EXPECT_NE(changed([](auto& request) { request.compile_options = {"-O2"}; }), bound);
  EXPECT_NE(changed([](auto& request) { request.hook_zeroes = {"out"}; }), bound);
  EXPECT_NE(changed([](auto& request) { request.space.parameters.pop_back(); }), bound);
  EXPECT_NE(changed([](auto& request) { request.search.emplace().trials = 2; }), bound);
  EXPECT_EQ(bind(), bound);
}

TEST_F(BoundKernelsTest, what_bind_reads_is_read_anew) {
  auto before = bind();
  const auto is_another = [&] { return bind() != std::exchange(before, bind()); };
  EXPECT_FALSE(is_another());
  folder.write("cpu.cpp", "int another;\n");
  EXPECT_TRUE(is_another());
  folder.write("new.h", "int header;\n");
  EXPECT_TRUE(is_another());
  backend.toolchain = "toolchain 2";
  EXPECT_TRUE(is_another());
  backend.variables = {"TUNECHECK_TEST_VARIABLE"};
  EXPECT_TRUE(is_another());
  ::setenv("TUNECHECK_TEST_VARIABLE", "", 1);
  EXPECT_TRUE(is_another());
  ::setenv("TUNECHECK_TEST_VARIABLE", "1", 1);
  EXPECT_TRUE(is_another());
  EXPECT_FALSE(is_another());
}

TEST_F(BoundKernelsTest, of_many_the_oldest_goes_and_those_in_use_live_on) {
  const auto first = bind();
  const std::weak_ptr<TunedKernel> second = [&] {
    protocol::CallRequest other = m_request;
    other.arch = "second";
    return bind(other);
  }();
  EXPECT_FALSE(second.expired());
  for (int i = 0; i < 64; ++i) {
    protocol::CallRequest other = m_request;
    other.arch = std::to_string(i);
    bind(other);
  }
  EXPECT_TRUE(second.expired());
  EXPECT_NE(bind(), first);
  ProbeTensors tensors;
  const auto report = first->call(tensors.arguments());
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_TRUE(tensors.hold_one_launch());
}

TEST_F(BoundKernelsTest, a_kernel_that_cannot_be_bound_is_an_error_and_is_not_kept) {
  m_request.kernel_folder = folder.path() / "nothing";
  EXPECT_FALSE(kernels.bind(*std::make_unique<Tuner>(backend, TunerOptions{}), backend, m_request,
                            folder.request()));
}

}  // namespace
}  // namespace tunecheck::test
