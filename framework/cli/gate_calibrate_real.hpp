#pragma once
// tunecheck gate calibrate on this machine: sessions that are played, stored, and shown.
#include <cstdint>
#include <string>
#include <vector>

#include "core/device_kinds.hpp"
#include "gate/rule/real_session.hpp"
#include "gate/rule/settings.hpp"

namespace tunecheck::cli {

struct RealArguments {
  std::size_t sessions = 0;
  std::string build, out = "out", load = "idle";
  std::vector<std::string> kernels, sizes, metrics;
  DeviceKind backend = DeviceKind::cpu;
  double head = 0;                                                                ///< share
  double delta = gate::Settings{}.delta, tolerance = gate::Settings{}.tolerance;  ///< shares
  std::size_t at_once = 1;
  bool is_whole = false;
  std::uint64_t seed = 1;
  std::string shard;  ///< "3/16" or "auto"
};

/// Plays what is missing in the file of sessions and shows all of it. Returns the exit status.
[[nodiscard]] int calibrate_on_this_machine(const RealArguments& arguments);

/// Shows how often these sessions were right. Returns the exit status.
[[nodiscard]] int show_rates(const std::vector<gate::RealSession>& sessions);

/// Shows the sessions of these files together. Returns the exit status.
[[nodiscard]] int show_sessions(const std::vector<std::string>& files);

}  // namespace tunecheck::cli
