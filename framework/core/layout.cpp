#include "core/layout.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tunecheck {

Layout Layout::contiguous(std::span<const std::int64_t> shape) {
  Layout layout;
  layout.rank = static_cast<int>(shape.size());
  std::int64_t step = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    layout.shape.at(d) = shape[d];
    layout.strides.at(d) = step;
    step *= std::max<std::int64_t>(shape[d], 1);
  }
  return layout;
}

Layout Layout::strided(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides) {
  Layout layout = contiguous(shape);
  std::copy(strides.begin(), strides.end(), layout.strides.begin());
  return layout;
}

std::int64_t Layout::count() const {
  std::int64_t total = 1;
  for (const std::int64_t size : dimensions())
    total *= size;
  return total;
}

Extent extent_of(const Layout& layout) {
  if (layout.count() == 0) return {};
  Extent extent{0, 1};
  for (int d = 0; d < layout.rank; ++d) {
    const auto dim = static_cast<std::size_t>(d);
    const std::int64_t reach = (layout.shape[dim] - 1) * layout.strides[dim];
    (reach < 0 ? extent.first : extent.end) += reach;
  }
  return extent;
}

bool overlaps_itself(const Layout& layout) {
  struct Dimension {
    std::int64_t step, size;
  };
  std::vector<Dimension> dims;
  for (int d = 0; d < layout.rank; ++d) {
    const auto dim = static_cast<std::size_t>(d);
    if (layout.shape[dim] == 0) return false;
    if (layout.shape[dim] > 1) dims.push_back({std::abs(layout.strides[dim]), layout.shape[dim]});
  }
  std::sort(dims.begin(), dims.end(), [](auto& a, auto& b) { return a.step < b.step; });
  std::int64_t reach = 0;  // highest offset the smaller steps can make
  bool crossing = false;
  for (const Dimension& dim : dims) {
    if (dim.step == 0) return true;
    crossing = crossing || dim.step <= reach;
    reach += (dim.size - 1) * dim.step;
  }
  if (!crossing) return false;
  constexpr std::int64_t exact_limit = std::int64_t{1} << 22;
  if (layout.count() > exact_limit || reach > 64 * exact_limit) return true;
  const Extent extent = extent_of(layout);
  std::vector<bool> seen(static_cast<std::size_t>(extent.end - extent.first));
  bool twice = false;
  for_each_element(layout, [&](std::int64_t, std::int64_t offset) {
    auto slot = seen[static_cast<std::size_t>(offset - extent.first)];
    twice = twice || slot;
    slot = true;
  });
  return twice;
}

std::string stride_pattern(const Layout& layout) {
  std::string pattern;
  for (int d = 0; d < layout.rank; ++d) {
    const auto dim = static_cast<std::size_t>(d);
    if (d > 0) pattern += ',';
    const std::int64_t stride = layout.shape[dim] <= 1 ? 1 : layout.strides[dim];
    pattern += stride == 0 ? '0' : stride == 1 ? '1' : 'n';
  }
  return pattern;
}

std::vector<std::int64_t> index_of(const Layout& layout, std::int64_t linear) {
  std::vector<std::int64_t> index(static_cast<std::size_t>(layout.rank));
  for (std::size_t d = index.size(); d-- > 0;) {
    const std::int64_t size = std::max<std::int64_t>(layout.shape[d], 1);
    index[d] = linear % size;
    linear /= size;
  }
  return index;
}

std::string format_index(std::span<const std::int64_t> index) {
  return fmt::format("[{}]", fmt::join(index, ", "));
}

}  // namespace tunecheck
