#pragma once
// What may follow `tunecheck cache`. Two programs share it: tunecheck, for its help, its
// completion, its man pages and what it says of a mistake, and tunecheck-cache, which does the
// work. It knows nothing of the tuner, which tunecheck must not link.
#include <string>

#include <CLI/App.hpp>

namespace tunecheck::cache {

/// What a command line said; each command uses some of it.
struct Arguments {
  std::string cache, first, second, limit, file, key;
  bool json = false;
  bool dry = false;
};

/// Adds the commands to `app`, with examples below its help. `arguments` must outlive the app's
/// parse().
void describe_cache_usage(CLI::App& app, Arguments& arguments);

}  // namespace tunecheck::cache
