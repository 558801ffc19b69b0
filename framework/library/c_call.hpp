#pragma once
// What functions of the C API share: statuses of errors, and walls that no exception passes.
#include <exception>
#include <new>
#include <string_view>
#include <utility>

#include "core/result.hpp"
#include "tunecheck/tunecheck.h"

namespace tunecheck::c_api {

/// Keeps the text for tunecheck_error_text() of this thread; returns the status. The text is left
/// out if there is no memory for a copy.
tunecheck_status fail(tunecheck_status status, std::string_view text) noexcept;
tunecheck_status fail(const Error& error) noexcept;

/// Runs `body`, which returns a status. Whatever it throws is a status with a text.
template <class Body>
tunecheck_status guarded(const Body& body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return fail(TUNECHECK_MACHINE, "out of memory");
  } catch (const std::exception& error) {
    return fail(TUNECHECK_INTERNAL, error.what());
  } catch (...) {
    return fail(TUNECHECK_INTERNAL, "an exception of an unknown type");
  }
}

}  // namespace tunecheck::c_api
