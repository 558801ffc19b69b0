#include "tuner/compile_batch.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace tunecheck {

CompileBatch::CompileBatch(const Backend& backend, std::vector<std::size_t> places,
                           std::vector<CompileRequest> requests, int jobs)
    : m_places(std::move(places)), m_requests(std::move(requests)), m_results(m_requests.size()) {
  if (m_requests.empty()) return;
  try {
    m_thread = std::jthread([this, &backend, jobs] { compile(backend, jobs); });
  } catch (const std::system_error&) {
    compile(backend, jobs);
  }
}

Result<Artifact> CompileBatch::take(std::size_t place) {
  const auto found = std::find(m_places.begin(), m_places.end(), place);
  const auto at = static_cast<std::size_t>(found - m_places.begin());
  std::unique_lock lock(m_mutex);
  m_is_done.wait(lock, [&] { return m_results[at].has_value() || m_thrown != nullptr; });
  if (!m_results[at]) std::rethrow_exception(m_thrown);
  return std::move(*m_results[at]);
}

void CompileBatch::compile(const Backend& backend, int jobs) noexcept {
  try {
    (void)backend.compile_all(
        m_requests, jobs,
        [this](std::size_t at, const Result<Artifact>& result) { finish(at, result); });
    // Whoever waits gets an answer.
    for (std::size_t at = 0; at < m_requests.size(); ++at)
      finish(at, failure("the backend said nothing of it"));
  } catch (...) {
    const std::scoped_lock lock(m_mutex);
    m_thrown = std::current_exception();
    m_is_done.notify_all();
  }
}

void CompileBatch::finish(std::size_t at, const Result<Artifact>& result) {
  const std::scoped_lock lock(m_mutex);
  if (m_results[at]) return;
  m_results[at] = result;
  m_is_done.notify_all();
}

std::unique_ptr<CompileBatch> start_batch(const TuningInput& tuning,
                                          std::vector<std::size_t> places) {
  const TuneRequest& request = tuning.request;
  std::vector<DType> dtypes;
  for (const TensorView& tensor : tuning.call.launch.tensors)
    dtypes.push_back(tensor.dtype);
  std::vector<CompileRequest> requests;
  for (const std::size_t place : places)
    requests.push_back({&request.kernel, dtypes, tuning.facts.configs[place], tuning.facts.arch,
                        request.compile_options, request.sizes});
  const int jobs =
      tuning.parts.compile_jobs(request.compile_jobs.value_or(tuning.options.compile_jobs),
                                tuning.options.compile_memory_bytes);
  return std::make_unique<CompileBatch>(tuning.backend, std::move(places), std::move(requests),
                                        jobs);
}

}  // namespace tunecheck
