#pragma once
// What overlaps_itself() need not be asked of, for calls that are hits: inline, without allocating.
#include <cstdint>

#include "core/layout.hpp"

namespace tunecheck {

/// True where each stride steps past all that the smaller ones reach, as in any view that is made
/// by slicing and transposing: then no two indices name one element. False where that is not
/// certain.
[[nodiscard]] inline bool has_nested_strides(const Layout& layout) noexcept {
  std::array<std::uint64_t, max_rank> steps{}, reaches{};  // by step, the smallest first
  std::size_t count = 0;
  for (std::size_t d = 0; d < static_cast<std::size_t>(layout.rank); ++d) {
    if (layout.shape[d] == 0) return true;
    if (layout.shape[d] == 1) continue;
    const auto stride = static_cast<std::uint64_t>(layout.strides[d]);
    const std::uint64_t step = layout.strides[d] < 0 ? 0 - stride : stride;
    std::size_t place = count++;
    for (; place > 0 && steps[place - 1] > step; --place) {
      steps[place] = steps[place - 1];
      reaches[place] = reaches[place - 1];
    }
    steps[place] = step;
    reaches[place] = step * static_cast<std::uint64_t>(layout.shape[d] - 1);
  }
  std::uint64_t reach = 0;  // highest offset that the smaller steps can make
  for (std::size_t i = 0; i < count; ++i) {
    if (steps[i] <= reach) return false;  // a step of 0, too
    reach += reaches[i];
  }
  return true;
}

}  // namespace tunecheck
