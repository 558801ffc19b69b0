// A library that is linked with NVRTC and hands out a table with the addresses of its functions, as
// PyTorch's libcaffe2_nvrtc.so does.
#include <cstddef>

extern "C" {
int nvrtcCreateProgram(void**, const char*, const char*, int, const char* const*,
                       const char* const*);
int nvrtcCompileProgram(void*, int, const char* const*);
int nvrtcDestroyProgram(void**);
int nvrtcGetCUBINSize(void*, std::size_t*);
int nvrtcGetCUBIN(void*, char*);
}

namespace {

struct Functions {
  decltype(&nvrtcCreateProgram) create;
  decltype(&nvrtcCompileProgram) compile;
  decltype(&nvrtcDestroyProgram) destroy;
  decltype(&nvrtcGetCUBINSize) cubin_size;
  decltype(&nvrtcGetCUBIN) cubin;
};
// Filled in by the loader: the addresses are in a part that it makes unwritable afterwards.
const Functions functions = {nvrtcCreateProgram, nvrtcCompileProgram, nvrtcDestroyProgram,
                             nvrtcGetCUBINSize, nvrtcGetCUBIN};

}  // namespace

extern "C" __attribute__((visibility("default"))) const Functions* load_nvrtc() {
  return &functions;
}
