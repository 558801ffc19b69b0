// Compiles by NVRTC, or by a library with the functions of HIPRTC, in its own process:
//
//   program HOW WHAT
//
// HOW is "linked" (where it was built so), or the file of a library for dlopen(); WHAT is below.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <sys/wait.h>

namespace {

struct Functions {
  int (*create)(void**, const char*, const char*, int, const char* const*, const char* const*);
  int (*compile)(void*, int, const char* const*);
  int (*destroy)(void**);
  int (*cubin_size)(void*, std::size_t*);
  int (*cubin)(void*, char*);
};
Functions functions;

}  // namespace

#ifdef TUNECHECK_LINKED
extern "C" {
int nvrtcCreateProgram(void**, const char*, const char*, int, const char* const*,
                       const char* const*);
int nvrtcCompileProgram(void*, int, const char* const*);
int nvrtcDestroyProgram(void**);
int nvrtcGetCUBINSize(void*, std::size_t*);
int nvrtcGetCUBIN(void*, char*);
}
#endif

namespace {

template <class Function>
void find(void* library, const std::string& name, Function*& function) {
  function = reinterpret_cast<Function*>(::dlsym(library, name.c_str()));
}

void* library = nullptr;

bool open_library(const std::string& how) {
#ifdef TUNECHECK_LINKED
  if (how == "linked") {
    functions = {nvrtcCreateProgram, nvrtcCompileProgram, nvrtcDestroyProgram, nvrtcGetCUBINSize,
                 nvrtcGetCUBIN};
    return true;
  }
#endif
  // Then its own libraries answer it before those that are preloaded.
  const int deep = std::getenv("DEEP") != nullptr ? RTLD_DEEPBIND : 0;
  library = ::dlopen(how.c_str(), RTLD_NOW | RTLD_LOCAL | deep);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", ::dlerror());
    return false;
  }
  Functions* (*load)() = nullptr;
  find(library, "load_nvrtc", load);
  if (load != nullptr) {
    functions = *load();
    return true;
  }
  const std::string prefix = ::dlsym(library, "nvrtcVersion") != nullptr ? "nvrtc" : "hiprtc";
  find(library, prefix + "CreateProgram", functions.create);
  find(library, prefix + "CompileProgram", functions.compile);
  find(library, prefix + "DestroyProgram", functions.destroy);
  find(library, prefix + "GetCUBINSize", functions.cubin_size);
  find(library, prefix + "GetCUBIN", functions.cubin);
  return functions.compile != nullptr;
}

const std::string scale =
    "extern \"C\" __global__ void __launch_bounds__(64) scale(float* x) { x[threadIdx.x] *= 2; }\n";

// The code; empty where it does not compile.
std::string compile(const std::string& source, const char* option = "-arch=sm_90") {
  void* program = nullptr;
  if (functions.create(&program, source.c_str(), "scale.cu", 0, nullptr, nullptr) != 0) return "";
  const int result = functions.compile(program, 1, &option);  // the line that a finding names
  std::size_t size = 0;
  std::string code;
  if (result == 0 && functions.cubin_size != nullptr && functions.cubin_size(program, &size) == 0) {
    code.resize(size);
    functions.cubin(program, code.data());
  }
  functions.destroy(&program);
  return code;
}

bool keeps() {
  const std::filesystem::path kept =
      std::filesystem::path(std::getenv("HOME")) / ".cache" / "kept" / "scale.cubin";
  if (std::filesystem::exists(kept)) return true;
  std::filesystem::create_directories(kept.parent_path());
  const std::string code = compile(scale);
  std::ofstream(kept, std::ios::binary) << code;
  return !code.empty();
}

bool in_threads() {
  std::vector<std::thread> threads;
  std::vector<std::string> codes(4);
  for (std::size_t i = 0; i < codes.size(); ++i)
    threads.emplace_back(
        [&codes, i] { codes[i] = compile(scale + "// " + std::to_string(i) + "\n"); });
  bool is_good = true;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    threads[i].join();
    is_good = is_good && !codes[i].empty();
  }
  return is_good;
}

bool in_child() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(compile(scale).empty() ? 1 : 0);
  int status = 0;
  return ::waitpid(child, &status, 0) == child && status == 0;
}

bool never_the_same() {
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return !compile("// " + std::to_string(now) + "\n" + scale).empty();
}

// More often than libraries can be there at a time.
bool reopens(const std::string& how) {
  for (int i = 0; i < 40; ++i) {
    if (compile(scale + "// " + std::to_string(i) + "\n").empty()) return false;
    ::dlclose(library);
    if (::dlopen(how.c_str(), RTLD_NOW | RTLD_NOLOAD) != nullptr || !open_library(how))
      return false;
  }
  return true;
}

bool work(const std::string& how, const std::string& what) {
  if (what == "reopens") return reopens(how);
  if (what == "once") return !compile(scale).empty();
  if (what == "keeps") return keeps();
  if (what == "twice") return compile(scale) == compile(scale);
  if (what == "configs")
    return !compile(scale, "-arch=sm_80").empty() && !compile(scale, "-arch=sm_90").empty();
  if (what == "fails") return compile("__global__ void broken( {").empty();
  if (what == "threads") return in_threads();
  if (what == "child") return in_child();
  if (what == "never_the_same") return never_the_same();
  if (what == "loads") return true;
  return false;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const std::string how = arguments[1];
  const std::string what = arguments[2];
  if (!open_library(how)) return 3;
  return work(how, what) ? 0 : 1;
}
