// libtunecheck-watch-audit.so: the dynamic loader loads it into each process of a watched program
// (LD_AUDIT, man 7 rtld-audit), and tells it of each library that it has mapped and not bound yet.
// In a library that compiles at run time (NVRTC, HIPRTC, nvJitLink) it changes what a few names
// stand for: the entries of the library that LD_PRELOAD names (compiler_entries.cpp), which tell of
// the compile and go on to the real functions.
//
// Why this way: programs get NVRTC in every way there is. PyTorch's libcaffe2_nvrtc.so is linked
// with it and keeps the addresses of its functions in a table of its own; CuPy, cuda-python and
// Numba ask dlsym() of a handle that nobody else can see; several versions may be in one process. A
// name's meaning in the library's own table is the one thing that all of them go through. The
// loader's la_symbind64() is not told of addresses that are taken without being called; a dlsym()
// or dlopen() in the preloaded library would change whose search path and whose RTLD_NEXT they
// mean; a library in NVRTC's place would have to be found before the one that a Python package
// brings. No bindings are asked about, so calls are as fast as without (glibc 2.35; the loaders
// before that slow down all calls between libraries, and are not given this library).
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <link.h>
#include <optional>
#include <string_view>
#include <unistd.h>

#include <sys/mman.h>

#include "observe/watch/compiler_slots.hpp"
#include "observe/watch/dynamic_symbols.hpp"

namespace tunecheck::watch {
namespace {

// Where the entries are. Only the loader calls, one thread at a time; before the library of entries
// is there, it opens the program alone.
const link_map* entries = nullptr;
CompilerSlots* slots = nullptr;

struct CompilerName {
  RuntimeCompiler compiler;
  CompilerFunction function;
  std::string_view name;
};
constexpr std::array<CompilerName, 9> compiler_names = {{
    {RuntimeCompiler::nvrtc, CompilerFunction::create, "nvrtcCreateProgram"},
    {RuntimeCompiler::nvrtc, CompilerFunction::destroy, "nvrtcDestroyProgram"},
    {RuntimeCompiler::nvrtc, CompilerFunction::add_expression, "nvrtcAddNameExpression"},
    {RuntimeCompiler::nvrtc, CompilerFunction::compile, "nvrtcCompileProgram"},
    {RuntimeCompiler::hiprtc, CompilerFunction::create, "hiprtcCreateProgram"},
    {RuntimeCompiler::hiprtc, CompilerFunction::destroy, "hiprtcDestroyProgram"},
    {RuntimeCompiler::hiprtc, CompilerFunction::add_expression, "hiprtcAddNameExpression"},
    {RuntimeCompiler::hiprtc, CompilerFunction::compile, "hiprtcCompileProgram"},
    {RuntimeCompiler::nvjitlink, CompilerFunction::link, "nvJitLinkComplete"},
}};

std::size_t index_of(CompilerFunction function) {
  return static_cast<std::size_t>(function);
}

const void* address_in(const link_map& object, const ElfW(Sym) & symbol) {
  return reinterpret_cast<const void*>(object.l_addr + symbol.st_value);
}

// What the pages of an address allow; nothing where nobody can say.
std::optional<int> protection_at(std::uintptr_t address) {
  std::FILE* const maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) return std::nullopt;
  std::optional<int> found;
  std::array<char, 512> line;
  bool is_begin = true;  // a line may be longer
  while (!found && std::fgets(line.data(), line.size(), maps) != nullptr) {
    unsigned long from = 0;
    unsigned long to = 0;
    std::array<char, 5> allowed{};
    if (is_begin && std::sscanf(line.data(), "%lx-%lx %4s", &from, &to, allowed.data()) == 3 &&
        from <= address && address < to)
      found = (allowed[0] == 'r' ? PROT_READ : 0) | (allowed[1] == 'w' ? PROT_WRITE : 0) |
              (allowed[2] == 'x' ? PROT_EXEC : 0);
    is_begin = std::strchr(line.data(), '\n') != nullptr;
  }
  std::fclose(maps);
  return found;
}

// False where the memory cannot be made writable: some systems do not allow that to code.
bool write_value(ElfW(Sym) & symbol, ElfW(Addr) value) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(&symbol);
  const std::uintptr_t begin = address / page * page;
  const std::uintptr_t size = (address + sizeof symbol - begin + page - 1) / page * page;
  const auto before = protection_at(address);
  auto* const pages = reinterpret_cast<void*>(begin);
  if (!before || ::mprotect(pages, size, *before | PROT_WRITE) != 0) return false;
  symbol.st_value = value;
  ::mprotect(pages, size, *before);
  return true;
}

