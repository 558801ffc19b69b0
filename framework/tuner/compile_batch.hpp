#pragma once
// Compiles that go on while what is done is used.
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "backend/backend.hpp"
#include "tuner/tuning.hpp"

namespace tunecheck {

/// Compiles all requests in a thread of its own, as Backend::compile_all does; where no thread can
/// be had, before the constructor returns. The backend and the kernels of the requests must live as
/// long as this does; its end waits for the compilers.
class CompileBatch {
 public:
  /// `places`: of each request's config in its space.
  CompileBatch(const Backend& backend, std::vector<std::size_t> places,
               std::vector<CompileRequest> requests, int jobs);
  CompileBatch(const CompileBatch&) = delete;
  CompileBatch& operator=(const CompileBatch&) = delete;
  ~CompileBatch() = default;

  [[nodiscard]] const std::vector<std::size_t>& places() const { return m_places; }
  /// Waits until the request of this place is done. To be asked once for each place. Throws what
  /// the backend threw, if it did before it came to this one.
  [[nodiscard]] Result<Artifact> take(std::size_t place);

 private:
  void compile(const Backend& backend, int jobs) noexcept;
  void finish(std::size_t at, const Result<Artifact>& result);

  const std::vector<std::size_t> m_places;
  const std::vector<CompileRequest> m_requests;
  std::mutex m_mutex;
  std::condition_variable m_is_done;
  std::vector<std::optional<Result<Artifact>>> m_results;  // under m_mutex, as what follows
  std::exception_ptr m_thrown;
  std::jthread m_thread;  // ends before what it uses
};

/// Those configs of the tuning's space, with as many compilers at once as it may have.
[[nodiscard]] std::unique_ptr<CompileBatch> start_batch(const TuningInput& tuning,
                                                        std::vector<std::size_t> places);

}  // namespace tunecheck
