// How what NVRTC compiles is seen. Programs get NVRTC in every way there is: PyTorch's
// libcaffe2_nvrtc.so is linked with it and keeps the addresses of its functions in a table of its
// own; CuPy, cuda-python and Numba ask dlsym() of a handle that nobody else can see; several
// versions may be in one process. Two things all of them go through: the meaning of a name in the
// library's own table, and the words of other objects that the loader has filled in by it. Both are
// changed when the library is initialized, before any of the program's code can call it.
//
// That moment is seen because C++ libraries register their destructors then, by __cxa_atexit(),
// which is stood in for (interposed.cpp): NVRTC 12 and 13 and nvJitLink do so more than a thousand
// times.
//
// What else was tried or thought of. The dynamic loader would tell of each object at the right
// moment (LD_AUDIT, man 7 rtld-audit), but a process with an auditor has room for little more than
// a kilobyte of thread-local storage of all its libraries that want it at a fixed place: programs
// with ThreadSanitizer, or another allocator, do not start then; and before glibc 2.35 all calls
// between libraries become slow. A dlopen() or dlsym() in a preloaded library changes whose search
// path and whose RTLD_NEXT they mean. A library in NVRTC's place would have to be found before the
// one that a Python package brings.
#include "observe/watch/runtime_compilers.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <vector>

#include "observe/watch/dynamic_symbols.hpp"
#include "observe/watch/loaded_image.hpp"

namespace tunecheck::watch {
namespace {

struct Slot {
  std::atomic<bool> is_taken;
  std::atomic<RuntimeCompiler> compiler;
  // In the order of CompilerFunction. They stay when the library is unloaded: a thread may be in
  // one of them.
  std::array<std::atomic<const void*>, compiler_function_count> real;
};
// Before any constructor: the libraries of the program are initialized before this one.
constinit std::array<Slot, compiler_slot_count> slots{};

// Who changes slots. The loader initializes one object at a time, so that nobody else does unless a
// process was forked meanwhile.
constinit std::atomic_flag is_busy = ATOMIC_FLAG_INIT;

// The library in which nothing could stand in, so that this is not tried for each of its
// destructors; 0 without.
constinit std::atomic<ElfW(Addr)> given_up = 0;

struct Name {
  RuntimeCompiler compiler;
  CompilerFunction function;
  const char* name;
};
constexpr std::array<Name, 9> names = {{
    {RuntimeCompiler::nvrtc, CompilerFunction::compile, "nvrtcCompileProgram"},
    {RuntimeCompiler::nvrtc, CompilerFunction::create, "nvrtcCreateProgram"},
    {RuntimeCompiler::nvrtc, CompilerFunction::destroy, "nvrtcDestroyProgram"},
    {RuntimeCompiler::nvrtc, CompilerFunction::add_expression, "nvrtcAddNameExpression"},
    {RuntimeCompiler::hiprtc, CompilerFunction::compile, "hiprtcCompileProgram"},
    {RuntimeCompiler::hiprtc, CompilerFunction::create, "hiprtcCreateProgram"},
    {RuntimeCompiler::hiprtc, CompilerFunction::destroy, "hiprtcDestroyProgram"},
    {RuntimeCompiler::hiprtc, CompilerFunction::add_expression, "hiprtcAddNameExpression"},
    {RuntimeCompiler::nvjitlink, CompilerFunction::link, "nvJitLinkComplete"},
}};

bool is_entry(ElfW(Addr) address) {
  for (std::size_t slot = 0; slot < slots.size(); ++slot)
    for (std::size_t function = 0; function < compiler_function_count; ++function)
      if (reinterpret_cast<ElfW(Addr)>(
              compiler_entry(slot, static_cast<CompilerFunction>(function))) == address)
        return true;
  return false;
}

// The compilers in a library whose functions have a meaning of the library's own, and which nothing
// stands in for yet.
std::vector<RuntimeCompiler> unseen_in(const LoadedImage& image) {
  std::vector<RuntimeCompiler> found;
  if (!image.has_dynamic()) return found;
  const DynamicSymbols symbols(image);
  for (const Name& each : names)
    if (each.function == CompilerFunction::compile || each.function == CompilerFunction::link)
      if (const ElfW(Sym)* const symbol = symbols.find(each.name))
        if (!is_entry(image.base() + symbol->st_value)) found.push_back(each.compiler);
  return found;
}

// One library that entries are to stand in for.
class StandIn {
 public:
  explicit StandIn(const LoadedImage& library) : m_library(library) {}

