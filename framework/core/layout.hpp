#pragma once
// How the elements of a tensor lie in memory.
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tunecheck {

inline constexpr int max_rank = 8;

/// Shape and strides of a tensor, both in elements; a plain value. A stride may be 0 (broadcast) or
/// negative. Rank 0 is one element.
struct Layout {
  int rank = 0;
  std::array<std::int64_t, max_rank> shape{};
  std::array<std::int64_t, max_rank> strides{};

  /// Row-major, the last dimension with stride 1. `shape` has at most max_rank dimensions.
  [[nodiscard]] static Layout contiguous(std::span<const std::int64_t> shape);
  [[nodiscard]] static Layout strided(std::span<const std::int64_t> shape,
                                      std::span<const std::int64_t> strides);

  [[nodiscard]] std::span<const std::int64_t> dimensions() const {
    return {shape.data(), rank_size()};
  }
  [[nodiscard]] std::span<const std::int64_t> steps() const {
    return {strides.data(), rank_size()};
  }
  /// Number of elements, counting a broadcast element as often as it appears.
  [[nodiscard]] std::int64_t count() const;
  bool operator==(const Layout&) const = default;

 private:
  [[nodiscard]] std::size_t rank_size() const { return static_cast<std::size_t>(rank); }
};

/// The element offsets a layout touches, relative to its element [0, ..., 0]: first <= offset <
/// end. Empty (0, 0) for a tensor without elements.
struct Extent {
  std::int64_t first = 0;
  std::int64_t end = 0;
};
[[nodiscard]] Extent extent_of(const Layout& layout);

/// True where two different indices name the same element (a broadcast dimension of size > 1, or
/// strides that cross). Exact up to 2^22 elements; above that, crossing strides count as overlap.
[[nodiscard]] bool overlaps_itself(const Layout& layout);

/// The stride pattern that decides whether a winner may be reused: per dimension "0", "1" or "n"
/// for any other, joined by ",". A dimension of size 1 or less is "1": its stride is never used.
/// Source: FlyDSL PR 783.
[[nodiscard]] std::string stride_pattern(const Layout& layout);

/// Calls visit(linear index, element offset) for each index in row-major order.
template <class Visit>
void for_each_element(const Layout& layout, Visit&& visit) {
  const std::int64_t total = layout.count();
  std::array<std::int64_t, max_rank> index{};
  std::int64_t offset = 0;
  for (std::int64_t linear = 0; linear < total; ++linear) {
    visit(linear, offset);
    for (int d = layout.rank - 1; d >= 0; --d) {
      const auto dim = static_cast<std::size_t>(d);
      offset += layout.strides[dim];
      if (++index[dim] < layout.shape[dim]) break;
      offset -= layout.strides[dim] * layout.shape[dim];
      index[dim] = 0;
    }
  }
}

/// The multi-dimensional index of the `linear`-th element in row-major order.
[[nodiscard]] std::vector<std::int64_t> index_of(const Layout& layout, std::int64_t linear);

/// "[3, 17]".
[[nodiscard]] std::string format_index(std::span<const std::int64_t> index);

}  // namespace tunecheck
