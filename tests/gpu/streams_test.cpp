// Streams, captured graphs and contexts of the caller's own.
#include "device_calls.hpp"

namespace tunecheck {
namespace {

using gpu::Status;
using test::DeviceCall;
using test::own_kernel;

template <class Function>
Function* driver_function(const char* cuda, const char* hip) {
  return reinterpret_cast<Function*>(test::find_in_driver(cuda, hip));
}

class StreamsOnGpu : public test::OnGpu {
 protected:
  void SetUp() override {
    OnGpu::SetUp();
    if (IsSkipped()) return;
    constexpr unsigned non_blocking = 1;
    ASSERT_EQ(device().functions().stream_create(&m_stream, non_blocking), 0);
  }
  void TearDown() override {
    if (m_stream != nullptr) (void)device().functions().stream_destroy(m_stream);
  }

  void begin_capture() {
    constexpr int global = 0;
    const auto begin =
        driver_function<Status(Stream, int)>("cuStreamBeginCapture_v2", "hipStreamBeginCapture");
    ASSERT_EQ(begin(m_stream, global), 0);
  }
  // Launches what was captured so many times.
  void end_capture_and_replay(int times) {
    const auto end =
        driver_function<Status(Stream, void**)>("cuStreamEndCapture", "hipStreamEndCapture");
    const auto instantiate = driver_function<Status(void**, void*, unsigned long long)>(
        "cuGraphInstantiateWithFlags", "hipGraphInstantiateWithFlags");
    const auto launch = driver_function<Status(void*, Stream)>("cuGraphLaunch", "hipGraphLaunch");
    void* graph = nullptr;
    ASSERT_EQ(end(m_stream, &graph), 0);
    void* executable = nullptr;
    ASSERT_EQ(instantiate(&executable, graph, 0), 0);
    for (int i = 0; i < times; ++i)
      ASSERT_EQ(launch(executable, m_stream), 0);
    ASSERT_EQ(device().functions().stream_synchronize(m_stream), 0);
  }

