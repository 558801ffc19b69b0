#pragma once
// What tunecheck needs of this machine, and whether it is there.
#include <string>
#include <vector>

namespace tunecheck::cli {

struct Finding {
  enum class State {
    ok,
    missing,   ///< `run` cannot work without it
    optional,  ///< not there, and something is the poorer for it
  };
  State state = State::ok;
  std::string what;
  std::string text;    ///< what was found, or what is missing
  std::string remedy;  ///< how to get it; "" where it is there
};

/// Everything that is looked at, in the order in which a run needs it.
[[nodiscard]] std::vector<Finding> examine_machine();

}  // namespace tunecheck::cli
