#pragma once
// How an exported function reaches the spy: no exception leaves it, and a null program is refused.
#include <exception>

#include "observe/runtime_spy/runtime_spy.hpp"

#define TUNECHECK_EXPORT extern "C" __attribute__((visibility("default")))

namespace tunecheck::spy {

template <class Act>
int guarded(Act&& act) noexcept {
  try {
    return act();
  } catch (const std::exception&) {
    return internal_error;
  }
}

template <class Act>
int with_program(void* program, Act&& act) noexcept {
  if (program == nullptr) return invalid_input;
  return guarded([&] { return act(*static_cast<Program*>(program)); });
}

}  // namespace tunecheck::spy