  void compiler(RuntimeCompiler compiler) {
    const DynamicSymbols symbols(m_library);
    if (compiler == RuntimeCompiler::nvjitlink) return link(symbols);
    const auto slot = take(compiler);
    for (const Name& each : names)
      if (each.compiler == compiler && slot)
        if (ElfW(Sym)* const symbol = symbols.find(each.name))
          stand_in(*symbol, *slot, each.function);
  }

  // What was bound before. Others of the library's own may be bound to it as well.
  void bind_again() const {
    if (m_entries.empty()) return;
    for (const LoadedImage& image : loaded_images())
      image.each_binding([&](ElfW(Addr) & word) {
        if (const auto entry = m_entries.find(word); entry != m_entries.end())
          (void)image.write(word, entry->second);
      });
  }

 private:
  // "nvJitLinkComplete", and "__nvJitLinkComplete_13_0" of each version that programs are built
  // for.
  void link(const DynamicSymbols& symbols) {
    symbols.each([&](std::string_view name, ElfW(Sym) & symbol) {
      const bool is_one =
          name == "nvJitLinkComplete" || name.substr(0, 20) == "__nvJitLinkComplete_";
      if (!is_one) return;
      if (const auto slot = take(RuntimeCompiler::nvjitlink))
        stand_in(symbol, *slot, CompilerFunction::link);
    });
  }

  static std::optional<std::size_t> take(RuntimeCompiler compiler) {
    for (std::size_t slot = 0; slot < slots.size(); ++slot)
      if (!slots[slot].is_taken) {
        slots[slot].is_taken = true;
        slots[slot].compiler = compiler;
        for (auto& real : slots[slot].real)
          real = nullptr;
        return slot;
      }
    return std::nullopt;
  }

  void stand_in(ElfW(Sym) & symbol, std::size_t slot, CompilerFunction function) {
    const ElfW(Addr) real = m_library.base() + symbol.st_value;
    const auto entry = reinterpret_cast<ElfW(Addr)>(compiler_entry(slot, function));
    slots[slot].real[static_cast<std::size_t>(function)] = reinterpret_cast<const void*>(real);
    if (m_library.write(symbol.st_value, entry - m_library.base())) m_entries[real] = entry;
  }

  const LoadedImage& m_library;
  std::map<ElfW(Addr), ElfW(Addr)> m_entries;  // by what they stand in for
};

// Others may have the functions and go on to a real one, which is seen.
bool is_named_like_one(std::string_view file) {
  for (const std::string_view name : {"nvrtc", "nvJitLink", "hiprtc", "amdhip64"})
    if (file.substr(file.rfind('/') + 1).find(name) != file.npos) return true;
  return false;
}

class Busy {
 public:
  Busy() : m_is_ours(!is_busy.test_and_set()) {}
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  ~Busy() {
    if (m_is_ours) is_busy.clear();
  }
  explicit operator bool() const { return m_is_ours; }

 private:
  bool m_is_ours;
};

}  // namespace

const void* real_function(std::size_t slot, CompilerFunction function) noexcept {
  return slots[slot].real[static_cast<std::size_t>(function)];
}

RuntimeCompiler compiler_of(std::size_t slot) noexcept {
  return slots[slot].compiler;
}

void object_is_initialized(const void* address) noexcept {
  try {
    const auto initialized = image_at(address);
    if (!initialized || unseen_in(*initialized).empty()) return;
    if (given_up == initialized->base()) return;
    const Busy busy;
    if (!busy) return;
    // With it those that go on to it, which register no destructor perhaps.
    for (const LoadedImage& image : loaded_images()) {
      StandIn stand_in(image);
      for (const RuntimeCompiler compiler : unseen_in(image))
        stand_in.compiler(compiler);
      stand_in.bind_again();
    }
    if (!unseen_in(*initialized).empty()) given_up = initialized->base();
  } catch (...) {
  }
}

void libraries_were_unloaded() noexcept {
  const Busy busy;
  if (!busy) return;
  given_up = 0;
  for (Slot& slot : slots) {
    if (!slot.is_taken) continue;
    const bool is_there = std::any_of(slot.real.begin(), slot.real.end(), [](const auto& real) {
      return real != nullptr && image_at(real).has_value();
    });
    slot.is_taken = is_there;
  }
}

void forget_other_threads_at_compilers() noexcept {
  is_busy.clear();
}

bool has_unseen_compiler() noexcept {
  try {
    const std::vector<LoadedImage> images = loaded_images();
    return std::any_of(images.begin(), images.end(), [](const LoadedImage& image) {
      return is_named_like_one(image.name()) && !unseen_in(image).empty();
    });
  } catch (...) {
    return false;
  }
}

}  // namespace tunecheck::watch
