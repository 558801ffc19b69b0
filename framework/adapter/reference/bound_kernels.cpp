#include "adapter/reference/bound_kernels.hpp"

#include <algorithm>

#include "core/digest.hpp"
#include "core/files.hpp"

namespace tunecheck {
namespace {

// A text that ends where the next begins, whatever it holds.
std::string delimited(const std::string& text) {
  return fmt::format("{}:{}", text.size(), text);
}

std::string settings_of(protocol::CallRequest request) {
  request.tensors.clear();
  request.scalars.clear();
  request.burst.reset();
  request.gpu = {};
  request.facts = {};
  return protocol::to_line(request);
}

// All that Tuner::bind() reads.
Result<std::string> identity_of(const Backend& backend, const protocol::CallRequest& request,
                                const KernelDefinition& kernel) {
  std::string text = delimited(settings_of(request));
  TUNECHECK_TRY(const std::string file, read_text_file(request.kernel_folder / "kernel.info"));
  text += delimited(file);
  TUNECHECK_TRY(const KernelSources sources, backend.sources(kernel));
  text += delimited(sources.source.text);
  for (const SourceText& header : sources.headers)
    text += delimited(header.name) + delimited(header.text);
  for (const auto& [name, value] : key_environment(backend, kernel))
    text += delimited(name) + (value ? delimited(*value) : "unset");
  const auto toolchain = backend.toolchain_fingerprint();
  text += delimited(toolchain ? *toolchain : toolchain.error().text());
  return artifact_digest(text);
}

}  // namespace

Result<std::shared_ptr<TunedKernel>> BoundKernels::bind(Tuner& tuner, const Backend& backend,
                                                        const protocol::CallRequest& request,
                                                        TuneRequest tune) {
  TUNECHECK_TRY(const std::string identity, identity_of(backend, request, tune.kernel));
  const std::lock_guard lock(m_mutex);
  const auto found = std::find_if(m_bound.begin(), m_bound.end(),
                                  [&](const Bound& bound) { return bound.identity == identity; });
  if (found != m_bound.end()) return found->kernel;
  TUNECHECK_TRY(TunedKernel kernel, tuner.bind(std::move(tune)));
  if (m_bound.size() == most) m_bound.pop_front();
  return m_bound.emplace_back(Bound{identity, std::make_shared<TunedKernel>(std::move(kernel))})
      .kernel;
}

}  // namespace tunecheck
