// What an adapter may declare that its tuner can do; docs/scenarios.md says what each one means.
#include "harness/process/adapter_info.hpp"

namespace tunecheck {

const std::vector<std::string>& known_capabilities() {
  static const std::vector<std::string> names = {
      // a caller may name the arguments, in any order
      "named_arguments",

      "cache",             // keeps winners on disk, in the folder that cache_variable names
      "artifact",          // keeps the winner's binary too, and loads it without compiling
      "in_place",          // restore_value
      "accumulate",        // reset_to_zero
      "strided",           // tensors of any strides
      "alias",             // two arguments that are the same memory
      "dtype",             // a call may choose another dtype
      "arch",              // a call may choose the arch
      "options",           // a call may add compiler options
      "space",             // a call may narrow the space
      "sources",           // compiles the kernel's own source, with the compiler that it finds
      "toolchain",         // compiles with what it finds where the judge puts a compiler
      "headers",           // the kernel's source may include headers of its own
      "environment",       // the kernel may name variables that belong to the key
      "live_environment",  // a variable may change between two calls of one process
      std::string(keyed_variables_capability),  // names variables that belong to the key
      std::string(free_variables_capability),   // names variables that do not
      "isolation",                              // a config that crashes or hangs costs one trial
      "memory_limit",                           // and so does one that takes memory without end
      "validation",                             // a config that computes wrongly cannot win
      "trial_report",     // answers list every trial with its median or the reason of its failure
      "explain",          // answers say why a cached winner was not used
      "hook",             // a call may bring a hook that runs before each launch
      "threads",          // several calls at the same moment, each in a thread of its own
      "resume",           // a tuning that was killed goes on with what had been measured
      "bounded",          // keeps the cache folder below the size in TUNECHECK_CACHE_LIMIT
      "lock_limit",       // waits for another process no longer than TUNECHECK_LOCK_LIMIT_MS says
      "burst",            // makes many calls for one request
      "precompile",       // compiles as many configs at once as a call allows
      "remote",           // shares winners by a remote cache: section remote
      "remote_key",       // takes only what was signed with its secret
      "remote_salt",      // two salts share nothing
      "remote_report",    // answers say what came of the remote cache
      "table",            // an offline table can be written and read: section table
      "table_nearest",    // of its sizes, the nearest ones serve a call
      "table_code",       // it does not serve a kernel whose code has changed
      "table_dtype",      // nor a call with other dtypes
      "table_report",     // answers say what came of the table
      "bundle",           // a program's entries go into one file and come out of it: section bundle
      "bundle_key",       // it takes only what was signed with its secret
      "pending",          // a call may not wait for a search: the winner comes later
      "pending_report",   // answers count the calls that got another config meanwhile
      "archive",          // writes all entries to a file, and reads such a file: export, import
      "archive_key",      // takes only a file that was signed with its secret
      "bundle_report",    // answers say what came of the bundle
      "explicit_config",  // a call may name the config to launch
      "search",           // a call may choose the search strategy and its budget
      "search_on",        // a larger search does not repeat what a smaller one has measured
      "streams",          // a call may come on a stream of the caller's on which work is under way
      "capture",          // a call may come while its stream is captured
      "contexts",         // one process may call in several contexts of a device
      "devices",          // a call may choose among several devices
      "device_memory"     // answers say how much device memory the copies of the arguments took
  };
  return names;
}

}  // namespace tunecheck
