#pragma once
// A tensor in memory that somebody else owns.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "core/layout.hpp"

namespace tunecheck {

/// Points at element [0, ..., 0] of a tensor; owns nothing and may be copied freely. Two threads
/// may use one view while neither writes.
struct TensorView {
  std::byte* data = nullptr;
  DType dtype = DType::f32;
  Layout layout;
};

/// The addresses a view touches, padding between strides included.
struct ByteRange {
  std::byte* first = nullptr;
  std::byte* end = nullptr;
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end - first); }
};
[[nodiscard]] ByteRange byte_range(const TensorView& view);

/// True where an element of `a` shares a byte with an element of `b`. Exact up to 2^22 elements
/// each; above that, ranges that intersect count as overlap.
[[nodiscard]] bool overlap(const TensorView& a, const TensorView& b);

/// 16-byte alignment of element [0, ..., 0]: what decides between aligned and unaligned vector
/// loads.
[[nodiscard]] inline bool is_aligned_16(const TensorView& view) {
  return reinterpret_cast<std::uintptr_t>(view.data) % 16 == 0;
}

/// Copies all elements; same shape and dtype, any strides; the two must not overlap. Elements that
/// `to` holds once but shows often (broadcast) get the same value many times.
void copy_elements(const TensorView& from, const TensorView& to);

void fill_zero(const TensorView& view);
/// Fills each element with poison_pattern(dtype).
void fill_poison(const TensorView& view);

/// All elements in row-major order, and back. `values` has view.layout.count() entries.
[[nodiscard]] std::vector<double> to_doubles(const TensorView& view);
void from_doubles(std::span<const double> values, const TensorView& view);

/// Digest (16 hex digits) of dtype and elements in row-major order, whatever the strides, as
/// core/element_mix.h computes it; the launch probe and the judge use this one function, the GPU
/// probe the same arithmetic on the device.
[[nodiscard]] std::string digest_elements(const TensorView& view);
/// How a digest of element_mix.h is written.
[[nodiscard]] std::string format_digest(std::uint64_t digest);

}  // namespace tunecheck
