// The probe for HIP: the dynamic loader loads it into any process that LD_AUDIT names it to (man 7
// rtld-audit), and asks it about each function that a program or dlsym() binds to HIP's runtime. It
// answers with functions of its own (calls.cpp), which record what the process loads and launches.
// It does nothing where it is told of no evidence file.
//
// Why this way: a tuner opens the runtime by a path of its own and gets its functions by dlsym() of
// that handle, where a library of LD_PRELOAD is not asked, and replacing dlsym() itself would
// change what RTLD_NEXT means to everybody else. A library in the runtime's place would have to
// forward the hundreds of functions of each version, and be found before the one that a Python
// package brings. ROCm's own profiler is another library in each version of ROCm, and cannot be
// tried without a device. The loader of glibc 2.35 and later asks about every binding, early or
// late.
#include <cerrno>
#include <cstdlib>
#include <elf.h>
#include <link.h>
#include <optional>
#include <string_view>

#include "observe/gpu/hip/calls.hpp"
#include "observe/gpu/hip/runtime.hpp"
#include "observe/gpu/settings.hpp"
#include "observe/probe/counting.hpp"

namespace tunecheck::gpu::hip {
namespace {

constexpr std::string_view runtime_name = "libamdhip64";

const std::optional<Settings>& settings() {
  static const auto& read = *new std::optional<Settings>(read_settings());
  return read;
}

bool is_runtimes_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1).starts_with(runtime_name);
}

// Calls `see(tag, text)` for each entry of the object's dynamic section that holds a text.
template <class See>
void each_text(const link_map& object, See&& see) {
  const char* texts = nullptr;
  for (const ElfW(Dyn)* entry = object.l_ld; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_STRTAB) {
      // Some loaders have added the object's own address by now.
      const ElfW(Addr) address = entry->d_un.d_ptr;
      texts = reinterpret_cast<const char*>(address < object.l_addr ? address + object.l_addr
                                                                    : address);
    }
  if (texts == nullptr) return;
  for (const ElfW(Dyn)* entry = object.l_ld; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_NEEDED || entry->d_tag == DT_SONAME)
      see(entry->d_tag, std::string_view(texts + entry->d_un.d_val));
}

// By its own name or its file's, or as tunecheck itself is told to use it.
bool is_runtime(const link_map& object) {
  const char* const named = std::getenv("TUNECHECK_HIP");
  const std::string_view path = object.l_name;
  if (path.empty()) return false;  // the program
  bool is = is_runtimes_name(path) || (named != nullptr && path == named);
  each_text(object, [&](auto tag, std::string_view text) {
    is = is || (tag == DT_SONAME && is_runtimes_name(text));
  });
  return is;
}

// True where the object was linked with the runtime. All others get its functions by dlsym(), if at
// all, and calls between libraries whose bindings are asked about take longer.
bool needs_runtime(const link_map& object) {
  bool needs = false;
  each_text(object, [&](auto tag, std::string_view text) {
    needs = needs || (tag == DT_NEEDED && is_runtimes_name(text));
  });
  return needs;
}

// What la_symbind64() knows a library by.
enum : std::uintptr_t { other_library = 0, runtime_library = 1 };

__attribute__((destructor)) void flush_at_end() {
  flush();
}

}  // namespace
}  // namespace tunecheck::gpu::hip

// The names are the loader's.
extern "C" {

__attribute__((visibility("default"))) unsigned la_version(unsigned version) {
  using namespace tunecheck;
  if (!gpu::hip::settings()) return 0;  // the loader forgets this library
  if (const char* const counts = std::getenv("TUNECHECK_PROBE_COUNTS")) probe::map_counts(counts);
  return version < LAV_CURRENT ? version : LAV_CURRENT;
}

__attribute__((visibility("default"))) unsigned la_objopen(link_map* object, Lmid_t /*space*/,
                                                           std::uintptr_t* cookie) {
  using namespace tunecheck::gpu::hip;
  *cookie = other_library;
  if (is_runtime(*object)) {
    *cookie = runtime_library;
    runtime_opened(object->l_name, *settings());
    return LA_FLG_BINDTO;
  }
  return needs_runtime(*object) ? LA_FLG_BINDFROM : 0;
}

__attribute__((visibility("default"))) std::uintptr_t la_symbind64(
    Elf64_Sym* symbol, unsigned /*index*/, std::uintptr_t* /*from*/, std::uintptr_t* to,
    unsigned* /*flags*/, const char* name) {
  using namespace tunecheck::gpu::hip;
  const std::uintptr_t real = symbol->st_value;
  if (*to != runtime_library || is_looking_up()) return real;
  const int saved = errno;
  void* const found = stand_in_for(name, reinterpret_cast<void*>(real));
  errno = saved;
  return found != nullptr ? reinterpret_cast<std::uintptr_t>(found) : real;
}

}  // extern "C"
