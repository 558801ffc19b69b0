#pragma once
// The gate's rule on this machine: sessions of a build with itself, and with itself slowed down. As
// in any session both sides are set up by themselves, anew each time: what five tunings found is a
// part of what differs by chance.
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "gate/measure/build.hpp"
#include "gate/rule/gate_result.hpp"

namespace tunecheck::gate {

struct RealCalibrationOptions {
  Build build;
  std::string kernel = "rmsnorm", size = "smoke";
  std::string metric = "winner_time";  ///< or "warm_start"
  std::size_t sessions = 200;          ///< of a build with itself; half as many slowed down
  std::uint64_t seed = 1;
  Settings settings;          ///< of each session
  std::filesystem::path out;  ///< takes work folders
  /// Called with each session of a build with itself that found a difference. Its seed is its own;
  /// the environment of its sides says which config each tuning chose.
  std::function<Result<void>(const GateResult&)> alarm;
  /// Called after each session.
  std::function<void(const std::string&)> progress;
};

/// Sessions of one benchmark, without canaries: these are what canaries would be.
struct RealRow {
  bool is_loaded = false;   ///< something else kept every core busy
  bool is_planted = false;  ///< one side was slowed down by Settings::planted
  std::size_t sessions = 0;
  std::array<std::size_t, 5> answers{};  ///< by Answer
  std::size_t pairs = 0;
  std::int64_t wall_ns = 0;
  double detectable = 0;  ///< sum of what sessions state, where they state anything
  std::size_t stated = 0;

  [[nodiscard]] std::size_t of(Answer answer) const {
    return answers.at(static_cast<std::size_t>(answer));
  }
};

struct RealCalibration {
  std::string metric, kernel, size, pinning;
  std::vector<RealRow> rows;

  /// Whether at most one session in 200 of a build with itself found it slower.
  [[nodiscard]] bool is_kept() const;
};

/// The error is the judge's own trouble, or a build that cannot tune.
[[nodiscard]] Result<RealCalibration> calibrate_for_real(const RealCalibrationOptions& options);

}  // namespace tunecheck::gate
