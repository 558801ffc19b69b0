#pragma once
// Exit statuses of `tunecheck`. When several apply, the first of untrusted, bad_input, failed,
// regressed, undecided is returned; counts never become statuses.

namespace tunecheck::cli {

enum Status : int {
  held = 0,
  failed = 1,     ///< a check failed; a kernel is not proved; the audit is incomplete
  regressed = 2,  ///< something is slower
  bad_input = 3,  ///< a mistake in the command line or in a file
  untrusted = 4,  ///< the run itself is not to be trusted: nothing ran, something is missing
  undecided = 5,  ///< inconclusive, where that is to fail
};

}  // namespace tunecheck::cli
