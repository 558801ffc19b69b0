// A program that was linked with HIP's runtime and with a kernel, as hipcc makes them: FOLDER
// LIBRARY, with the code object in FOLDER/step.hsaco. Launches "step" once in each of HIP's two
// ways, and ends with 1 where LIBRARY's own function of the name of one of HIP's is not what
// dlsym() finds there.
#include <cstdint>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

struct Dimensions {
  std::uint32_t x = 1, y = 1, z = 1;
};

// As gpu_kernel.h declares it.
struct TensorParameter {
  void* first = nullptr;
  std::int64_t shape[8] = {4};
  std::int64_t strides[8] = {1};
  std::int32_t dimensions = 1;
  std::int32_t dtype = 1;  // f32
};

struct Wrapper {
  std::uint32_t magic = 0x48495046;
  std::uint32_t version = 1;
  const char* bundle = nullptr;
  void* unused = nullptr;
};

char host_function = 0;  // what the program knows the kernel by

void append(std::string& text, std::uint64_t number) {
  text.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// For the host, which is nothing, and for one device.
std::string bundle_of(const std::string& object) {
  const std::string host = "host-x86_64-unknown-linux";
  const std::string device = "hipv4-amdgcn-amd-amdhsa--gfx90a";
  std::string bundle = "__CLANG_OFFLOAD_BUNDLE__";
  append(bundle, 2);
  const std::uint64_t place = 4096;
  append(bundle, place);
  append(bundle, 0);
  append(bundle, host.size());
  bundle += host;
  append(bundle, place);
  append(bundle, object.size());
  append(bundle, device.size());
  bundle += device;
  bundle.resize(place);
  return bundle + object;
}

bool has_its_own_function(const char* path) {
  void* const library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return false;
  Dl_info found{};
  return ::dladdr(::dlsym(library, "hipDeviceSynchronize"), &found) != 0 &&
         std::string(found.dli_fname) == path;
}

}  // namespace

extern "C" {
int hipMalloc(void**, std::size_t);
int hipModuleLoadData(void**, const void*);
int hipModuleGetFunction(void**, void*, const char*);
int hipModuleLaunchKernel(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                          unsigned, void*, void**, void**);
void** __hipRegisterFatBinary(const void*);
void __hipRegisterFunction(void**, const void*, char*, const char*, unsigned, void*, void*, void*,
                           void*, int*);
int hipLaunchKernel(const void*, Dimensions, Dimensions, void**, std::size_t, void*);
}

int main(int, char** arguments) {
  std::ifstream file(std::string(arguments[1]) + "/step.hsaco", std::ios::binary);
  const std::string object(std::istreambuf_iterator<char>(file), {});
  static const std::string bundle = bundle_of(object);
  static Wrapper wrapper;
  wrapper.bundle = bundle.data();
  void** const modules = __hipRegisterFatBinary(&wrapper);
  char name[] = "step";
  __hipRegisterFunction(modules, &host_function, name, name, 0, nullptr, nullptr, nullptr, nullptr,
                        nullptr);
  TensorParameter y;
  float by = 1;
  void* parameters[] = {&y, &by};
  void* module = nullptr;
  void* function = nullptr;
  if (hipMalloc(&y.first, 16) != 0 || hipModuleLoadData(&module, object.data()) != 0 ||
      hipModuleGetFunction(&function, module, "step") != 0 ||
      hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr) != 0 ||
      hipLaunchKernel(&host_function, {}, {}, parameters, 0, nullptr) != 0)
    return 1;
  return has_its_own_function(arguments[2]) ? 0 : 1;
}
