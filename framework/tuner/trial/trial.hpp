#pragma once
// What one config did when it was tried.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/config.hpp"

namespace tunecheck {

/// One config, compiled and measured, or the reason why not. The times are of one launch.
struct Trial {
  Config config;
  std::string failure;   ///< "" where the config was measured and its result was right
  double median_ns = 0;  ///< 0 where it failed, as are the next three
  double low_ns = 0;     ///< 95 % interval of the median, from order statistics
  double high_ns = 0;
  int reps = 0;

  /// True where the config may win: it ran, was measured, and nothing spoke against it.
  [[nodiscard]] bool measured() const { return failure.empty() && reps > 0; }
  bool operator==(const Trial&) const = default;
};

/// The measured trial with the smallest median (the first of equals), or nothing where none was
/// measured. One fast rep does not make a winner: helion#2377.
[[nodiscard]] std::optional<std::size_t> fastest_trial(std::span<const Trial> trials);

/// The reasons for which `trials` failed, each once with one config as its example, shortened.
[[nodiscard]] std::string summarise_failures(std::span<const Trial> trials);

}  // namespace tunecheck
