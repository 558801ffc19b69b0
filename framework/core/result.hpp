#pragma once
// Expected failures are values: Result<T> carries either a T or an Error that a user can act on.
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <tl/expected.hpp>

namespace tunecheck {

/// What went wrong, in one sentence for the person who must mend it. `file`, `line` (from 1; 0
/// means none) and `key` name the place in a file of the user's where there is one.
struct Error {
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
[[nodiscard]] tl::unexpected<Error> failure(fmt::format_string<Args...> format, Args&&... args) {
  return tl::unexpected<Error>(Error{fmt::format(format, std::forward<Args>(args)...), {}, 0, {}});
}

[[nodiscard]] inline tl::unexpected<Error> failure(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace tunecheck

#define TUNECHECK_CONCAT_INNER(a, b) a##b
#define TUNECHECK_CONCAT(a, b) TUNECHECK_CONCAT_INNER(a, b)

// TUNECHECK_TRY(declaration, expression): declaration = the value, or return the error.
#define TUNECHECK_TRY(declaration, expression)                                                  \
  auto TUNECHECK_CONCAT(tunecheck_try_, __LINE__) = (expression);                               \
  if (!TUNECHECK_CONCAT(tunecheck_try_, __LINE__))                                              \
    return ::tunecheck::failure(std::move(TUNECHECK_CONCAT(tunecheck_try_, __LINE__)).error()); \
  declaration = std::move(TUNECHECK_CONCAT(tunecheck_try_, __LINE__)).value()

// TUNECHECK_CHECK(expression): return the error of a Result<void>, or go on.
#define TUNECHECK_CHECK(expression)                                        \
  if (auto tunecheck_check_result = (expression); !tunecheck_check_result) \
  return ::tunecheck::failure(std::move(tunecheck_check_result).error())
