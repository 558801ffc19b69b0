// Functions that stand in for those of the libraries that compile at run time, as
// compiler_audit.cpp arranges it: each tells the observer and goes on to the real one.
#include <span>
#include <utility>

#include "observe/watch/compiler_slots.hpp"
#include "observe/watch/cpu_watch.hpp"
#include "observe/watch/runtime_compiles.hpp"

extern "C" {
__attribute__((
    visibility("default"))) constinit tunecheck::watch::CompilerSlots tunecheck_watch_compilers{};
}

namespace tunecheck::watch {
namespace {

// Compiles of the calling thread that are under way. A library that stands in front of another one
// and goes on to it compiles once.
thread_local int depth = 0;

const CompilerSlot& slot_at(int number) {
  return tunecheck_watch_compilers.slots[static_cast<std::size_t>(number)];
}

const void* real_function(int slot, CompilerFunction function) {
  return slot_at(slot).real[static_cast<std::size_t>(function)];
}

template <class... Arguments>
int call_real(int slot, CompilerFunction function, Arguments... arguments) {
  const void* const real = real_function(slot, function);
  return reinterpret_cast<int (*)(Arguments...)>(const_cast<void*>(real))(arguments...);
}

std::span<const char* const> texts(const char* const* first, int count) {
  return {first, first != nullptr && count > 0 ? static_cast<std::size_t>(count) : 0};
}

// Tells of a compile by that function.
template <class... Arguments>
int compile(int slot, CompilerFunction function, std::span<const char* const> options,
            void* program, Arguments... arguments) {
  if (depth > 0 || !is_looking()) return call_real(slot, function, program, arguments...);
  const auto name = runtime_compiler_names[static_cast<std::size_t>(slot_at(slot).compiler.load())];
  RuntimeCompileBegun begun =
      runtime_compile_begins(name, real_function(slot, function), program, options);
  ++depth;
  const int result = call_real(slot, function, program, arguments...);
  --depth;
  runtime_compile_ends(std::move(begun), result);
  return result;
}

int create(int slot, void** program, const char* source, const char* name, int count,
           const char* const* headers, const char* const* names) {
  const int result =
      call_real(slot, CompilerFunction::create, program, source, name, count, headers, names);
  if (result == 0 && program != nullptr)
    runtime_program_created(*program, {source, name, texts(headers, count), texts(names, count)});
  return result;
}

int destroy(int slot, void** program) {
  const void* const gone = program != nullptr ? *program : nullptr;
  const int result = call_real(slot, CompilerFunction::destroy, program);
  if (result == 0) runtime_program_destroyed(gone);
  return result;
}

int add_expression(int slot, void* program, const char* expression) {
  runtime_program_instantiates(program, expression);
  return call_real(slot, CompilerFunction::add_expression, program, expression);
}

int compile_program(int slot, void* program, int count, const char* const* options) {
  return compile(slot, CompilerFunction::compile, texts(options, count), program, count, options);
}

int link(int slot, void* handle) {
  return compile(slot, CompilerFunction::link, {}, handle);
}

}  // namespace

int unseen_runtime_compilers() noexcept {
  return tunecheck_watch_compilers.unseen;
}

}  // namespace tunecheck::watch

#define TUNECHECK_ENTRY extern "C" __attribute__((visibility("default"))) int
#define TUNECHECK_ENTRIES(SLOT)                                                                    \
  TUNECHECK_ENTRY tunecheck_stand_in_create_##SLOT(                                                \
      void** program, const char* source, const char* name, int count, const char* const* headers, \
      const char* const* names) {                                                                  \
    return tunecheck::watch::create(SLOT, program, source, name, count, headers, names);           \
  }                                                                                                \
  TUNECHECK_ENTRY tunecheck_stand_in_destroy_##SLOT(void** program) {                              \
    return tunecheck::watch::destroy(SLOT, program);                                               \
  }                                                                                                \
  TUNECHECK_ENTRY tunecheck_stand_in_add_expression_##SLOT(void* program, const char* name) {      \
    return tunecheck::watch::add_expression(SLOT, program, name);                                  \
  }                                                                                                \
  TUNECHECK_ENTRY tunecheck_stand_in_compile_##SLOT(void* program, int count,                      \
                                                    const char* const* options) {                  \
    return tunecheck::watch::compile_program(SLOT, program, count, options);                       \
  }                                                                                                \
  TUNECHECK_ENTRY tunecheck_stand_in_link_##SLOT(void* handle) {                                   \
    return tunecheck::watch::link(SLOT, handle);                                                   \
  }

TUNECHECK_ENTRIES(0)
TUNECHECK_ENTRIES(1)
TUNECHECK_ENTRIES(2)
TUNECHECK_ENTRIES(3)
TUNECHECK_ENTRIES(4)
TUNECHECK_ENTRIES(5)
TUNECHECK_ENTRIES(6)
TUNECHECK_ENTRIES(7)
TUNECHECK_ENTRIES(8)
TUNECHECK_ENTRIES(9)
TUNECHECK_ENTRIES(10)
TUNECHECK_ENTRIES(11)
TUNECHECK_ENTRIES(12)
TUNECHECK_ENTRIES(13)
TUNECHECK_ENTRIES(14)
TUNECHECK_ENTRIES(15)
TUNECHECK_ENTRIES(16)
TUNECHECK_ENTRIES(17)
TUNECHECK_ENTRIES(18)
TUNECHECK_ENTRIES(19)
TUNECHECK_ENTRIES(20)
TUNECHECK_ENTRIES(21)
TUNECHECK_ENTRIES(22)
TUNECHECK_ENTRIES(23)
TUNECHECK_ENTRIES(24)
TUNECHECK_ENTRIES(25)
TUNECHECK_ENTRIES(26)
TUNECHECK_ENTRIES(27)
TUNECHECK_ENTRIES(28)
TUNECHECK_ENTRIES(29)
TUNECHECK_ENTRIES(30)
TUNECHECK_ENTRIES(31)
static_assert(tunecheck::watch::compiler_slots == 32);
