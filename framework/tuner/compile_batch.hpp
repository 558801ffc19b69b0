#pragma once
// Compiles that go on while what is done is used.
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "backend/backend.hpp"

namespace tunecheck {

/// Compiles all requests in a thread of its own, as Backend::compile_all does. The backend and the
/// kernels of the requests must live as long as this does; its end waits for the compilers.
class CompileBatch {
 public:
  CompileBatch(const Backend& backend, std::vector<CompileRequest> requests, int jobs);
  CompileBatch(const CompileBatch&) = delete;
  CompileBatch& operator=(const CompileBatch&) = delete;
  ~CompileBatch() = default;

  /// Waits until the request at this place is done. To be asked once for each place.
  [[nodiscard]] Result<Artifact> take(std::size_t at);

 private:
  void compile(const Backend& backend, int jobs);
  void finish(std::size_t at, const Result<Artifact>& result);

  const std::vector<CompileRequest> m_requests;
  std::mutex m_mutex;
  std::condition_variable m_is_done;
  std::vector<std::optional<Result<Artifact>>> m_results;  // under m_mutex
  std::jthread m_thread;                                   // ends before what it uses
};

}  // namespace tunecheck
