#include "core/tensor_view.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "core/element_mix.h"

namespace tunecheck {
namespace {

// Calls visit(element offset, elements) for each run of elements that lie one behind the other.
template <class Visit>
void for_each_run(const Layout& layout, Visit&& visit) {
  if (layout.count() == 0) return;
  Layout outer = layout;
  std::int64_t run = 1;
  while (outer.rank > 0) {
    const auto last = static_cast<std::size_t>(outer.rank - 1);
    if (outer.strides[last] != run && outer.shape[last] != 1) break;
    run *= outer.shape[last];
    --outer.rank;
  }
  for_each_element(outer, [&](std::int64_t, std::int64_t offset) { visit(offset, run); });
}

std::byte* element_at(const TensorView& view, std::int64_t offset) {
  return view.data + offset * static_cast<std::int64_t>(size_of(view.dtype));
}

bool is_contiguous(const Layout& layout) {
  const Layout plain = Layout::contiguous(layout.dimensions());
  for (std::size_t d = 0; d < layout.dimensions().size(); ++d)
    if (layout.shape[d] > 1 && layout.strides[d] != plain.strides[d]) return false;
  return true;
}

// Copies between a view and elements packed one behind the other.
template <bool pack>
void transfer(const TensorView& view, std::byte* packed) {
  const std::size_t size = size_of(view.dtype);
  for_each_run(view.layout, [&](std::int64_t offset, std::int64_t run) {
    const std::size_t bytes = static_cast<std::size_t>(run) * size;
    if constexpr (pack)
      std::memcpy(packed, element_at(view, offset), bytes);
    else
      std::memcpy(element_at(view, offset), packed, bytes);
    packed += bytes;
  });
}

std::size_t packed_bytes(const TensorView& view) {
  return static_cast<std::size_t>(view.layout.count()) * size_of(view.dtype);
}

// What `count` elements that lie one behind the other add to a digest; `index` is the first one's.
// In blocks with a sum for each place, of which a compiler makes vectors where the machine
// multiplies vectors of 64-bit numbers.
template <class Bits>
[[gnu::always_inline]] inline std::uint64_t sum_of_run(const std::byte* elements,
                                                       std::uint64_t count, std::uint64_t index) {
  constexpr std::size_t block = 16;
  std::array<std::uint64_t, block> sums{};
  std::uint64_t i = 0;
  for (; i + block <= count; i += block) {
    std::array<Bits, block> bits;
    std::memcpy(bits.data(), elements + i * sizeof(Bits), sizeof bits);
    for (std::size_t place = 0; place < block; ++place)
      sums[place] += mix_element(bits[place], index + i + place);
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t each : sums)
    sum += each;
  for (; i < count; ++i) {
    Bits bits;
    std::memcpy(&bits, elements + i * sizeof(Bits), sizeof(Bits));
    sum += mix_element(bits, index + i);
  }
  return sum;
}

[[gnu::always_inline]] inline std::uint64_t sum_of_run(std::size_t element_size,
                                                       const std::byte* elements,
                                                       std::uint64_t count, std::uint64_t index) {
  switch (element_size) {
    case 8:
      return sum_of_run<std::uint64_t>(elements, count, index);
    case 4:
      return sum_of_run<std::uint32_t>(elements, count, index);
    case 2:
      return sum_of_run<std::uint16_t>(elements, count, index);
    default:
      return sum_of_run<std::uint8_t>(elements, count, index);
  }
}

using SumOfRun = std::uint64_t (*)(std::size_t element_size, const std::byte* elements,
                                   std::uint64_t count, std::uint64_t index);

std::uint64_t sum_anywhere(std::size_t element_size, const std::byte* elements, std::uint64_t count,
                           std::uint64_t index) {
  return sum_of_run(element_size, elements, count, index);
}

#if defined(__x86_64__)
// It multiplies vectors of 64-bit numbers: digests around each launch are much of what a run takes.
[[gnu::target("avx512f,avx512dq")]] std::uint64_t sum_by_avx512(std::size_t element_size,
                                                                const std::byte* elements,
                                                                std::uint64_t count,
                                                                std::uint64_t index) {
  return sum_of_run(element_size, elements, count, index);
}
#endif

SumOfRun fastest_sum() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512dq")) return sum_by_avx512;
#endif
  return sum_anywhere;
}

}  // namespace

