#include "hip_device.hpp"

#include <cstdlib>

#include "backend/gpu/worker/lines.hpp"
#include "core/device_kinds.hpp"
#include "core/resources.hpp"
#include "device_calls.hpp"

namespace tunecheck::test {
namespace {

constexpr const char* runtime_variable = "TUNECHECK_HIP";
constexpr const char* compiler_variable = "TUNECHECK_HIPRTC";

// Before the first test of the program, which opens the runtime once and no other.
class ChooseDevice : public ::testing::Environment {
 public:
  void SetUp() override {
    if (std::getenv(runtime_variable) == nullptr && trouble_with_runtime("").value_or("dead") != "")
      ::setenv(runtime_variable, shim(6).c_str(), 1);
    if (is_on_shim()) ::setenv(compiler_variable, std::getenv(runtime_variable), 1);
  }
};

const bool is_chosen = [] {
  tested_backend() = DeviceKind::hip;
  return ::testing::AddGlobalTestEnvironment(new ChooseDevice) != nullptr;
}();

}  // namespace

std::filesystem::path shim(int version) {
  return program_folder() / fmt::format("libtunecheck-hip{}-on-cuda.so", version);
}

bool is_on_shim() {
  const char* const runtime = std::getenv(runtime_variable);
  return runtime != nullptr && (runtime == shim(5) || runtime == shim(6));
}

Result<std::string> trouble_with_runtime(const std::string& file) {
  CommandOptions options;
  options.arguments = {(program_folder() / "tunecheck-gpu-worker").string(), "hip", "0"};
  options.environment = current_environment();
  options.environment->erase(runtime_variable);
  if (!file.empty()) (*options.environment)[runtime_variable] = file;
  TUNECHECK_TRY(const TemporaryFolder folder, TemporaryFolder::create("tunecheck-test-hip"));
  TUNECHECK_TRY(LineProcess worker, LineProcess::start(options, folder.path() / "log"));
  const auto read = worker.read_line(std::chrono::minutes(1));
  worker.close_input();
  const ProcessEnd end = worker.wait(std::chrono::minutes(1));
  if (read.state != LineProcess::ReadState::line) return failure("{}", end.text());
  TUNECHECK_TRY(const gpu::WorkerAnswer answer, gpu::parse_worker_answer(read.line));
  return answer.trouble;
}

OwnHiprtc::OwnHiprtc() {
  if (is_on_shim()) ::unsetenv(compiler_variable);
}

OwnHiprtc::~OwnHiprtc() {
  if (is_on_shim()) ::setenv(compiler_variable, std::getenv(runtime_variable), 1);
}

}  // namespace tunecheck::test
