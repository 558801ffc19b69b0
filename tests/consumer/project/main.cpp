// Tunes one kernel with the installed reference tuner, as a program of somebody else's would:
// consumer KERNEL_FOLDER CACHE_FOLDER
#include <tunecheck/backend.hpp>
#include <tunecheck/kernel.hpp>
#include <tunecheck/result.hpp>
#include <tunecheck/tensor.hpp>
#include <tunecheck/tuner.hpp>

#include <array>
#include <cstdio>
#include <vector>

namespace {

using namespace tunecheck;

int fail(const Error& error) {
  std::fprintf(stderr, "%s\n", error.text().c_str());
  return 1;
}

// y = alpha * x + y, tuned on the first call.
class Axpy {
 public:
  explicit Axpy(TunedKernel kernel) : m_kernel(std::move(kernel)) {}

  Result<CallReport> operator()(std::span<float> x, std::span<float> y) {
    const std::array<std::int64_t, 1> shape = {static_cast<std::int64_t>(x.size())};
    const Layout layout = Layout::contiguous(shape);
    const std::array<NamedTensor, 2> tensors = {
        {{"x", {bytes(x), DType::f32, layout}}, {"y", {bytes(y), DType::f32, layout}}}};
    return m_kernel.call(tensors, {{"alpha", 2.0}});
  }

 private:
  static std::byte* bytes(std::span<float> values) {
    return reinterpret_cast<std::byte*>(values.data());
  }
  TunedKernel m_kernel;
};

// Calls the kernel, prints what the tuner did, and checks the result.
Result<void> call(Axpy& axpy, const char* what, std::size_t count) {
  std::vector<float> x(count, 3.0F);
  std::vector<float> y(count, 1.0F);
  TUNECHECK_TRY(const CallReport report, axpy(x, y));
  if (report.status != 0) return failure("the launch was refused with status {}", report.status);
  for (const float value : y)
    if (value != 7.0F) return failure("expected 7, found {}", value);
  std::printf("%s: %s, winner %s\n", what, std::string(name_of(report.cache)).c_str(),
              to_string(*report.winner).c_str());
  return {};
}

Result<void> run(const char* kernel_folder, const char* cache_folder) {
  TUNECHECK_TRY(const KernelDefinition kernel, read_kernel(kernel_folder));
  const TuneRequest request = TuneRequest::of(kernel, "smoke");
  const auto count = static_cast<std::size_t>(request.sizes.at("n"));
  const CpuBackend backend;
  TunerOptions options;
  options.cache_folder = cache_folder;
  {
    Tuner tuner(backend, options);
    TUNECHECK_TRY(TunedKernel bound, tuner.bind(request));
    Axpy axpy(std::move(bound));
    TUNECHECK_CHECK(call(axpy, "first call", count));
    TUNECHECK_CHECK(call(axpy, "second call", count));
  }
  Tuner tuner(backend, options);
  TUNECHECK_TRY(TunedKernel bound, tuner.bind(request));
  Axpy axpy(std::move(bound));
  return call(axpy, "a new tuner", count);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3)
    return fail(
        {tunecheck::ErrorKind::bad_input, "expected KERNEL_FOLDER CACHE_FOLDER", {}, 0, {}});
  const auto result = run(argv[1], argv[2]);
  return result ? 0 : fail(result.error());
}