ByteRange byte_range(const TensorView& view) {
  const Extent extent = extent_of(view.layout);
  return {element_at(view, extent.first), element_at(view, extent.end)};
}

bool overlap(const TensorView& a, const TensorView& b) {
  const ByteRange x = byte_range(a);
  const ByteRange y = byte_range(b);
  std::byte* const first = std::max(x.first, y.first);
  std::byte* const end = std::min(x.end, y.end);
  if (first >= end) return false;
  if (is_contiguous(a.layout) && is_contiguous(b.layout)) return true;
  constexpr std::int64_t exact_limit = std::int64_t{1} << 22;
  if (std::max(a.layout.count(), b.layout.count()) > exact_limit) return true;
  std::vector<bool> touched(static_cast<std::size_t>(end - first));
  const auto each_byte = [&](const TensorView& view, auto&& act) {
    for_each_element(view.layout, [&](std::int64_t, std::int64_t offset) {
      std::byte* const at = element_at(view, offset);
      for (std::byte* p = std::max(at, first); p < std::min(at + size_of(view.dtype), end); ++p)
        act(static_cast<std::size_t>(p - first));
    });
  };
  bool shared = false;
  each_byte(a, [&](std::size_t byte) { touched[byte] = true; });
  each_byte(b, [&](std::size_t byte) { shared = shared || touched[byte]; });
  return shared;
}

void copy_elements(const TensorView& from, const TensorView& to) {
  if (is_contiguous(from.layout)) return transfer<false>(to, from.data);
  if (is_contiguous(to.layout)) return transfer<true>(from, to.data);
  std::vector<std::byte> packed(packed_bytes(from));
  transfer<true>(from, packed.data());
  transfer<false>(to, packed.data());
}

void fill_zero(const TensorView& view) {
  const std::size_t size = size_of(view.dtype);
  for_each_run(view.layout, [&](std::int64_t offset, std::int64_t run) {
    std::memset(element_at(view, offset), 0, static_cast<std::size_t>(run) * size);
  });
}

void fill_poison(const TensorView& view) {
  const auto pattern = poison_pattern(view.dtype);
  for_each_element(view.layout, [&](std::int64_t, std::int64_t offset) {
    std::memcpy(element_at(view, offset), pattern.data(), pattern.size());
  });
}

std::vector<double> to_doubles(const TensorView& view) {
  std::vector<double> values(static_cast<std::size_t>(view.layout.count()));
  for_each_element(view.layout, [&](std::int64_t linear, std::int64_t offset) {
    values[static_cast<std::size_t>(linear)] = load_element(view.dtype, element_at(view, offset));
  });
  return values;
}

void from_doubles(std::span<const double> values, const TensorView& view) {
  for_each_element(view.layout, [&](std::int64_t linear, std::int64_t offset) {
    store_element(view.dtype, element_at(view, offset), values[static_cast<std::size_t>(linear)]);
  });
}

std::string digest_elements(const TensorView& view) {
  static const SumOfRun sum_of = fastest_sum();
  std::uint64_t sum = 0;
  std::uint64_t index = 0;
  for_each_run(view.layout, [&](std::int64_t offset, std::int64_t run) {
    const auto elements = static_cast<std::uint64_t>(run);
    sum += sum_of(size_of(view.dtype), element_at(view, offset), elements, index);
    index += elements;
  });
  return format_digest(finish_digest(sum, index, static_cast<int>(view.dtype)));
}

std::string format_digest(std::uint64_t digest) {
  return fmt::format("{:016x}", digest);
}

}  // namespace tunecheck
