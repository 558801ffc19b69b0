#include "library/c_call.hpp"

#include "core/plain_text.hpp"
#include "core/resources.hpp"
#include "tuner/tuner.hpp"

namespace tunecheck::c_api {
namespace {

thread_local std::string last_error_text;

tunecheck_status status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_input:
      return TUNECHECK_BAD_INPUT;
    case ErrorKind::unsupported:
      return TUNECHECK_UNSUPPORTED;
    case ErrorKind::machine:
      return TUNECHECK_MACHINE;
    case ErrorKind::untrusted:
      return TUNECHECK_UNTRUSTED;
    case ErrorKind::internal:
      return TUNECHECK_INTERNAL;
  }
  return TUNECHECK_INTERNAL;
}

}  // namespace

tunecheck_status fail(tunecheck_status status, std::string_view text) noexcept {
  try {
    last_error_text = xml_text(text);
  } catch (...) {  // no memory for the text
    last_error_text.clear();
  }
  return status;
}

tunecheck_status fail(const Error& error) noexcept {
  try {
    return fail(status_of(error.kind), with_root(error).text());
  } catch (...) {  // no memory for the text
    last_error_text.clear();
    return status_of(error.kind);
  }
}

}  // namespace tunecheck::c_api

extern "C" {

const char* tunecheck_version(void) {
  return tunecheck::tuner_version.data();
}

int32_t tunecheck_abi_version(void) {
  return TUNECHECK_ABI_VERSION;
}

const char* tunecheck_error_text(void) {
  return tunecheck::c_api::last_error_text.c_str();
}

}  // extern "C"
