#include "judge/checks/check.hpp"

#include <algorithm>
#include <array>

#include "judge/checks/checks.hpp"

namespace tunecheck {
namespace {

using enum Severity;
using enum CheckParameter;

constexpr auto table = std::to_array<Check>({
    {"output.reference", "restore", exact, none, Always::every_call,
     "the caller gets the result of a single clean run on its own arguments",
     checks::output_reference},
    {"inputs.pristine", "restore", exact, none, Always::watched_call,
     "every launch sees the caller's content in restored tensors and zeros in reset tensors",
     checks::inputs_pristine},
    {"inputs.read_only_untouched", "restore", exact, none, Always::every_call,
     "read-only arguments keep every byte", checks::inputs_read_only_untouched},
    {"guard.intact", "restore", exact, none, Always::every_call,
     "canaries around each tensor and between its strides keep every byte", checks::guard_intact},
    {"caller.unharmed", "restore", exact, none, Always::failed_call,
     "after a failed tuning, the caller's arguments are unchanged", checks::caller_unharmed},
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
     "the tuner's report of hit, winner and compiles matches what observers saw",
     checks::report_agrees},
    {"reload.no_compile", "reload", exact, none, Always::no,
     "a reloaded winner is not compiled again", checks::reload_no_compile},
    {"reload.no_trial", "reload", exact, none, Always::no,
     "a reloaded winner is launched once, for the caller", checks::reload_no_trial},
    {"reload.same_winner", "reload", exact, process, Always::no,
     "the launched config is the one that won in the named process", checks::reload_same_winner},
    {"reload.same_bytes", "reload", exact, process, Always::no,
     "the launched artifact has the bytes of the named process's winner",
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
     "the cached winner is used: nothing is compiled or tried", checks::key_must_hit},
    {"key.explained", "invalidation", exact, axis, Always::no,
     "the tuner names the key axis that ruled out a cached winner", checks::key_explained},
    {"tuning.single_flight", "concurrency", exact, none, Always::no,
     "of concurrent requests for one key, exactly one tunes", checks::tuning_single_flight},
    {"tuning.independent", "concurrency", statistical, process, Always::no,
     "tuning one key does not block another", checks::tuning_independent},
    {"store.no_lost_entry", "concurrency", exact, process, Always::no,
     "the entry that the named process stored concurrently with others is not lost",
     checks::store_no_lost_entry},
    {"waiter.never_hangs", "concurrency", statistical, seconds, Always::no,
     "if the tuning process is killed, a waiting one takes over within N seconds",
     checks::waiter_never_hangs},
    {"tuning.resumes", "concurrency", exact, process, Always::no,
     "configs that the named process had measured before it was killed are not measured again",
     checks::tuning_resumes},
    {"store.old_or_new", "faults", exact, none, Always::no,
     "after a kill at any point, either a whole entry is used or none", checks::store_old_or_new},
    {"corrupt.is_miss", "faults", exact, none, Always::no,
     "a damaged entry is a miss and not an error: the call tunes again", checks::corrupt_is_miss},
    {"corrupt.healed", "faults", exact, process, Always::no,
     "the entry that the named process stored in place of a damaged one is used",
     checks::corrupt_healed},
    {"full_disk.reported", "faults", exact, none, Always::no,
     "if nothing can be stored, the result is right, the caller is told, and no entry is lost",
     checks::full_disk_reported},
    {"no_foreign_code", "faults", exact, none, Always::no,
     "nothing is launched from a folder that another user can write to", checks::no_foreign_code},
    {"cache.bounded", "growth", exact, bytes, Always::no,
     "the cache folder stays within its limit and keeps the entry that was just used",
     checks::cache_bounded},
    {"lookup.flat", "growth", statistical, process, Always::no,
     "a call costs the same among many keys as among few", checks::lookup_flat},
    {"memory.flat", "growth", exact, bytes, Always::no,
     "the process's memory does not grow over many calls", checks::memory_flat},
    {"timing.excludes_restore", "quality", statistical, none, Always::no,
     "reported times cover the kernel alone, without restoring its arguments",
     checks::timing_excludes_restore},
    {"winner.regret", "quality", statistical, percent, Always::no,
     "the winner is at most N percent slower than the best config on pristine arguments",
     checks::winner_regret},
    {"dispatch.overhead", "quality", statistical, microseconds, Always::no,
     "a hit adds little time to the kernel's own", checks::dispatch_overhead},
    {"winner.stable", "quality", statistical, percent, Always::no,
     "the winners of all processes that tuned this call differ in cost by at most N percent",
     checks::winner_stable},
    {"tuning.cost", "quality", exact, amount, Always::no,
     "at most N configs are tried, given as a number or as a share of the space",
     checks::tuning_cost},
    {"capture.hit_replays", "gpu", exact, none, Always::no,
     "a hit on a captured stream becomes part of the graph, and the graph gives its result",
     checks::capture_hit_replays},
    {"capture.miss_refused", "gpu", exact, none, Always::no,
     "a miss on a captured stream is a clear error and does not break the capture",
     checks::capture_miss_refused},
    {"context.used", "gpu", exact, none, Always::no,
     "a call in another context of the process is launched in that context", checks::context_used},
    {"timing.l2_cold", "gpu", statistical, none, Always::no,
     "reported times are those of launches with cold device caches", checks::timing_l2_cold},
    {"memory.snapshot_reported", "gpu", exact, none, Always::no,
     "the tuner reports how much device memory its copies of the arguments took",
     checks::memory_snapshot_reported},
    {"memory.device_flat", "gpu", exact, bytes, Always::no,
     "after a tuning, the device has as much free memory as before", checks::memory_device_flat},
    // Judged by the session itself: there is no answer that a function could read.
    {"adapter.answers", "adapter", exact, none, Always::no,
     "the adapter answers every request in time and in valid form, and ends when asked to",
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
