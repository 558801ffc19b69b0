#include "judge/check.hpp"

#include <algorithm>
#include <array>

#include "judge/checks.hpp"

namespace tunecheck {
namespace {

using enum Severity;
using enum CheckParameter;

constexpr auto table = std::to_array<Check>({
    {"output.reference", "restore", exact, none, Always::every_call,
     "the caller gets the result of a single clean run on its own arguments",
     checks::output_reference},
    {"inputs.pristine", "restore", exact, none, Always::watched_call,
     "every launch sees the caller's content in what is restored, and zeros in what is reset",
     checks::inputs_pristine},
    {"inputs.read_only_untouched", "restore", exact, none, Always::every_call,
     "arguments that are only read keep every byte", checks::inputs_read_only_untouched},
    {"guard.intact", "restore", exact, none, Always::every_call,
     "canaries around each tensor and between its strides keep every byte", checks::guard_intact},
    {"caller.unharmed", "restore", exact, none, Always::failed_call,
     "after a failed tuning the caller's arguments are as they were", checks::caller_unharmed},
    {"reset.policy", "restore", exact, none, Always::no,
     "reset_to_zero is applied to the real call as the adapter declares", checks::reset_policy},
    {"winner.correct", "validity", exact, none, Always::no,
     "the winner alone, launched on poisoned outputs, computes the right result",
     checks::winner_correct},
    {"winner.measured", "validity", exact, none, Always::tuned_call,
     "the winner is a config that was launched without failing; nothing else is stored",
     checks::winner_measured},
    {"failure.recorded", "validity", exact, none, Always::no,
     "every config that failed is reported with a reason", checks::failure_recorded},
    {"tuning.survives", "validity", exact, none, Always::no,
     "a config that crashes, hangs or fails costs one trial and nothing else",
     checks::tuning_survives},
    {"report.agrees", "validity", exact, none, Always::every_call,
     "what the tuner says of hit, winner and compiles is what observers saw",
     checks::report_agrees},
    {"reload.no_compile", "reload", exact, none, Always::no,
     "a reloaded winner is not compiled again", checks::reload_no_compile},
    {"reload.no_trial", "reload", exact, none, Always::no,
     "a reloaded winner is launched once, for the caller", checks::reload_no_trial},
    {"reload.same_winner", "reload", exact, process, Always::no,
     "the config that is launched is the one that won in the named process",
     checks::reload_same_winner},
    {"reload.same_bytes", "reload", exact, process, Always::no,
     "the artifact that is launched has the bytes of the named process's winner",
     checks::reload_same_bytes},
    {"store.only_winner", "reload", exact, none, Always::no,
     "the cache folder holds the winner's artifact and no loser's", checks::store_only_winner},
    {"store.before_first_launch", "reload", exact, none, Always::no,
     "the winner is in the cache folder before it is launched for the caller",
     checks::store_before_first_launch},
    {"store.relocatable", "reload", exact, none, Always::no,
     "a cache folder that was moved still serves its winners", checks::store_relocatable},
    {"store.failure_visible", "reload", exact, none, Always::no,
     "a winner that could not be stored is reported to the caller", checks::store_failure_visible},
    {"key.must_miss", "invalidation", exact, none, Always::no,
     "no cached winner is used: configs are tried", checks::key_must_miss},
    {"key.must_hit", "invalidation", exact, none, Always::no,
     "the cached winner is used: nothing is compiled, nothing is tried", checks::key_must_hit},
    {"key.explained", "invalidation", exact, axis, Always::no,
     "the tuner names the key axis for which a cached winner was not used", checks::key_explained},
    {"tuning.single_flight", "concurrency", exact, none, Always::no,
     "of those who ask for one key at the same moment, one tunes", checks::tuning_single_flight},
    {"tuning.independent", "concurrency", statistical, process, Always::no,
     "who tunes another key is not waited for", checks::tuning_independent},
    {"store.no_lost_entry", "concurrency", exact, process, Always::no,
     "what the named process stored beside others is there", checks::store_no_lost_entry},
    {"waiter.never_hangs", "concurrency", statistical, seconds, Always::no,
     "when who tunes is killed, who waits takes over within so many seconds",
     checks::waiter_never_hangs},
    {"tuning.resumes", "concurrency", exact, process, Always::no,
     "what the named, killed process had measured is not measured again", checks::tuning_resumes},
    {"store.old_or_new", "faults", exact, none, Always::no,
     "after a kill at any point a whole entry is used, or none", checks::store_old_or_new},
    {"corrupt.is_miss", "faults", exact, none, Always::no,
     "what is damaged is not used, and not an error: it is tuned again", checks::corrupt_is_miss},
    {"corrupt.healed", "faults", exact, process, Always::no,
     "what the named process stored in the place of something damaged is used",
     checks::corrupt_healed},
    {"full_disk.reported", "faults", exact, none, Always::no,
     "where nothing can be stored the result is right, the caller is told, and nothing is lost",
     checks::full_disk_reported},
    {"no_foreign_code", "faults", exact, none, Always::no,
     "nothing is launched from a folder that another user may write", checks::no_foreign_code},
    {"cache.bounded", "growth", exact, bytes, Always::no,
     "the cache folder stays below its limit, and what was just used stays in it",
     checks::cache_bounded},
    {"lookup.flat", "growth", statistical, process, Always::no,
     "a call among many keys costs what one among few keys costs", checks::lookup_flat},
    {"memory.flat", "growth", exact, bytes, Always::no,
     "many calls leave the process with the memory that it had", checks::memory_flat},
    {"timing.excludes_restore", "quality", statistical, none, Always::no,
     "reported times are those of the kernel, without restoring its arguments",
     checks::timing_excludes_restore},
    {"winner.regret", "quality", statistical, percent, Always::no,
     "the winner is at most so many percent slower than the best config on pristine arguments",
     checks::winner_regret},
    {"dispatch.overhead", "quality", statistical, microseconds, Always::no,
     "a hit costs little beside the kernel itself", checks::dispatch_overhead},
    {"winner.stable", "quality", statistical, percent, Always::no,
     "the winners of all processes that tuned this call differ by at most so many percent",
     checks::winner_stable},
    {"tuning.cost", "quality", exact, amount, Always::no,
     "at most so many configs are tried, as a number or a share of the space", checks::tuning_cost},
    {"capture.hit_replays", "gpu", exact, none, Always::no,
     "a hit on a captured stream becomes a part of the graph, and the graph gives its result",
     checks::capture_hit_replays},
    {"capture.miss_refused", "gpu", exact, none, Always::no,
     "a miss on a captured stream is a clear error, and the capture goes on",
     checks::capture_miss_refused},
    {"context.used", "gpu", exact, none, Always::no,
     "a call in another context of the process is launched in that context", checks::context_used},
    {"timing.l2_cold", "gpu", statistical, none, Always::no,
     "reported times are those of launches that find nothing in the device's caches",
     checks::timing_l2_cold},
    {"memory.snapshot_reported", "gpu", exact, none, Always::no,
     "the tuner says how much device memory its copies of the arguments took",
     checks::memory_snapshot_reported},
    {"memory.device_flat", "gpu", exact, bytes, Always::no,
     "after a tuning the device has the memory that it had before", checks::memory_device_flat},
    // Judged by the session itself: there is no answer that a function could read.
    {"adapter.answers", "adapter", exact, none, Always::no,
     "the adapter answers every request in time and in form, and ends when it is asked to",
     nullptr},
});

}  // namespace

std::span<const Check> all_checks() {
  return table;
}

const Check* find_check(std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Check& check) { return check.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace tunecheck
