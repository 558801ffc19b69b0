#pragma once
// tunecheck gate: one session, from the command line to gate.json and the page.
#include <cstdint>
#include <string>
#include <vector>

#include "core/device_kinds.hpp"
#include "gate/rule/settings.hpp"

namespace tunecheck::cli {

struct GateArguments {
  std::vector<std::string> base, head;
  std::string against, database;  ///< a stored run in the place of `base`; of which history
  std::string adapter = "reference", out = "out", filter;
  DeviceKind backend = DeviceKind::cpu;
  std::vector<std::string> kernels, sizes, metrics, kernel_folders;
  std::vector<std::string> passed;  ///< arguments for programs of Google Benchmark
  std::uint64_t seed = 1;
  double delta = gate::Settings{}.delta, tolerance = gate::Settings{}.tolerance;  ///< shares
  int jobs = 0;
  bool fails_on_inconclusive = false;
  bool resumes = false;            ///< goes on with the session in `out`
  std::vector<std::string> given;  ///< the options of the command line
};

/// Why no metric has this name; "" where one has.
[[nodiscard]] std::string known_metric(const std::string& name);

/// Returns the exit status.
[[nodiscard]] int run_gate(const GateArguments& arguments);

}  // namespace tunecheck::cli
