#include "tuner/known_calls.hpp"

#include <bit>

namespace tunecheck::detail {
namespace {

// As stride_pattern sees it: 0, 1 or another; a dimension of one element has no stride.
int stride_class(std::int64_t stride, std::int64_t size) {
  if (size <= 1) return 1;
  return stride == 0 ? 0 : stride == 1 ? 1 : 2;
}

bool same_class(const Layout& a, const Layout& b) {
  if (a.rank != b.rank) return false;
  for (std::size_t d = 0; d < static_cast<std::size_t>(a.rank); ++d) {
    if (a.shape[d] != b.shape[d]) return false;
    if (a.strides[d] != b.strides[d] &&
        stride_class(a.strides[d], a.shape[d]) != stride_class(b.strides[d], b.shape[d]))
      return false;
  }
  return true;
}

}  // namespace

CallPattern::CallPattern(const LaunchArguments& call, const std::vector<std::size_t>& key_scalars)
    : m_scalar_count(call.scalars.size()) {
  for (const TensorView& tensor : call.tensors)
    m_tensors.push_back({tensor.dtype, is_aligned_16(tensor), tensor.layout});
  for (const std::size_t i : key_scalars)
    m_scalars.push_back(std::bit_cast<std::uint64_t>(call.scalars[i].value));
}

bool CallPattern::matches(const LaunchArguments& call,
                          const std::vector<std::size_t>& key_scalars) const {
  if (call.tensors.size() != m_tensors.size() || call.scalars.size() != m_scalar_count)
    return false;
  for (std::size_t i = 0; i < m_tensors.size(); ++i) {
    const TensorView& tensor = call.tensors[i];
    const Tensor& known = m_tensors[i];
    if (tensor.dtype != known.dtype || is_aligned_16(tensor) != known.aligned ||
        !same_class(tensor.layout, known.layout))
      return false;
  }
  for (std::size_t i = 0; i < key_scalars.size(); ++i)
    if (std::bit_cast<std::uint64_t>(call.scalars[key_scalars[i]].value) != m_scalars[i])
      return false;
  return true;
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
