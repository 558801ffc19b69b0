#pragma once
// What the files of watched programs share.
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <string>

#include "small_tuner.hpp"

namespace watched {

using Programs = std::map<std::string, std::function<void()>>;

inline constexpr std::int64_t size = 4096;

inline Matrix numbered(float first) {
  Matrix matrix(size);
  std::iota(matrix.data.begin(), matrix.data.end(), first);
  return matrix;
}

inline double sum(const Matrix& matrix) {
  return std::accumulate(matrix.data.begin(), matrix.data.end(), 0.0);
}

// The program comes back to a config that it had tried before others, which tells a tuning from a
// list of launches.
inline int first(int) {
  return 0;
}

/// Four steps, so that it is not a benchmark with a control: three launches time each config.
void train(SmallTuner& sgd, int steps = 4);

/// Programs whose mistakes show when they are ready, or when what they are made from is edited.
[[nodiscard]] Programs programs_with_a_life();
/// Programs that are right, in some way in which programs come and go.
[[nodiscard]] Programs programs_of_processes();

/// Programs that look like a tuner at work, or like one that has gone wrong, and are right.
[[nodiscard]] Programs programs_on_purpose();

}  // namespace watched
