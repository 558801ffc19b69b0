#include "tuner/known_calls.hpp"

#include <algorithm>
#include <bit>

namespace tunecheck::detail {
namespace {

// As stride_pattern sees it: 0, 1 or another; a dimension of one element has no stride.
int stride_class(std::int64_t stride, std::int64_t size) {
  if (size <= 1) return 1;
  return stride == 0 ? 0 : stride == 1 ? 1 : 2;
}

// What is equal where dtype, alignment and rank are.
std::int64_t tag_of(const TensorView& tensor) {
  return static_cast<std::int64_t>(tensor.dtype) << 8 | tensor.layout.rank << 1 |
         static_cast<int>(is_aligned_16(tensor));
}

std::int64_t bits_of(const Scalar& scalar) {
  return std::bit_cast<std::int64_t>(scalar.value);
}

}  // namespace

CallPattern::CallPattern(const LaunchArguments& call, const std::vector<std::size_t>& key_scalars)
    : m_tensor_count(call.tensors.size()), m_scalar_count(call.scalars.size()) {
  for (const TensorView& tensor : call.tensors) {
    m_numbers.push_back(tag_of(tensor));
    for (const auto& numbers : {tensor.layout.dimensions(), tensor.layout.steps()})
      m_numbers.insert(m_numbers.end(), numbers.begin(), numbers.end());
  }
  for (const std::size_t i : key_scalars)
    m_numbers.push_back(bits_of(call.scalars[i]));
}

bool CallPattern::matches(const LaunchArguments& call,
                          const std::vector<std::size_t>& key_scalars) const {
  if (call.tensors.size() != m_tensor_count || call.scalars.size() != m_scalar_count) return false;
  const std::int64_t* known = m_numbers.data();
  for (const TensorView& tensor : call.tensors) {
    if (tag_of(tensor) != *known++) return false;
    const Layout& layout = tensor.layout;
    const auto rank = static_cast<std::size_t>(layout.rank);
    for (std::size_t d = 0; d < rank; ++d) {
      const std::int64_t size = known[d];
      const std::int64_t stride = known[rank + d];
      if (layout.shape[d] != size) return false;
      if (layout.strides[d] != stride &&
          stride_class(layout.strides[d], size) != stride_class(stride, size))
        return false;
    }
    known += 2 * rank;
  }
  return std::all_of(key_scalars.begin(), key_scalars.end(),
                     [&](std::size_t i) { return bits_of(call.scalars[i]) == *known++; });
}

void KnownCalls::add(const LaunchArguments& call, std::shared_ptr<const LoadedWinner> winner) {
  const std::scoped_lock lock(m_adding);
  const std::size_t count = m_count.load(std::memory_order_relaxed);
  if (count == most || find(call) != nullptr) return;
  m_known[count] =
      std::make_unique<const Known>(Known{CallPattern(call, m_key_scalars), std::move(winner)});
  m_count.store(count + 1, std::memory_order_release);
}

}  // namespace tunecheck::detail
