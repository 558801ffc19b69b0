#pragma once
// Expected failures are values: Result<T> carries either a T or an Error that a user can act on.
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <tl/expected.hpp>

namespace tunecheck {

/// What kind of failure it is, so that nobody has to read that out of a message. Programs make
/// their exit status of it (core/exit_status.hpp), and a scenario its verdict.
enum class ErrorKind {
  /// A mistake in the command line, or in a file or folder that the user named: it is not there,
  /// cannot be read, or says something that cannot be.
  bad_input,
  /// This machine, its user or the tuner cannot do it and says so; nothing has gone wrong. A
  /// scenario that needs it is unsupported.
  unsupported,
  /// Something that tunecheck needs of this machine is missing or failed: a program, a library, a
  /// file that cannot be written.
  machine,
  /// There is nothing to rely on: a tuner, a compiler or an observer failed, evidence is missing or
  /// damaged, nothing ran.
  untrusted,
  /// A mistake in tunecheck itself: a broken invariant.
  internal,
};

/// What went wrong, in one sentence for the person who must mend it. `file`, `line` (from 1; 0
/// means none) and `key` name the place in a file of the user's where there is one.
struct Error {
  ErrorKind kind;  ///< no default: code that makes an Error by hand states its kind
  std::string message;
  std::string file;
  int line = 0;
  std::string key;

  /// `file:line: key: message`, leaving out what is not known.
  [[nodiscard]] std::string text() const;
};

template <class T>
using Result = tl::expected<T, Error>;

template <class... Args>
[[nodiscard]] tl::unexpected<Error> failure(ErrorKind kind, fmt::format_string<Args...> format,
                                            Args&&... args) {
  return tl::unexpected<Error>(
      Error{kind, fmt::format(format, std::forward<Args>(args)...), {}, 0, {}});
}

/// An untrusted one. Code that does not know whose mistake it is must not call it the user's.
template <class... Args>
[[nodiscard]] tl::unexpected<Error> failure(fmt::format_string<Args...> format, Args&&... args) {
  return failure(ErrorKind::untrusted, format, std::forward<Args>(args)...);
}

[[nodiscard]] inline tl::unexpected<Error> failure(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace tunecheck

#define TUNECHECK_CONCAT_INNER(a, b) a##b
#define TUNECHECK_CONCAT(a, b) TUNECHECK_CONCAT_INNER(a, b)
#define TUNECHECK_TRY_RESULT TUNECHECK_CONCAT(tunecheck_try_needs_braces_, __LINE__)

// TUNECHECK_TRY(declaration, expression): declaration = the value, or return the error.
// It is several statements, so that what it declares can be used after it. Without braces under an
// `if`, an `else` or a loop it does not compile: only its first statement would belong there, and
// the second one does not see what that declares. tests/core/try_macro.cpp shows it.
#define TUNECHECK_TRY(declaration, expression)                                                     \
  auto TUNECHECK_TRY_RESULT = (expression);                                                        \
  if (!TUNECHECK_TRY_RESULT) return ::tunecheck::failure(std::move(TUNECHECK_TRY_RESULT).error()); \
  declaration = std::move(TUNECHECK_TRY_RESULT).value()

// TUNECHECK_CHECK(expression): return the error of a Result<void>, or go on.
#define TUNECHECK_CHECK(expression)                                        \
  if (auto tunecheck_check_result = (expression); !tunecheck_check_result) \
  return ::tunecheck::failure(std::move(tunecheck_check_result).error())
