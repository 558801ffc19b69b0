// A library with NVRTC's functions that goes on to the real one, which the variable NVRTC names: as
// lazy loaders and shims do. And with the names by which programs link with nvJitLink: the plain
// one and those that its header gives them, one of each version.
#include <cstddef>
#include <cstdlib>
#include <dlfcn.h>

namespace {

// Something whose destructor is registered when the library is initialized, as in any of C++.
struct State {
  ~State() { is_there = false; }
  bool is_there = true;
};
State state;

template <class... Arguments>
int go_on(const char* name, Arguments... arguments) {
  static void* const library = ::dlopen(std::getenv("NVRTC"), RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<int (*)(Arguments...)>(::dlsym(library, name))(arguments...);
}

}  // namespace

#define FORWARDS extern "C" __attribute__((visibility("default"))) int
FORWARDS nvrtcVersion(int* major, int* minor) {
  return go_on("nvrtcVersion", major, minor);
}
FORWARDS nvrtcCreateProgram(void** program, const char* source, const char* name, int count,
                            const char* const* headers, const char* const* names) {
  return go_on("nvrtcCreateProgram", program, source, name, count, headers, names);
}
FORWARDS nvrtcCompileProgram(void* program, int count, const char* const* options) {
  return go_on("nvrtcCompileProgram", program, count, options);
}
FORWARDS nvrtcDestroyProgram(void** program) {
  return go_on("nvrtcDestroyProgram", program);
}
FORWARDS nvrtcGetCUBINSize(void* program, std::size_t* size) {
  return go_on("nvrtcGetCUBINSize", program, size);
}
FORWARDS nvrtcGetCUBIN(void* program, char* bytes) {
  return go_on("nvrtcGetCUBIN", program, bytes);
}
FORWARDS nvJitLinkComplete(void*) {
  return 0;
}
FORWARDS __nvJitLinkComplete_13_0(void*) {
  return 1;
}
FORWARDS __nvJitLinkComplete_13_1(void*) {
  return 2;
}
