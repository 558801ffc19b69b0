// libtunecheck-hiprtc-spy.so: HIPRTC's functions (rocm.docs.amd.com, "HIP RTC").
#include "observe/runtime_spy/exported.hpp"

using namespace tunecheck::spy;

namespace {

const RuntimeSpy& spy() {
  static const Dialect dialect{"hiprtc", {"Code"}};
  static const auto* const made = new RuntimeSpy(dialect);  // programs may outlive other statics
  return *made;
}

}  // namespace

TUNECHECK_EXPORT const char* hiprtcGetErrorString(int result) {
  return spy().error_text(result);
}
TUNECHECK_EXPORT int hiprtcVersion(int* major, int* minor) {
  return guarded([&] { return spy().version(major, minor); });
}
TUNECHECK_EXPORT int hiprtcCreateProgram(void** program, const char* source, const char* name,
                                         int count, const char* const* headers,
                                         const char* const* names) {
  return guarded([&] { return spy().create(program, source, name, count, headers, names); });
}
TUNECHECK_EXPORT int hiprtcDestroyProgram(void** program) {
  return guarded([&] { return spy().destroy(program); });
}
TUNECHECK_EXPORT int hiprtcAddNameExpression(void* program, const char* expression) {
  return with_program(program, [&](Program& p) { return spy().add_expression(p, expression); });
}
TUNECHECK_EXPORT int hiprtcCompileProgram(void* program, int count, const char* const* options) {
  return with_program(program, [&](Program& p) { return spy().compile(p, count, options); });
}
TUNECHECK_EXPORT int hiprtcGetLoweredName(void* program, const char* expression,
                                          const char** name) {
  return with_program(program, [&](Program& p) { return spy().lowered_name(p, expression, name); });
}
TUNECHECK_EXPORT int hiprtcGetProgramLogSize(void* program, std::size_t* size) {
  return with_program(program, [&](Program& p) { return spy().log_size(p, size); });
}
TUNECHECK_EXPORT int hiprtcGetProgramLog(void* program, char* text) {
  return with_program(program, [&](Program& p) { return spy().log(p, text); });
}
TUNECHECK_EXPORT int hiprtcGetCodeSize(void* program, std::size_t* size) {
  return with_program(program, [&](Program& p) { return spy().output_size(p, "Code", size); });
}
TUNECHECK_EXPORT int hiprtcGetCode(void* program, char* bytes) {
  return with_program(program, [&](Program& p) { return spy().output(p, "Code", bytes); });
}
TUNECHECK_EXPORT int hiprtcGetBitcodeSize(void* program, std::size_t* size) {
  return with_program(program, [&](Program& p) { return spy().output_size(p, "Bitcode", size); });
}
TUNECHECK_EXPORT int hiprtcGetBitcode(void* program, char* bytes) {
  return with_program(program, [&](Program& p) { return spy().output(p, "Bitcode", bytes); });
}