CompilerSlot* take_slot(const link_map& library, RuntimeCompiler compiler) {
  for (CompilerSlot& slot : slots->slots)
    if (slot.owner == 0) {
      slot.owner = reinterpret_cast<std::uintptr_t>(&library);
      slot.compiler = compiler;
      return &slot;
    }
  return nullptr;
}

// The entry in that slot from now on stands for the symbol.
bool stand_in(const link_map& library, ElfW(Sym) & symbol, CompilerFunction function,
              CompilerSlot& slot) {
  std::array<char, 64> name{};
  std::snprintf(name.data(), name.size(), "%s%s_%d", compiler_entry_prefix,
                compiler_function_names[index_of(function)],
                static_cast<int>(&slot - slots->slots.data()));
  const ElfW(Sym)* const entry = DynamicSymbols(*entries).find(name.data());
  if (entry == nullptr) return false;
  slot.real[index_of(function)] = address_in(library, symbol);
  return write_value(symbol, entries->l_addr + entry->st_value - library.l_addr);
}

// All its functions or none: a compile is told by what is known of its program.
bool stand_in_program(const link_map& library, RuntimeCompiler compiler) {
  const DynamicSymbols symbols(library);
  CompilerSlot* const slot = take_slot(library, compiler);
  if (slot == nullptr) return false;
  for (const CompilerName& each : compiler_names)
    if (each.compiler == compiler)
      if (ElfW(Sym)* const symbol = symbols.find(each.name.data()))
        if (!stand_in(library, *symbol, each.function, *slot)) return false;
  return true;
}

// "nvJitLinkComplete", and "__nvJitLinkComplete_13_0" of each version that programs are built for.
bool stand_in_link(const link_map& library) {
  bool is_done = true;
  DynamicSymbols(library).each([&](std::string_view name, ElfW(Sym) & symbol) {
    if (name.substr(0, name.find("nvJitLinkComplete")).size() > 2) return;
    CompilerSlot* const slot = take_slot(library, RuntimeCompiler::nvjitlink);
    is_done =
        slot != nullptr && stand_in(library, symbol, CompilerFunction::link, *slot) && is_done;
  });
  return is_done;
}

bool is_watch_library(const link_map& object) {
  const std::string_view path = object.l_name;
  return path.substr(path.rfind('/') + 1) == watch_library_name;
}

void find_entries(const link_map& object) {
  const ElfW(Sym)* const symbol = DynamicSymbols(object).find(compiler_slots_name);
  if (symbol == nullptr) return;
  entries = &object;
  slots = static_cast<CompilerSlots*>(const_cast<void*>(address_in(object, *symbol)));
}

void opened(const link_map& object) {
  const DynamicSymbols symbols(object);
  for (const CompilerName& each : compiler_names) {
    if (each.function != CompilerFunction::compile && each.function != CompilerFunction::link)
      continue;
    if (symbols.find(each.name.data()) == nullptr) continue;
    const bool is_done = each.function == CompilerFunction::link
                             ? stand_in_link(object)
                             : stand_in_program(object, each.compiler);
    if (!is_done) ++slots->unseen;
  }
}

}  // namespace
}  // namespace tunecheck::watch

// The names are the loader's.
extern "C" {

__attribute__((visibility("default"))) unsigned la_version(unsigned version) {
  return std::min<unsigned>(version, LAV_CURRENT);
}

__attribute__((visibility("default"))) unsigned la_objopen(link_map* object, Lmid_t /*space*/,
                                                           std::uintptr_t* cookie) {
  using namespace tunecheck::watch;
  *cookie = reinterpret_cast<std::uintptr_t>(object);
  if (entries == nullptr && is_watch_library(*object))
    find_entries(*object);
  else if (entries != nullptr)
    opened(*object);
  return 0;
}

__attribute__((visibility("default"))) unsigned la_objclose(std::uintptr_t* cookie) {
  using namespace tunecheck::watch;
  if (slots != nullptr)
    for (CompilerSlot& slot : slots->slots)
      if (slot.owner == *cookie) slot.owner = 0;
  return 0;
}

}  // extern "C"
