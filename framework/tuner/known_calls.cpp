#include "tuner/known_calls.hpp"

namespace tunecheck::detail {

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

void KnownCalls::add(const LaunchArguments& call, std::shared_ptr<const LoadedWinner> winner) {
  const std::scoped_lock lock(m_adding);
  const std::size_t count = m_count.load(std::memory_order_relaxed);
  if (count == most || find(call) != nullptr) return;
  m_known[count] = {
      {winner->config, winner->module.get()}, CallPattern(call, m_key_scalars), std::move(winner)};
  m_count.store(count + 1, std::memory_order_release);
}

}  // namespace tunecheck::detail
