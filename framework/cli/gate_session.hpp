#pragma once
// tunecheck gate: one session, from the command line to gate.json and the page.
#include <cstdint>
#include <string>
#include <vector>

namespace tunecheck::cli {

struct GateArguments {
  std::vector<std::string> base, head;
  std::string adapter = "reference", backend = "cpu", out = "out", filter;
  std::vector<std::string> kernels, sizes, metrics, kernel_folders;
  std::uint64_t seed = 1;
  int jobs = 0;
  bool fails_on_inconclusive = false;
  std::string resumed;  ///< the output folder of the session to go on with; "" for a new one
};

/// Returns the exit status.
[[nodiscard]] int run_gate(const GateArguments& arguments);

}  // namespace tunecheck::cli
