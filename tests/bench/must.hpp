#pragma once
// For programs that end where something cannot be done.
#include <stdexcept>
#include <utility>

#include "core/result.hpp"

namespace tunecheck::bench {

/// The value; std::runtime_error with the error's text where there is none.
template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return std::move(*result);
}
inline void must(const Result<void>& result) {
  if (!result) throw std::runtime_error(result.error().text());
}

}  // namespace tunecheck::bench
