#pragma once
// The checks' functions, which the table names. Each reads a CheckContext and answers with what it
// expected and what it observed. They are implemented in judge/checks/checks_*.cpp, a file a
// family.
#include "judge/checks/table/check.hpp"

namespace tunecheck::checks {

// restore
Answer output_reference(const CheckContext& context);
Answer inputs_pristine(const CheckContext& context);
Answer output_launched(const CheckContext& context);
Answer trials_like_the_call(const CheckContext& context);
Answer inputs_read_only_untouched(const CheckContext& context);
Answer guard_intact(const CheckContext& context);
Answer arguments_left_alone(const CheckContext& context);
Answer caller_unharmed(const CheckContext& context);
Answer process_unchanged(const CheckContext& context);
Answer reset_policy(const CheckContext& context);
// validity
Answer winner_correct(const CheckContext& context);
Answer winner_measured(const CheckContext& context);
Answer failure_recorded(const CheckContext& context);
Answer tuning_survives(const CheckContext& context);
Answer report_agrees(const CheckContext& context);
Answer launches_seen(const CheckContext& context);
// reload
Answer reload_no_compile(const CheckContext& context);
Answer compiles_once(const CheckContext& context);
Answer reload_no_trial(const CheckContext& context);
Answer cache_untouched(const CheckContext& context);
Answer reload_same_winner(const CheckContext& context);
Answer reload_same_bytes(const CheckContext& context);
Answer launches_traced(const CheckContext& context);
Answer store_only_winner(const CheckContext& context);
Answer store_before_first_launch(const CheckContext& context);
Answer store_relocatable(const CheckContext& context);
Answer reload_no_file(const CheckContext& context);
Answer store_failure_visible(const CheckContext& context);
// invalidation
Answer key_must_miss(const CheckContext& context);
Answer key_must_hit(const CheckContext& context);
Answer key_explained(const CheckContext& context);
// concurrency
Answer tuning_single_flight(const CheckContext& context);
Answer tuning_independent(const CheckContext& context);
Answer store_no_lost_entry(const CheckContext& context);
Answer waiter_never_hangs(const CheckContext& context);
Answer waiter_gives_up(const CheckContext& context);
Answer tuning_resumes(const CheckContext& context);
// faults
Answer store_old_or_new(const CheckContext& context);
Answer corrupt_is_miss(const CheckContext& context);
Answer corrupt_healed(const CheckContext& context);
Answer store_kept_or_told(const CheckContext& context);
Answer full_disk_reported(const CheckContext& context);
Answer store_synced(const CheckContext& context);
Answer no_foreign_code(const CheckContext& context);
// growth
Answer cache_bounded(const CheckContext& context);
Answer lookup_flat(const CheckContext& context);
Answer memory_flat(const CheckContext& context);
// quality
Answer timing_excludes_restore(const CheckContext& context);
Answer winner_regret(const CheckContext& context);
Answer dispatch_overhead(const CheckContext& context);
Answer winner_stable(const CheckContext& context);
Answer tuning_cost(const CheckContext& context);
Answer effort_policy(const CheckContext& context);
Answer effort_widens(const CheckContext& context);
Answer search_goes_on(const CheckContext& context);
Answer compiles_overlap(const CheckContext& context);
Answer trials_undisturbed(const CheckContext& context);
// agreement
Answer result_same_bits(const CheckContext& context);
Answer ranks_same_winner(const CheckContext& context);
// turn
Answer tuning_in_turn(const CheckContext& context);
Answer default_launched(const CheckContext& context);
// remote
Answer remote_asked(const CheckContext& context);
Answer remote_left_alone(const CheckContext& context);
Answer remote_within_limit(const CheckContext& context);
Answer remote_told(const CheckContext& context);
// table
Answer table_told(const CheckContext& context);
Answer config_launched(const CheckContext& context);
Answer search_none(const CheckContext& context);
// bundle
Answer bundle_told(const CheckContext& context);
Answer bundle_written(const CheckContext& context);
Answer bundle_unwritten(const CheckContext& context);
// pending
Answer pending_answered_first(const CheckContext& context);
Answer pending_delivered(const CheckContext& context);
Answer pending_counted(const CheckContext& context);
Answer pending_trouble_told(const CheckContext& context);
// archive
Answer archive_told(const CheckContext& context);
Answer archive_keeps_newer(const CheckContext& context);
// gpu
Answer capture_hit_replays(const CheckContext& context);
Answer capture_miss_refused(const CheckContext& context);
Answer context_used(const CheckContext& context);
Answer timing_l2_cold(const CheckContext& context);
Answer memory_snapshot_reported(const CheckContext& context);
Answer memory_device_flat(const CheckContext& context);

}  // namespace tunecheck::checks
