// HIPRTC on top of NVRTC: code for the shim's arch is code for the CUDA device that there is, in a
// code object as AMD's compilers make them.
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "backend/gpu/runtime_compiler.hpp"
#include "code_object.hpp"
#include "core/device_kinds.hpp"
#include "cuda.hpp"
#include "observe/gpu/image.hpp"

namespace tunecheck::shim {

struct Program {
  std::string source;
  std::string name;
  std::string code;
  std::string log;
};

namespace {

constexpr int success = 0;
constexpr int invalid_program = 4;
constexpr int compilation_failed = 6;

const Result<std::unique_ptr<RuntimeCompiler>>& nvrtc() {
  static const auto& opened =
      *new Result<std::unique_ptr<RuntimeCompiler>>(open_runtime_compiler(DeviceKind::cuda));
  return opened;
}

// The option that names the arch becomes the device's; one that this device is not is refused.
Result<std::string> compile(const Program& program, int count, const char* const* options) {
  if (!nvrtc()) return failure("error: {}", nvrtc().error().text());
  const std::string device = cuda_arch();
  if (device.empty()) return failure("error: there is no CUDA device");
  constexpr std::string_view arch_option = "--offload-arch=";
  std::string arch;
  std::vector<std::string> others;
  for (int i = 0; i < count; ++i) {
    const std::string option = options[i];
    if (option.starts_with(arch_option))
      arch = option.substr(arch_option.size());
    else
      others.push_back(option);
  }
  const std::string_view own = arch;
  if (arch != own && arch != own.substr(0, own.find(':')))
    return failure("error: unknown target \"{}\"", arch);
  TUNECHECK_TRY(const Artifact cubin,
                (*nvrtc())->compile(program.source, program.name, device, others));
  const std::string_view bytes(reinterpret_cast<const char*>(cubin.bytes.data()),
                               cubin.bytes.size());
  return make_code_object(kernels_in_cubin(bytes),
                          gpu::config_in(gpu::examine_image(cubin.bytes.data())), bytes);
}

}  // namespace
}  // namespace tunecheck::shim

using namespace tunecheck::shim;

extern "C" {

int hiprtcVersion(int* major, int* minor) {
  *major = 9;
  *minor = 0;
  return success;
}
int hiprtcCreateProgram(Program** program, const char* source, const char* name, int /*headers*/,
                        const char* const* /*texts*/, const char* const* /*names*/) {
  *program = new Program{source, name, {}, {}};
  return success;
}
int hiprtcDestroyProgram(Program** program) {
  delete *program;
  *program = nullptr;
  return success;
}
int hiprtcCompileProgram(Program* program, int count, const char* const* options) {
  auto code = compile(*program, count, options);
  if (!code) {
    program->log = code.error().text();
    return compilation_failed;
  }
  program->code = std::move(*code);
  return success;
}
int hiprtcGetCodeSize(Program* program, std::size_t* size) {
  *size = program->code.size();
  return *size > 0 ? success : invalid_program;
}
int hiprtcGetCode(Program* program, char* code) {
  std::memcpy(code, program->code.data(), program->code.size());
  return success;
}
int hiprtcGetProgramLogSize(Program* program, std::size_t* size) {
  *size = program->log.size() + 1;
  return success;
}
int hiprtcGetProgramLog(Program* program, char* log) {
  std::memcpy(log, program->log.c_str(), program->log.size() + 1);
  return success;
}

}  // extern "C"
