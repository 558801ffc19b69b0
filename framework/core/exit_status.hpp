#pragma once
// The exit statuses of tunecheck's programs. The table, the status of an error, and which of
// several statuses counts stand here and nowhere else.
#include <initializer_list>

#include "core/result.hpp"

namespace tunecheck::status {

/// As README.md and `tunecheck --help` list them; counts never become statuses. Unscoped, since a
/// program returns an int.
enum Status : int {
  held = 0,
  failed = 1,     ///< a check failed; a kernel is not proved; the audit is incomplete
  regressed = 2,  ///< something is slower
  bad_input = 3,  ///< a mistake in the command line or in a file
  untrusted = 4,  ///< the run itself is not to be trusted: nothing ran, something is missing
  undecided = 5,  ///< inconclusive, where that is to fail
};

/// The one that a program ends with when several apply: the first of untrusted, bad_input, failed,
/// regressed, undecided, held.
[[nodiscard]] Status gravest(std::initializer_list<Status> statuses);

/// bad_input for a mistake of the user's. After any other error there is no result to be trusted.
[[nodiscard]] Status status_of(const Error& error);

}  // namespace tunecheck::status
