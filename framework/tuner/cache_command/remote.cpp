#include "tuner/cache_command/remote.hpp"

#include <chrono>

#include "core/digest.hpp"
#include "tuner/remote/remote_cache.hpp"

namespace tunecheck::cache {

Result<RemoteState> try_remote() {
  TUNECHECK_TRY(const auto options, remote_options_from_environment());
  if (!options)
    return failure(ErrorKind::bad_input,
                   "TUNECHECK_REMOTE: expected the address of a remote cache");
  const auto store = open_remote_store(*options);
  const auto began = std::chrono::steady_clock::now();
  const auto value = store->get(artifact_digest(std::string_view("tunecheck cache remote")),
                                began + options->time_limit);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
  RemoteState state;
  // A server that has something under every name, such as one with a page for everybody, would
  // refuse no write and find no winner.
  state.answers = value && !*value;
  if (!value)
    state.text = value.error().text() + "\n";
  else if (*value)
    state.text = fmt::format(
        "{} answers, but it has a value of {} bytes under a name that nobody stores anything "
        "under: it is no remote cache\n",
        store->where(), (*value)->size());
  else
    state.text = fmt::format("{} answers; a read took {:.1f} ms, of at most {} ms\n",
                             store->where(), took.count(), options->time_limit.count());
  state.text += options->key.empty()
                    ? "no key: configs are shared and tried again, and no binaries\n"
                    : "winners are signed, and only signed ones are used\n";
  return state;
}

}  // namespace tunecheck::cache
