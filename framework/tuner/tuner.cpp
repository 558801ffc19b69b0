#include "tuner/tuner.hpp"

#include <array>

#include "tuner/bound_kernel.hpp"

namespace tunecheck {

std::string_view name_of(CacheUse use) {
  constexpr std::array<std::string_view, 6> names = {"hit",      "miss",    "stale",
                                                     "disabled", "pending", "unchecked"};
  return names.at(static_cast<std::size_t>(use));
}

TunedKernel::TunedKernel(std::unique_ptr<detail::BoundKernel> bound) : m_bound(std::move(bound)) {}
TunedKernel::TunedKernel(TunedKernel&&) noexcept = default;
TunedKernel& TunedKernel::operator=(TunedKernel&&) noexcept = default;
TunedKernel::~TunedKernel() = default;

Result<CallReport> TunedKernel::call(const LaunchArguments& arguments) {
  return m_bound->call(arguments);
}

Result<CallReport> TunedKernel::call(std::span<const NamedTensor> tensors,
                                     const std::map<std::string, double>& scalars, Stream stream) {
  return m_bound->call(tensors, scalars, stream);
}

Tuner::Tuner(const Backend& backend, TunerOptions options, TunerParts parts)
    : m_state(std::make_unique<detail::TunerState>(backend, std::move(options), std::move(parts))) {
}
Tuner::~Tuner() = default;

Result<BundleBegun> Tuner::begin_program(const BundleOptions& options) {
  if (m_state->options.cache_folder.empty())
    return failure(ErrorKind::bad_input, "a bundle needs a cache folder");
  m_state->bundle = m_state->parts.make_bundle(options, m_state->options.cache_folder);
  return m_state->bundle->begin();
}

Result<std::size_t> Tuner::end_program() {
  if (m_state->bundle == nullptr)
    return failure(ErrorKind::bad_input, "no program has begun that could end");
  return m_state->bundle->end(m_state->used.all());
}

Result<TunedKernel> Tuner::bind(TuneRequest request) {
  TUNECHECK_TRY(auto bound, detail::BoundKernel::create(*m_state, std::move(request)));
  return TunedKernel(std::move(bound));
}

}  // namespace tunecheck
