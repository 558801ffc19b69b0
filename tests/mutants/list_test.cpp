// The list of mutants, as audit and scenarios know it.
#include <algorithm>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "mutants/mutant.hpp"

namespace tunecheck {
namespace {

using ::testing::ElementsAreArray;

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Mutant& mutant : all_mutants())
    all.push_back(mutant.name);
  return all;
}

TEST(MutantList, holds_every_mutant_once_and_sorted) {
  // Of one type, because a matcher of a hundred texts takes ten seconds to compile.
  const std::vector<std::string> expected = {"artifact_end_unchecked",
                                             "asks_remote_first",
                                             "asks_toolchain_once",
                                             "believes_any_format",
                                             "believes_earlier_times",
                                             "believes_the_remote",
                                             "binaries_elsewhere",
                                             "binary_of_another_config",
                                             "bundle_leaves_out_hits",
                                             "bundle_named_by_comments",
                                             "bundle_never_loaded",
                                             "bundle_never_written",
                                             "bundle_of_anybody",
                                             "bundle_of_nothing",
                                             "bundle_trouble_fails_the_call",
                                             "bundle_trouble_is_silent",
                                             "bytes_count_as_unwritten",
                                             "bytes_count_as_written",
                                             "caller_not_restored_after_failure",
                                             "changes_folder",
                                             "clears_folder_when_full",
                                             "compares_first_entry_only",
                                             "compiles_after_a_hit",
                                             "compiles_in_turn",
                                             "compiles_winner_again",
                                             "counts_interrupted_reps",
                                             "damaged_entry_clears_others",
                                             "damaged_entry_hides_others",
                                             "damaged_entry_is_an_error",
                                             "damaged_entry_stays",
                                             "default_goes_last",
                                             "default_must_work",
                                             "device_order_in_key",
                                             "dies_on_quit",
                                             "effort_changes_nothing",
                                             "effort_not_kept",
                                             "empties_cache_at_start",
                                             "evicts_entry_in_use",
                                             "evicts_first_in",
                                             "evicts_newest_first",
                                             "exits_mid_call",
                                             "expects_cache_folder",
                                             "expects_no_folder",
                                             "explicit_config_ignored",
                                             "export_of_one_entry",
                                             "failed_launch_drops_entry",
                                             "failed_launch_is_done",
                                             "failed_tuning_is_final",
                                             "failed_tuning_stays_pending",
                                             "failures_forgotten",
                                             "file_for_folder_is_an_error",
                                             "first_config_is_right",
                                             "first_config_unsearched",
                                             "first_output_only",
                                             "fixed_temporary_name",
                                             "forced_search_hits",
                                             "forgets_measured",
                                             "forgets_winner_config",
                                             "hook_replaces_restore",
                                             "ignores_budget",
                                             "ignores_drift",
                                             "import_clears_first",
                                             "import_of_any_version",
                                             "import_of_anybody",
                                             "import_overwrites_newer",
                                             "import_takes_whole_lines",
                                             "import_trouble_is_silent",
                                             "input_end_unchecked",
                                             "insists_on_a_lock",
                                             "keeps_one_entry",
                                             "keeps_snapshot",
                                             "keeps_what_killed_writers_left",
                                             "key_by_place",
                                             "key_counts_large_spaces",
                                             "key_joins_options",
                                             "key_takes_empty_for_unset",
                                             "key_with_absolute_strides",
                                             "key_with_alignment_of_8",
                                             "key_with_all_environment",
                                             "key_with_all_scalars",
                                             "key_with_argument_order",
                                             "key_with_cache_folder",
                                             "key_with_call_number",
                                             "key_with_classes_of_scalars",
                                             "key_with_comments",
                                             "key_with_direct_headers",
                                             "key_with_element_counts",
                                             "key_with_element_sizes",
                                             "key_with_exact_strides",
                                             "key_with_outer_strides",
                                             "key_with_process",
                                             "key_with_release",
                                             "key_with_rounded_scalars",
                                             "key_with_search_budget",
                                             "key_with_sorted_options",
                                             "key_with_space_order",
                                             "key_with_variables_of_the_backend",
                                             "key_with_version_text",
                                             "key_without_alignment",
                                             "key_without_arch",
                                             "key_without_dtype",
                                             "key_without_environment",
                                             "key_without_header",
                                             "key_without_options",
                                             "key_without_scalars",
                                             "key_without_shape",
                                             "key_without_signature",
                                             "key_without_source",
                                             "key_without_space",
                                             "key_without_stride",
                                             "key_without_toolchain",
                                             "key_without_tuner",
                                             "leaks_each_call",
                                             "leaves_a_pipe",
                                             "leaves_a_variable",
                                             "leaves_umask",
                                             "less_effort_tunes_again",
                                             "linear_lookup",
                                             "loads_files_of_others",
                                             "lock_stays_behind",
                                             "locks_whole_cache",
                                             "loses_entries_of_others",
                                             "masked_by_losers",
                                             "measures_while_compiling",
                                             "misses_explained_by_everything",
                                             "misses_unexplained",
                                             "missing_artifact_is_an_error",
                                             "needs_write_permission",
                                             "never_answers",
                                             "never_asks_remote",
                                             "never_evicts",
                                             "never_tells_remote",
                                             "no_guard_in_front",
                                             "no_restore",
                                             "no_second_look",
                                             "one_failure_fails_all",
                                             "one_rep_only",
                                             "opens_folder_on_each_hit",
                                             "options_not_on_disk",
                                             "other_format_is_an_error",
                                             "pending_copies_late",
                                             "pending_counts_wrong",
                                             "pending_failure_is_silent",
                                             "pending_never_delivers",
                                             "pending_search_per_call",
                                             "pending_searches_on_callers_memory",
                                             "pending_stores_at_delivery",
                                             "pending_stores_stand_in",
                                             "pending_waits_in_spite",
                                             "persist_after_launch",
                                             "persist_losers",
                                             "persist_on_next_launch",
                                             "poisons_read_only",
                                             "prints_garbage",
                                             "processes_tune_each",
                                             "pure_outputs_only",
                                             "ranks_by_first_rep",
                                             "ranks_by_minimum",
                                             "reads_variables_once",
                                             "reads_with_caching_off",
                                             "recompile_on_reload",
                                             "reload_skips_digest",
                                             "remote_hit_not_kept",
                                             "remote_trouble_fails_the_call",
                                             "remote_trouble_is_silent",
                                             "remote_without_limit",
                                             "remote_without_salt",
                                             "removes_other_formats",
                                             "renames_unsynced",
                                             "reports_hit_always",
                                             "reports_no_snapshot",
                                             "reports_other_winner",
                                             "reset_before_snapshot",
                                             "reset_not_on_final_call",
                                             "reset_not_on_hit",
                                             "reset_on_default_stream",
                                             "reset_only_first_trial",
                                             "restore_ignores_strides",
                                             "restore_inside_timing",
                                             "restore_once_per_config",
                                             "restore_past_end",
                                             "restore_to_shared_storage",
                                             "retunes_on_reload",
                                             "search_stops_early",
                                             "searches_from_the_beginning",
                                             "searches_when_it_may_not",
                                             "searches_when_remote_fails",
                                             "searches_when_stale",
                                             "silent_persist_failure",
                                             "single_config_uncached",
                                             "slow_dispatch",
                                             "slower_look_counts",
                                             "snapshot_on_default_stream",
                                             "stays_in_first_context",
                                             "stores_a_faster_compile",
                                             "stores_only_locked",
                                             "stores_the_default",
                                             "table_before_cache",
                                             "table_never_asked",
                                             "table_never_told",
                                             "table_of_any_code",
                                             "table_of_any_device",
                                             "table_of_any_dtype",
                                             "table_outside_space",
                                             "table_takes_first",
                                             "table_takes_no_neighbour",
                                             "table_trouble_fails_the_call",
                                             "table_trouble_is_silent",
                                             "table_winner_stored",
                                             "takes_unsigned",
                                             "threads_tune_each",
                                             "times_hot_caches",
                                             "trials_in_process",
                                             "trials_on_aligned_copies",
                                             "trials_on_dense_copies",
                                             "trials_without_content",
                                             "tunes_after_first_result",
                                             "tunes_again_later",
                                             "tunes_inside_capture",
                                             "tuning_is_collective",
                                             "unknown_toolchain_must_agree",
                                             "unmeasured_winner",
                                             "waits_for_compilers_children",
                                             "waits_for_ever",
                                             "waits_on_each_call",
                                             "winner_by_index",
                                             "winner_per_rank",
                                             "winner_without_times",
                                             "writes_after_a_hit",
                                             "writes_in_place",
                                             "writes_with_caching_off",
                                             "writing_outside_wins",
                                             "wrong_result_wins"};
  EXPECT_THAT(names(), ElementsAreArray(expected));
}

