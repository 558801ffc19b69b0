#pragma once
// Whether the remote cache that this environment names can be used.
#include <string>

#include "core/result.hpp"

namespace tunecheck::cache {

struct RemoteState {
  std::string text;  ///< lines for a person
  bool answers = false;
};

/// Reads one value, of a name that no key has, and writes nothing. An error of the kind bad_input
/// where TUNECHECK_REMOTE is not set, or it or its kin make no sense.
[[nodiscard]] Result<RemoteState> try_remote();

}  // namespace tunecheck::cache
