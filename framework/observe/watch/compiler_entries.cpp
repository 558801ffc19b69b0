// Functions that stand in for those of libraries that compile inside the process: each tells the
// observer and goes on to the real one (runtime_compilers.cpp).
#include <span>
#include <utility>

#include "observe/watch/cpu_watch.hpp"
#include "observe/watch/runtime_compilers.hpp"
#include "observe/watch/runtime_compiles.hpp"

namespace tunecheck::watch {
namespace {

// Compiles of the calling thread that are under way. A library that stands in front of another one
// and goes on to it compiles once.
thread_local int depth = 0;

template <class... Arguments>
int call_real(std::size_t slot, CompilerFunction function, Arguments... arguments) {
  const void* const real = real_function(slot, function);
  return reinterpret_cast<int (*)(Arguments...)>(const_cast<void*>(real))(arguments...);
}

std::span<const char* const> texts(const char* const* first, int count) {
  return {first, first != nullptr && count > 0 ? static_cast<std::size_t>(count) : 0};
}

// Tells of a compile by that function.
template <class... Arguments>
int tell_compile(std::size_t slot, CompilerFunction function, std::span<const char* const> options,
                 void* program, Arguments... arguments) {
  if (depth > 0 || !is_looking()) return call_real(slot, function, program, arguments...);
  const char* const name = runtime_compiler_names[static_cast<std::size_t>(compiler_of(slot))];
  RuntimeCompileBegun begun =
      runtime_compile_begins(name, real_function(slot, function), program, options);
  ++depth;
  const int result = call_real(slot, function, program, arguments...);
  --depth;
  runtime_compile_ends(std::move(begun), result);
  return result;
}

template <std::size_t slot>
int create(void** program, const char* source, const char* name, int count,
           const char* const* headers, const char* const* names) {
  const int result =
      call_real(slot, CompilerFunction::create, program, source, name, count, headers, names);
  if (result == 0 && program != nullptr)
    runtime_program_created(*program, {source, name, texts(headers, count), texts(names, count)});
  return result;
}

template <std::size_t slot>
int destroy(void** program) {
  if (program != nullptr) runtime_program_destroyed(*program);
  return call_real(slot, CompilerFunction::destroy, program);
}

template <std::size_t slot>
int add_expression(void* program, const char* expression) {
  runtime_program_instantiates(program, expression);
  return call_real(slot, CompilerFunction::add_expression, program, expression);
}

template <std::size_t slot>
int compile(void* program, int count, const char* const* options) {
  return tell_compile(slot, CompilerFunction::compile, texts(options, count), program, count,
                      options);
}

template <std::size_t slot>
int link(void* handle) {
  return tell_compile(slot, CompilerFunction::link, {}, handle);
}

// In the order of CompilerFunction.
using Entries = std::array<const void*, compiler_function_count>;

template <std::size_t slot>
Entries entries_of_slot() {
  return {
      reinterpret_cast<const void*>(&create<slot>), reinterpret_cast<const void*>(&destroy<slot>),
      reinterpret_cast<const void*>(&add_expression<slot>),
      reinterpret_cast<const void*>(&compile<slot>), reinterpret_cast<const void*>(&link<slot>)};
}

template <std::size_t... slot>
const void* entry_of(std::index_sequence<slot...>, std::size_t number, std::size_t function) {
  static const std::array<Entries, sizeof...(slot)> entries = {entries_of_slot<slot>()...};
  return entries[number][function];
}

}  // namespace

const void* compiler_entry(std::size_t slot, CompilerFunction function) {
  return entry_of(std::make_index_sequence<compiler_slot_count>(), slot,
                  static_cast<std::size_t>(function));
}

}  // namespace tunecheck::watch
