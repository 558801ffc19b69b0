// libtunecheck-nvrtc-spy.so: NVRTC's functions (docs.nvidia.com/cuda/nvrtc).
#include "observe/runtime_spy/exported.hpp"

using namespace tunecheck::spy;

namespace {

const RuntimeSpy& spy() {
  static const Dialect dialect{"nvrtc", {"CUBIN", "PTX"}};
  static const auto* const made = new RuntimeSpy(dialect);  // programs may outlive other statics
  return *made;
}

int size_of_output(void* program, const char* kind, std::size_t* size) {
  return with_program(program, [&](Program& p) { return spy().output_size(p, kind, size); });
}

int output(void* program, const char* kind, char* bytes) {
  return with_program(program, [&](Program& p) { return spy().output(p, kind, bytes); });
}

}  // namespace

TUNECHECK_EXPORT const char* nvrtcGetErrorString(int result) {
  return spy().error_text(result);
}
TUNECHECK_EXPORT int nvrtcVersion(int* major, int* minor) {
  return guarded([&] { return spy().version(major, minor); });
}
TUNECHECK_EXPORT int nvrtcGetNumSupportedArchs(int* count) {
  return guarded([&] { return spy().pass_on("GetNumSupportedArchs", count); });
}
TUNECHECK_EXPORT int nvrtcGetSupportedArchs(int* archs) {
  return guarded([&] { return spy().pass_on("GetSupportedArchs", archs); });
}
TUNECHECK_EXPORT int nvrtcCreateProgram(void** program, const char* source, const char* name,
                                        int count, const char* const* headers,
                                        const char* const* names) {
  return guarded([&] { return spy().create(program, source, name, count, headers, names); });
}
TUNECHECK_EXPORT int nvrtcDestroyProgram(void** program) {
  return guarded([&] { return spy().destroy(program); });
}
TUNECHECK_EXPORT int nvrtcAddNameExpression(void* program, const char* expression) {
  return with_program(program, [&](Program& p) { return spy().add_expression(p, expression); });
}
TUNECHECK_EXPORT int nvrtcCompileProgram(void* program, int count, const char* const* options) {
  return with_program(program, [&](Program& p) { return spy().compile(p, count, options); });
}
TUNECHECK_EXPORT int nvrtcGetLoweredName(void* program, const char* expression, const char** name) {
  return with_program(program, [&](Program& p) { return spy().lowered_name(p, expression, name); });
}
TUNECHECK_EXPORT int nvrtcGetProgramLogSize(void* program, std::size_t* size) {
  return with_program(program, [&](Program& p) { return spy().log_size(p, size); });
}
TUNECHECK_EXPORT int nvrtcGetProgramLog(void* program, char* text) {
  return with_program(program, [&](Program& p) { return spy().log(p, text); });
}
TUNECHECK_EXPORT int nvrtcGetCUBINSize(void* program, std::size_t* size) {
  return size_of_output(program, "CUBIN", size);
}
TUNECHECK_EXPORT int nvrtcGetCUBIN(void* program, char* bytes) {
  return output(program, "CUBIN", bytes);
}
TUNECHECK_EXPORT int nvrtcGetPTXSize(void* program, std::size_t* size) {
  return size_of_output(program, "PTX", size);
}
TUNECHECK_EXPORT int nvrtcGetPTX(void* program, char* bytes) {
  return output(program, "PTX", bytes);
}
TUNECHECK_EXPORT int nvrtcGetLTOIRSize(void* program, std::size_t* size) {
  return size_of_output(program, "LTOIR", size);
}
TUNECHECK_EXPORT int nvrtcGetLTOIR(void* program, char* bytes) {
  return output(program, "LTOIR", bytes);
}
TUNECHECK_EXPORT int nvrtcGetOptiXIRSize(void* program, std::size_t* size) {
  return size_of_output(program, "OptiXIR", size);
}
TUNECHECK_EXPORT int nvrtcGetOptiXIR(void* program, char* bytes) {
  return output(program, "OptiXIR", bytes);
}
TUNECHECK_EXPORT int nvrtcGetPCHHeapSize(std::size_t* size) {
  return guarded([&] { return spy().pass_on("GetPCHHeapSize", size); });
}
TUNECHECK_EXPORT int nvrtcSetPCHHeapSize(std::size_t size) {
  return guarded([&] { return spy().pass_on("SetPCHHeapSize", size); });
}
TUNECHECK_EXPORT int nvrtcGetPCHCreateStatus(void* program) {
  return with_program(program,
                      [&](Program& p) { return spy().pass_on("GetPCHCreateStatus", p.real); });
}
TUNECHECK_EXPORT int nvrtcGetPCHHeapSizeRequired(void* program, std::size_t* size) {
  return with_program(
      program, [&](Program& p) { return spy().pass_on("GetPCHHeapSizeRequired", p.real, size); });
}
TUNECHECK_EXPORT int nvrtcSetFlowCallback(void* program, int (*callback)(void*, void*),
                                          void* payload) {
  return with_program(program, [&](Program& p) {
    return spy().pass_on("SetFlowCallback", p.real, callback, payload);
  });
}