TEST(MutantList, every_axis_of_the_key_has_a_mutant_that_lacks_it) {
  // These say what the entry is, not when it may be reused.
  const std::vector<std::string> needs_none = {"format", "kernel"};
  std::vector<std::string> lacked;
  for (const Mutant& mutant : all_mutants()) {
    if (!mutant.name.starts_with("key_without_")) continue;
    ReferenceAdapterSetup setup;
    const auto before = setup.parts.key_axes;
    mutant.plant(setup);
    EXPECT_EQ(setup.parts.key_axes.size() + 1, before.size()) << mutant.name;
    for (const KeyAxis& axis : before)
      if (std::none_of(setup.parts.key_axes.begin(), setup.parts.key_axes.end(),
                       [&](const KeyAxis& kept) { return kept.name == axis.name; }))
        lacked.push_back(axis.name);
  }
  lacked.insert(lacked.end(), needs_none.begin(), needs_none.end());
  std::vector<std::string> axes;
  for (const KeyAxis& axis : standard_key_axes())
    axes.push_back(axis.name);
  EXPECT_THAT(lacked, ::testing::UnorderedElementsAreArray(axes));
}

TEST(MutantList, each_summary_is_one_line) {
  for (const Mutant& mutant : all_mutants()) {
    EXPECT_GT(mutant.summary.size(), 20U) << mutant.name;
    EXPECT_EQ(mutant.summary.find_first_of("\n\""), std::string::npos) << mutant.name;
  }
}

TEST(MutantList, is_found_by_name) {
  ASSERT_NE(find_mutant("no_restore"), nullptr);
  EXPECT_EQ(find_mutant("no_restore")->name, "no_restore");
  EXPECT_EQ(find_mutant("no_such_mutant"), nullptr);
}

TEST(MutantList, is_a_json_array_of_names_and_summaries) {
  const auto list = nlohmann::json::parse(mutants_as_json());
  ASSERT_EQ(list.size(), all_mutants().size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ(list[i].at("name"), all_mutants()[i].name);
    EXPECT_EQ(list[i].at("summary"), all_mutants()[i].summary);
  }
}

}  // namespace
}  // namespace tunecheck
