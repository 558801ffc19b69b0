#include "observe/gpu/digest_plan.hpp"

namespace tunecheck::gpu {

const Tensors* DigestPlan::before_event(const StreamKey& stream) {
  m_kept.reset();
  const auto found = m_streams.find(stream);
  if (found == m_streams.end() || std::exchange(found->second.launched, false)) return nullptr;
  return &found->second.tensors;
}

void DigestPlan::keep(const StreamKey& stream, Taken taken) {
  m_kept.emplace(stream, std::move(taken));
}

void DigestPlan::waited() {
  for (auto& [stream, known] : m_streams)
    known.launched = false;
}

std::optional<Taken> DigestPlan::at_launch(const StreamKey& stream, const Tensors& tensors) {
  auto kept = std::exchange(m_kept, std::nullopt);
  Stream& known = m_streams[stream];
  known.launched = true;
  if (kept && kept->first == stream && known.tensors == tensors) return std::move(kept->second);
  known.tensors = tensors;
  return std::nullopt;
}

}  // namespace tunecheck::gpu
