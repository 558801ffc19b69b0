#pragma once
// The reference tuner behind the adapter protocol; a program of its own, and of the mutants'.
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/protocol/messages.hpp"
#include "backend/backend.hpp"
#include "tuner/bundle/cache_archive.hpp"
#include "tuner/parts.hpp"

namespace tunecheck {

struct ReferenceAdapterSetup {
  std::string tuner = "reference";  ///< how it calls itself in `hello`
  TunerParts parts = TunerParts::standard();
  /// What `export` and `import` use, with the secret that they name.
  std::function<std::unique_ptr<CacheArchive>(const std::filesystem::path& cache_folder,
                                              const std::string& key)>
      make_archive = [](const auto& folder, const auto& key) {
        return std::make_unique<CacheArchive>(folder, key);
      };
  /// Changes the answer to one of these.
  std::function<void(protocol::ArchiveAnswer&)> before_archive_answer = [](auto&) {};
  /// Those that `hello` may ask for beside the one that the adapter is run with; they outlive it.
  std::vector<const Backend*> other_backends = {};
  /// Called with each request of a call, before anything is done for it; may change it.
  std::function<void(protocol::CallRequest&)> before_call = [](const auto&) {};
  /// Called when the caller's tensors are written, before the answer is given.
  std::function<void(const protocol::CallRequest&, protocol::CallAnswer&)> before_answer =
      [](const auto&, auto&) {};
  /// Called with each answer to a call, once it was given and before the next request is read.
  std::function<void(const protocol::CallAnswer&)> after_answer = [](const auto&) {};
  /// Called once `quit` has been answered.
  std::function<void()> on_quit = [] {};
};

/// What the adapter can do, as adapter.info declares it.
[[nodiscard]] const std::vector<std::string>& reference_capabilities();

/// Answers the requests of `requests` until `quit` or its end; each answer is one call of `answer`
/// with a line that has no newline. Winners are kept in the folder that TUNECHECK_CACHE_DIR names,
/// of the size that TUNECHECK_CACHE_LIMIT allows, or in memory only where there is no such folder
/// or TUNECHECK_CACHE_OFF says anything. Nothing is tuned where TUNECHECK_SEARCH_OFF says anything,
/// and stored winners are not used where TUNECHECK_SEARCH_ANEW does; where TUNECHECK_SEARCH_LAST
/// does, default configs go before a search. TUNECHECK_EFFORT says how much is searched.
/// TUNECHECK_TABLE names an offline table that is asked, TUNECHECK_TABLE_OUTPUT one that is told
/// winners. A request that makes no sense
/// is answered with an error, and the next one is read. Error of the kind bad_input, before the
/// first request is read: a variable says what makes no sense.
[[nodiscard]] Result<void> serve_requests(const Backend& backend,
                                          const ReferenceAdapterSetup& setup,
                                          std::istream& requests,
                                          const std::function<void(std::string_view)>& answer);

/// serve_requests on this process's stdin and stdout, for a main(): returns its exit status. Takes
/// stdout for the protocol alone; whatever else is written there, by a kernel for example, goes to
/// stderr, and so does the log. 3 where a variable says what makes no sense.
[[nodiscard]] int run_reference_adapter(const Backend& backend, ReferenceAdapterSetup setup);

}  // namespace tunecheck