  Stream m_stream = nullptr;
};

TEST_F(StreamsOnGpu, a_hit_is_captured_and_replayed) {
  DeviceCall call(backend(), own_kernel("axpy_inplace"), "smoke");
  Tuner tuner(backend(), options());
  auto bound = tuner.bind(call.request()).value();
  ASSERT_TRUE(bound.call(call.arguments(m_stream)));
  call.refill();
  begin_capture();
  const auto report = bound.call(call.arguments(m_stream));
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_EQ(report->status, 0);
  end_capture_and_replay(1);
  EXPECT_EQ(call.difference(), "");
}

TEST_F(StreamsOnGpu, an_accumulating_hit_zeroes_in_the_graph_too) {
  DeviceCall call(backend(), own_kernel("histogram_accumulate"), "smoke");
  Tuner tuner(backend(), options());
  auto bound = tuner.bind(call.request()).value();
  ASSERT_TRUE(bound.call(call.arguments(m_stream)));
  begin_capture();
  ASSERT_TRUE(bound.call(call.arguments(m_stream)));
  end_capture_and_replay(3);
  EXPECT_EQ(call.difference(), "");
}

TEST_F(StreamsOnGpu, a_winner_is_loaded_from_disk_while_a_graph_is_captured) {
  DeviceCall call(backend(), own_kernel("axpy_inplace"), "smoke");
  {
    Tuner tuner(backend(), options());
    ASSERT_TRUE(tuner.bind(call.request()).value().call(call.arguments(m_stream)));
  }
  call.refill();
  Tuner tuner(backend(), options());
  auto bound = tuner.bind(call.request()).value();
  begin_capture();
  const auto report = bound.call(call.arguments(m_stream));
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_EQ(report->cache, CacheUse::hit);
  end_capture_and_replay(1);
  EXPECT_EQ(call.difference(), "");
}

TEST_F(StreamsOnGpu, a_miss_is_refused_while_a_graph_is_captured_and_the_capture_goes_on) {
  DeviceCall known(backend(), own_kernel("axpy_inplace"), "smoke");
  DeviceCall unknown(backend(), own_kernel("rmsnorm"), "smoke");
  Tuner tuner(backend(), options());
  auto bound = tuner.bind(known.request()).value();
  auto missing = tuner.bind(unknown.request()).value();
  ASSERT_TRUE(bound.call(known.arguments(m_stream)));
  known.refill();
  begin_capture();
  const auto refused = missing.call(unknown.arguments(m_stream));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("while a graph is captured"), std::string::npos);
  ASSERT_TRUE(bound.call(known.arguments(m_stream)));
  end_capture_and_replay(1);
  EXPECT_EQ(known.difference(), "");
  EXPECT_TRUE(missing.call(unknown.arguments(m_stream)));
  EXPECT_EQ(unknown.difference(), "");
}

TEST_F(StreamsOnGpu, the_tensors_are_copied_after_the_work_that_is_queued_before_the_call) {
  // x is filled by something slow in the caller's stream; a snapshot that does not wait holds what
  // was there before.
  const KernelDefinition kernel = test::written_kernel(folder() / "kernel", "y(i) += x(i);", 4096);
  DeviceCall call(backend(), kernel, "smoke");
  const KernelDefinition producer = test::written_kernel(
      folder() / "producer",
      "const long long from = clock64(); while (clock64() - from < 400000000) {} y(i) = x(i);",
      4096);
  const auto artifact = backend().compile({&producer,
                                           {DType::f32, DType::f32},
                                           {{"config", 0}},
                                           backend().resolve_arch("").value(),
                                           {},
                                           {{"n", 4096}}});
  ASSERT_TRUE(artifact) << artifact.error().text();
  const auto slow = backend().load(*artifact).value();
  std::vector<TensorView> produced(call.arguments().tensors.begin(),
                                   call.arguments().tensors.end());
  const auto block = backend().memory().allocate(4096 * sizeof(float)).value();
  const TensorView source{block.data(), DType::f32, produced[0].layout};
  const std::vector<float> values(4096, 3);
  backend().memory().copy_from_host(
      {reinterpret_cast<std::byte*>(const_cast<float*>(values.data())), DType::f32, source.layout},
      source);
  const std::vector<double> before = call.values(1);
  Tuner tuner(backend(), options());
  auto bound = tuner.bind(call.request()).value();
  const std::vector<TensorView> from_source_to_x = {source, produced[0]};
  ASSERT_EQ(slow->launch({from_source_to_x, {}, m_stream, nullptr}), 0);
  const auto report = bound.call(call.arguments(m_stream));
  ASSERT_TRUE(report) << report.error().text();
  ASSERT_EQ(device().functions().stream_synchronize(m_stream), 0);
  const std::vector<double> after = call.values(1);
  for (std::size_t i = 0; i < after.size(); ++i)
    ASSERT_FLOAT_EQ(static_cast<float>(after[i]), static_cast<float>(before[i]) + 3) << i;
}

TEST_F(StreamsOnGpu, a_kernel_that_was_tuned_in_one_context_is_launched_in_another) {
  if (backend().kind() == DeviceKind::hip) GTEST_SKIP() << "a device has one context on HIP";
  DeviceCall call(backend(), own_kernel("axpy_inplace"), "smoke");
  Tuner tuner(backend(), options());
  auto bound = tuner.bind(call.request()).value();
  ASSERT_TRUE(bound.call(call.arguments()));
  void* own = nullptr;
  ASSERT_EQ(device().functions().current_context(&own), 0);
  void* other = nullptr;
  int ordinal = 0;
  ASSERT_EQ(device().functions().device_get(&ordinal, 0), 0);
  using Create = Status(void**, unsigned, int);
  ASSERT_EQ(driver_function<Create>("cuCtxCreate_v2", "")(&other, 0, ordinal), 0);
  {
    DeviceCall there(backend(), own_kernel("axpy_inplace"), "smoke");
    const auto report = bound.call(there.arguments());
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_EQ(report->cache, CacheUse::hit);
    EXPECT_EQ(report->status, 0);
    EXPECT_EQ(there.difference(), "");
  }
  ASSERT_EQ(device().functions().set_current(own), 0);
  call.refill();
  ASSERT_TRUE(bound.call(call.arguments()));
  EXPECT_EQ(call.difference(), "");
  (void)driver_function<Status(void*)>("cuCtxDestroy_v2", "")(other);
}

}  // namespace
}  // namespace tunecheck
