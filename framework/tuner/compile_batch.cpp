#include "tuner/compile_batch.hpp"

#include <exception>
#include <utility>

namespace tunecheck {

CompileBatch::CompileBatch(const Backend& backend, std::vector<CompileRequest> requests, int jobs)
    : m_requests(std::move(requests)), m_results(m_requests.size()) {
  if (!m_requests.empty())
    m_thread = std::jthread([this, &backend, jobs] { compile(backend, jobs); });
}

Result<Artifact> CompileBatch::take(std::size_t at) {
  std::unique_lock lock(m_mutex);
  m_is_done.wait(lock, [&] { return m_results[at].has_value(); });
  return std::move(*m_results[at]);
}

void CompileBatch::compile(const Backend& backend, int jobs) {
  std::string why = "the backend said nothing of it";
  try {
    (void)backend.compile_all(
        m_requests, jobs,
        [this](std::size_t at, const Result<Artifact>& result) { finish(at, result); });
  } catch (const std::exception& error) {
    why = error.what();
  }
  // Whoever waits gets an answer.
  for (std::size_t at = 0; at < m_requests.size(); ++at)
    finish(at, failure("{}", why));
}

void CompileBatch::finish(std::size_t at, const Result<Artifact>& result) {
  const std::scoped_lock lock(m_mutex);
  if (m_results[at]) return;
  m_results[at] = result;
  m_is_done.notify_all();
}

}  // namespace tunecheck
