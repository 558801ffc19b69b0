// What a driver does with a launch whose thread has no context, or another one than the function's:
// whether the tuner may launch first and ask for the context only if that is refused.
#include <cstdint>
#include <cstdio>
#include <thread>

#include "device_calls.hpp"

namespace tunecheck {
namespace {

using gpu::Address;
using gpu::Context;
using gpu::Status;

// Adds 1 to the number behind the address.
constexpr const char* add_one = R"ptx(
.version 7.0
.target sm_75
.address_size 64
.visible .entry add_one(.param .u64 where)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [where];
  cvta.to.global.u64 %rd2, %rd1;
  atom.global.add.u32 %r1, [%rd2], 1;
  ret;
}
)ptx";

template <class Value>
Value handle(std::uintptr_t number) {
  return reinterpret_cast<Value>(number);
}

// Two contexts of one device. The function, the number that it adds to and `own_stream` are of the
// first, `other_stream` is of the second.
class LaunchContexts : public test::OnGpu {
 protected:
  void SetUp() override {
    OnGpu::SetUp();
    if (IsSkipped()) return;
    if (backend().kind() == DeviceKind::hip) GTEST_SKIP() << "a device has one context on HIP";
    const auto& f = device().functions();
    own = device().primary();
    ASSERT_EQ(f.set_current(own), 0);
    ASSERT_EQ(f.module_load(&module, add_one), 0);
    ASSERT_EQ(f.module_function(&function, module, "add_one"), 0);
    ASSERT_EQ(f.allocate(&number, 256), 0);
    ASSERT_EQ(f.stream_create(&own_stream, 1), 0);
    // Lazily loaded code is loaded by its first launch.
    ASSERT_EQ(launch(own_stream), 0);
    ASSERT_NE(f.context_create, nullptr);
    ASSERT_EQ(f.context_create(&other, 0, device().number()), 0);
    ASSERT_EQ(f.stream_create(&other_stream, 1), 0);
    ASSERT_EQ(f.set_current(own), 0);
  }
  void TearDown() override {
    if (other == nullptr) return;
    const auto& f = device().functions();
    const auto destroy =
        reinterpret_cast<Status (*)(Context)>(test::find_in_driver("cuCtxDestroy_v2", ""));
    if (destroy != nullptr) (void)destroy(other);
    (void)f.set_current(own);
    (void)f.stream_destroy(own_stream);
    (void)f.release(number);
    (void)f.module_unload(module);
  }

  Status launch(Stream stream) {
    void* parameters[] = {&number};
    return device().functions().launch(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr);
  }
  // After all work of both contexts.
  unsigned value() {
    const auto& f = device().functions();
    unsigned there = 0;
    EXPECT_EQ(f.set_current(other), 0);
    EXPECT_EQ(f.synchronize(), 0);
    EXPECT_EQ(f.set_current(own), 0);
    EXPECT_EQ(f.synchronize(), 0);
    EXPECT_EQ(f.copy_out(&there, number, sizeof there), 0);
    return there;
  }

  struct Seen {
    Status status = 0;
    bool ran = false;
    bool context_stays = false;
  };
  Seen see(Context current, Stream stream) {
    const auto& f = device().functions();
    const unsigned before = value();
    EXPECT_EQ(f.set_current(current), 0);
    Seen seen;
    seen.status = launch(stream);
    Context after = nullptr;
    (void)f.current_context(&after);
    seen.context_stays = after == current;
    seen.ran = value() == before + 1;
    return seen;
  }

  Context own = nullptr;
  Context other = nullptr;
  gpu::ModuleHandle module = nullptr;
  gpu::Function function = nullptr;
  Address number = 0;
  Stream own_stream = nullptr;
  Stream other_stream = nullptr;
};

TEST_F(LaunchContexts, a_launch_runs_in_the_functions_context_or_is_refused_and_does_nothing) {
  const struct {
    const char* name;
    Context context;
  } contexts[] = {{"the function's", own}, {"none", nullptr}, {"another", other}};
  // cuda.h: CU_STREAM_LEGACY and CU_STREAM_PER_THREAD.
  const struct {
    const char* name;
    Stream stream;
    bool is_of_a_context;
  } streams[] = {{"null", nullptr, false},
                 {"legacy default", handle<Stream>(1), false},
                 {"per-thread default", handle<Stream>(2), false},
                 {"the function's context's", own_stream, true},
                 {"another context's", other_stream, true}};
  std::vector<std::string> reasons;
  std::printf(
      "| current context | stream | status | ran | context stays |\n|---|---|---|---|---|\n");
  for (const auto& [context_name, context] : contexts)
    for (const auto& [stream_name, stream, is_of_a_context] : streams) {
      const Seen seen = see(context, stream);
      std::printf("| %s | %s | %s | %s | %s |\n", context_name, stream_name,
                  device().driver().describe(seen.status).c_str(), seen.ran ? "yes" : "no",
                  seen.context_stays ? "yes" : "no");
      const std::string where = fmt::format("context {}, stream {}", context_name, stream_name);
      EXPECT_EQ(seen.ran, seen.status == 0) << where;
      // Without a context, a launch on the null stream makes the primary one current.
      EXPECT_TRUE(seen.context_stays || (context == nullptr && stream == nullptr)) << where;
      if (context == own && stream != other_stream) {
        EXPECT_EQ(seen.status, 0) << where;
      }
      // Only these are asked about again.
      constexpr Status invalid_context = 201;
      constexpr Status invalid_handle = 400;
      constexpr Status context_is_destroyed = 709;
      const bool is_known = seen.status == 0 || seen.status == invalid_context ||
                            seen.status == invalid_handle || seen.status == context_is_destroyed;
      if (!is_known) reasons.push_back(where + ": another status");
      // A default stream is that of the current context: work in the function's one would not be in
      // the caller's order.
      if (context == other && !is_of_a_context && seen.status == 0)
        reasons.push_back(where + ": launched out of the caller's order");
      if (stream == other_stream && seen.status == 0)
        reasons.push_back(where + ": launched in a stream of another context");
    }
  std::printf("A launch may be tried before the context is asked for: %s\n",
              reasons.empty() ? "yes" : "no");
  for (const std::string& reason : reasons)
    std::printf("  %s\n", reason.c_str());
  // What was refused has spoilt nothing.
  EXPECT_EQ(see(own, own_stream).status, 0);
}

TEST_F(LaunchContexts, a_launch_of_a_thread_that_never_had_a_context_is_no_different) {
  Seen inside;
  std::thread([&] { inside = see(nullptr, own_stream); }).join();
  const Seen here = see(nullptr, own_stream);
  EXPECT_EQ(inside.status, here.status);
  EXPECT_EQ(inside.ran, here.ran);
}

}  // namespace
}  // namespace tunecheck
