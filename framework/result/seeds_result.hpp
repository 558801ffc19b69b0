#pragma once
// What the same scenarios gave with several seeds, one after another.
#include <cstdint>
#include <string>
#include <vector>

namespace tunecheck {

/// The run with one seed.
struct SeedRun {
  std::uint64_t seed = 0;
  int exit_status = 0;
  std::string result;               ///< its result.json, from the folder of seeds.json
  std::vector<std::string> failed;  ///< scenarios that failed or were in error, by name
};

/// Plain data. `exit_status` is the gravest of the seeds'; what is pending was not run.
struct SeedsResult {
  std::string tunecheck_version;
  std::string adapter;
  int exit_status = 0;
  std::vector<SeedRun> seeds;
  std::vector<std::uint64_t> pending;
};

}  // namespace tunecheck
