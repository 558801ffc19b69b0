// Mutants that store a winner badly, or make something else of a stored one.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <sys/wait.h>

#include "toy.hpp"
#include "tuner/store/folder_store.hpp"

namespace tunecheck::test {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST(PersistMutants, silent_persist_failure_keeps_quiet) {
  for (const std::string& mutant : both("silent_persist_failure")) {
    Toy toy;
    // A file stands where the cache folder should be.
    ASSERT_TRUE(write_file(toy.options.cache_folder, std::string_view("no folder")));
    const ToyCall call = call_once(toy, mutant);
    ASSERT_TRUE(call.report) << call.report.error().text();
    EXPECT_EQ(call.report->warnings.empty(), !mutant.empty());
    EXPECT_EQ(call.report->message.find("could not be stored") == std::string::npos,
              !mutant.empty());
  }
}

TEST(PersistMutants, persist_on_next_launch_needs_a_second_call) {
  for (const std::string& mutant : both("persist_on_next_launch")) {
    Toy toy;
    ToyProcess process(toy, mutant);
    ASSERT_TRUE(process.call().report);
    EXPECT_THAT(toy.stored_files(), SizeIs(mutant.empty() ? 2 : 0));
    ASSERT_TRUE(process.call().report);
    EXPECT_THAT(toy.stored_files(), SizeIs(2));
    EXPECT_EQ(call_once(toy, mutant).report->cache, CacheUse::hit);
  }
}

TEST(PersistMutants, persist_on_next_launch_loses_the_winner_of_a_process_that_calls_once) {
  for (const std::string& mutant : both("persist_on_next_launch")) {
    Toy toy;
    ASSERT_TRUE(call_once(toy, mutant).report);
    EXPECT_EQ(call_once(toy, mutant).report->cache,
              mutant.empty() ? CacheUse::hit : CacheUse::miss);
  }
}

TEST(PersistMutants, persist_after_launch_stores_nothing_before_the_launch_that_counts) {
  for (const std::string& mutant : both("persist_after_launch")) {
    Toy toy;
    ASSERT_TRUE(call_once(toy, mutant).report);
    const std::vector<ToyLaunch> launches = toy.backend.launches();
    ASSERT_FALSE(launches.back().in_trial);
    EXPECT_EQ(launches.back().stored, mutant.empty());
    EXPECT_EQ(call_once(toy, mutant).report->cache, CacheUse::hit);
  }
}

TEST(ReloadMutants, binaries_elsewhere_serve_what_the_folder_does_not_hold) {
  for (const std::string& mutant : both("binaries_elsewhere")) {
    Toy toy;
    const ToyCall cold = call_once(toy, mutant);
    ASSERT_TRUE(cold.report) << cold.report.error().text();
    Config artifact = cold.winner;
    artifact["in_place"] = 1;
    const auto files = toy.stored_files();
    EXPECT_EQ(std::any_of(files.begin(), files.end(),
                          [&](const auto& file) {
                            return read_text_file(file).value() == to_string(artifact);
                          }),
              mutant.empty());
    const int compiles = toy.backend.compiles();
    const ToyCall warm = call_once(toy, mutant);
    ASSERT_TRUE(warm.report) << warm.report.error().text();
    EXPECT_EQ(warm.report->cache, CacheUse::hit);
    EXPECT_EQ(warm.y, cold.y);
    EXPECT_EQ(toy.backend.compiles(), compiles);
  }
}

TEST(PersistMutants, persist_after_launch_still_warns) {
  Toy toy;
  ASSERT_TRUE(write_file(toy.options.cache_folder, std::string_view("no folder")));
  EXPECT_THAT(call_once(toy, "persist_after_launch").report->warnings, Not(IsEmpty()));
}

// Sets the variable by which the reference adapter's cache is switched off, while it lives.
class CachingOff {
 public:
  CachingOff() { ::setenv("TUNECHECK_CACHE_OFF", "yes", 1); }
  CachingOff(const CachingOff&) = delete;
  CachingOff& operator=(const CachingOff&) = delete;
  ~CachingOff() { ::unsetenv("TUNECHECK_CACHE_OFF"); }
};

TEST(PersistMutants, writes_with_caching_off_and_does_not_read) {
  Toy toy;
  ASSERT_TRUE(call_once(toy, "writes_with_caching_off").report);
  EXPECT_EQ(call_once(toy, "writes_with_caching_off").report->cache, CacheUse::hit) << "it is on";
  const auto stored = toy.stored_files();
  for (const auto& file : stored)
    std::filesystem::remove(file);
  for (int i = 0; i < 2; ++i) {
    const CachingOff off;
    EXPECT_EQ(call_once(toy, "writes_with_caching_off").report->cache, CacheUse::miss);
    EXPECT_EQ(toy.stored_files(), stored);
  }
}

TEST(PersistMutants, reads_with_caching_off_and_does_not_write) {
  Toy toy;
  {
    const CachingOff off;
    EXPECT_EQ(call_once(toy, "reads_with_caching_off").report->cache, CacheUse::miss);
    EXPECT_THAT(toy.stored_files(), IsEmpty());
  }
  ASSERT_TRUE(call_once(toy, "reads_with_caching_off").report);
  EXPECT_THAT(toy.stored_files(), SizeIs(2)) << "it is on";
  const CachingOff off;
  EXPECT_EQ(call_once(toy, "reads_with_caching_off").report->cache, CacheUse::hit);
}

TEST(PersistMutants, persist_losers_leaves_every_artifact_in_the_cache_folder) {
  for (const std::string& mutant : both("persist_losers")) {
    Toy toy;
    toy.set_space({right}, {100, 200, 300});
    ASSERT_TRUE(call_once(toy, mutant).report);
    const auto files = toy.stored_files();
    const auto artifacts = std::count_if(
        files.begin(), files.end(), [](const auto& file) { return file.extension() == ".so"; });
    EXPECT_EQ(artifacts, mutant.empty() ? 1 : 4);
    EXPECT_EQ(call_once(toy, mutant).report->cache, CacheUse::hit);
  }
}

TEST(ReloadMutants, recompile_on_reload_compiles_and_admits_it) {
  for (const std::string& mutant : both("recompile_on_reload")) {
    Toy toy;
    EXPECT_EQ(call_once(toy, mutant).report->compiles, 2);
    const int compiled = toy.backend.compiles();
    const ToyCall warm = call_once(toy, mutant);
    EXPECT_EQ(warm.report->cache, CacheUse::hit);
    EXPECT_EQ(warm.winner.at("time"), 100);
    EXPECT_EQ(toy.backend.compiles() - compiled, mutant.empty() ? 0 : 1);
    EXPECT_EQ(warm.report->compiles, mutant.empty() ? 0 : 1);
  }
}

TEST(ReloadMutants, compiles_winner_again_does_so_before_it_stores_and_admits_it) {
  for (const std::string& mutant : both("compiles_winner_again")) {
    Toy toy;
    const ToyCall cold = call_once(toy, mutant);
    ASSERT_TRUE(cold.report) << cold.report.error().text();
    EXPECT_EQ(cold.report->compiles, mutant.empty() ? 2 : 3);
    EXPECT_EQ(toy.backend.compiles(), mutant.empty() ? 2 : 3);
    EXPECT_EQ(call_once(toy, mutant).report->cache, CacheUse::hit);
    EXPECT_EQ(toy.backend.compiles(), mutant.empty() ? 2 : 3);
  }
}

// "time=100" becomes "time=900": the toy still loads it, as a loader may load damaged code.
void damage_artifact(const Toy& toy) {
  for (const auto& file : toy.stored_files()) {
    if (file.extension() != ".so") continue;
    std::string text = *read_text_file(file);
    text.replace(text.find("time=1"), 6, "time=9");
    ASSERT_TRUE(write_file(file, text));
  }
}

TEST(ReloadMutants, reload_skips_digest_loads_damaged_bytes) {
  for (const std::string& mutant : both("reload_skips_digest")) {
    Toy toy;
    ASSERT_TRUE(call_once(toy, mutant).report);
    damage_artifact(toy);
    EXPECT_EQ(call_once(toy, mutant).report->cache,
              mutant.empty() ? CacheUse::stale : CacheUse::hit);
  }
}

TEST(ReloadMutants, retunes_on_reload_tries_everything_again) {
  for (const std::string& mutant : both("retunes_on_reload")) {
    Toy toy;
    ToyProcess process(toy, mutant);
    ASSERT_TRUE(process.call().report);
    EXPECT_EQ(process.call().report->cache, CacheUse::hit) << "in memory";
    EXPECT_THAT(call_once(toy, mutant).report->trials, SizeIs(mutant.empty() ? 0 : 2));
  }
}

TEST(ReloadMutants, forgets_winner_config_comes_back_with_another) {
  for (const std::string& mutant : both("forgets_winner_config")) {
    Toy toy;
    EXPECT_EQ(call_once(toy, mutant).winner.at("time"), 100);
    const int compiled = toy.backend.compiles();
    const ToyCall warm = call_once(toy, mutant);
    EXPECT_EQ(warm.report->cache, CacheUse::hit);
    EXPECT_EQ(warm.winner.at("time"), mutant.empty() ? 100 : 200);
    EXPECT_EQ(warm.y, expected_result(toy));
    EXPECT_EQ(toy.backend.compiles(), compiled);
  }
}

TEST(ReloadMutants, binary_of_another_config_launches_what_it_does_not_name) {
  for (const std::string& mutant : both("binary_of_another_config")) {
    Toy toy;
    EXPECT_EQ(call_once(toy, mutant).winner.at("time"), 100);
    const auto stored = toy.stored_files();
    const ToyCall warm = call_once(toy, mutant);
    EXPECT_EQ(warm.report->cache, CacheUse::hit);
    EXPECT_EQ(warm.winner.at("time"), 100);
    const auto binary = std::find_if(stored.begin(), stored.end(),
                                     [](const auto& file) { return file.extension() == ".so"; });
    ASSERT_NE(binary, stored.end());
    Toy true_toy;
    ASSERT_TRUE(call_once(true_toy, "").report);
    const auto true_files = true_toy.stored_files();
    const auto true_binary =
        std::find_if(true_files.begin(), true_files.end(),
                     [](const auto& file) { return file.extension() == ".so"; });
    EXPECT_EQ(binary->filename() == true_binary->filename(), mutant.empty());
  }
}

void damage_entry(const Toy& toy) {
  for (const auto& file : toy.stored_files()) {
    if (file.extension() != ".json") continue;
    ASSERT_TRUE(write_file(file, std::string_view("{\"torn\": ")));
  }
}

TEST(DamageMutants, damaged_entry_is_an_error_and_not_a_miss) {
  for (const std::string& mutant : both("damaged_entry_is_an_error")) {
    Toy toy;
    ASSERT_TRUE(call_once(toy, mutant).report);
    ASSERT_EQ(call_once(toy, mutant).report->cache, CacheUse::hit);
    damage_entry(toy);
    const ToyCall call = call_once(toy, mutant);
    EXPECT_EQ(call.report.has_value(), mutant.empty());
    EXPECT_EQ(call.y, mutant.empty() ? expected_result(toy) : initial_y(toy));
  }
}

TEST(DamageMutants, damaged_entry_stays_and_is_tuned_around) {
  for (const std::string& mutant : both("damaged_entry_stays")) {
    Toy toy;
    ASSERT_TRUE(call_once(toy, mutant).report);
    damage_entry(toy);
    EXPECT_EQ(call_once(toy, mutant).report->cache, CacheUse::stale);
    EXPECT_EQ(call_once(toy, mutant).report->cache,
              mutant.empty() ? CacheUse::hit : CacheUse::stale);
  }
}

TEST(DamageMutants, loads_files_of_others_but_no_damaged_ones) {
  using std::filesystem::perms;
  for (const std::string& mutant : both("loads_files_of_others")) {
    Toy toy;
    ASSERT_TRUE(call_once(toy, mutant).report);
    for (const auto& file : toy.stored_files())
      std::filesystem::permissions(file, perms::others_write, std::filesystem::perm_options::add);
    EXPECT_EQ(call_once(toy, mutant).report->cache,
              mutant.empty() ? CacheUse::stale : CacheUse::hit);
    damage_artifact(toy);
    EXPECT_EQ(call_once(toy, mutant).report->cache, CacheUse::stale);
  }
}

std::filesystem::path stored(const Toy& toy, std::string_view extension) {
  for (const auto& file : toy.stored_files())
    if (file.extension() == extension) return file;
  throw std::runtime_error("no such file is stored");
}

// Two winners of one kernel, the first of them damaged.
class OneOfTwoDamaged {
 public:
  explicit OneOfTwoDamaged(const std::string& mutant) : m_mutant(mutant) {
    (void)use(first);
    const auto entry = stored(m_toy, ".json");
    (void)use(second);
    if (!write_file(entry, std::string_view("{\"torn\": ")))
      throw std::runtime_error("cannot write " + entry.string());
  }
  CacheUse use(const std::vector<std::int64_t>& times) {
    m_toy.set_space({right}, times);
    return call_once(m_toy, m_mutant).report.value().cache;
  }

  const std::vector<std::int64_t> first = {200, 100}, second = {200, 100, 50};

 private:
  const std::string m_mutant;
  Toy m_toy;
};

TEST(DamageMutants, damaged_entry_hides_others_until_it_is_healed) {
  for (const std::string& mutant : both("damaged_entry_hides_others")) {
    OneOfTwoDamaged two(mutant);
    EXPECT_EQ(two.use(two.second), mutant.empty() ? CacheUse::hit : CacheUse::miss);
    EXPECT_EQ(two.use(two.first), mutant.empty() ? CacheUse::stale : CacheUse::miss);
    EXPECT_EQ(two.use(two.second), CacheUse::hit);
  }
}

TEST(DamageMutants, damaged_entry_clears_others_when_it_is_met) {
  for (const std::string& mutant : both("damaged_entry_clears_others")) {
    OneOfTwoDamaged two(mutant);
    EXPECT_EQ(two.use(two.second), CacheUse::hit);
    EXPECT_EQ(two.use(two.first), CacheUse::stale);
    EXPECT_EQ(two.use(two.second), mutant.empty() ? CacheUse::hit : CacheUse::miss);
    EXPECT_EQ(two.use(two.first), CacheUse::hit);
  }
}

TEST(DamageMutants, missing_artifact_is_an_error_and_not_a_miss) {
  for (const std::string& mutant : both("missing_artifact_is_an_error")) {
    Toy toy;
    ASSERT_TRUE(call_once(toy, mutant).report);
    std::filesystem::remove(stored(toy, ".so"));
    EXPECT_EQ(call_once(toy, mutant).report.has_value(), mutant.empty());
  }
  Toy toy;
  ASSERT_TRUE(call_once(toy, "missing_artifact_is_an_error").report);
  damage_entry(toy);
  EXPECT_TRUE(call_once(toy, "missing_artifact_is_an_error").report);
}

TEST(DamageMutants, file_for_folder_is_an_error_and_not_a_miss) {
  for (const std::string& mutant : both("file_for_folder_is_an_error")) {
    Toy toy;
    ASSERT_TRUE(call_once(toy, mutant).report);
    const auto folder = stored(toy, ".json").parent_path();
    std::filesystem::remove_all(folder);
    ASSERT_TRUE(write_file(folder, std::string_view()));
    EXPECT_EQ(call_once(toy, mutant).report.has_value(), mutant.empty());
  }
}

TEST(DamageMutants, expects_cache_folder_stores_nothing_where_there_is_none) {
  for (const std::string& mutant : both("expects_cache_folder")) {
    Toy toy;
    const ToyCall call = call_once(toy, mutant);
    ASSERT_TRUE(call.report);
    EXPECT_THAT(call.report->warnings, IsEmpty());
    EXPECT_EQ(toy.stored_files().empty(), !mutant.empty());
    std::filesystem::create_directories(toy.options.cache_folder);
    ASSERT_TRUE(call_once(toy, mutant).report);
    EXPECT_EQ(call_once(toy, mutant).report->cache, CacheUse::hit);
  }
}

TEST(DamageMutants, artifact_end_unchecked_loads_what_differs_in_its_last_byte) {
  for (const std::string& mutant : both("artifact_end_unchecked")) {
    Toy toy;
    toy.set_space({right}, {200, 300});
    ASSERT_TRUE(call_once(toy, mutant).report);
    ASSERT_EQ(call_once(toy, mutant).report->cache, CacheUse::hit);
    const auto artifact = stored(toy, ".so");
    const std::string text = *read_text_file(artifact);
    ASSERT_TRUE(write_file(artifact, text.substr(0, text.size() - 1) + "1"));
    EXPECT_EQ(call_once(toy, mutant).report->cache,
              mutant.empty() ? CacheUse::stale : CacheUse::hit);
    ASSERT_TRUE(call_once(toy, mutant).report);
    ASSERT_TRUE(write_file(stored(toy, ".so"), "x" + text.substr(1)));
    EXPECT_EQ(call_once(toy, mutant).report->cache, CacheUse::stale);
  }
}

TEST(DamageMutants, needs_write_permission_cannot_use_what_it_may_only_read) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everything";
  using std::filesystem::perms;
  for (const std::string& mutant : both("needs_write_permission")) {
    Toy toy;
    ASSERT_TRUE(call_once(toy, mutant).report);
    std::filesystem::permissions(stored(toy, ".json"), perms::owner_read);
    EXPECT_EQ(call_once(toy, mutant).report->cache,
              mutant.empty() ? CacheUse::hit : CacheUse::stale);
  }
}

TEST(ConcurrencyMutants, failed_tuning_is_final_for_its_process) {
  for (const std::string& mutant : both("failed_tuning_is_final")) {
    Toy toy;
    ToyProcess process(toy, mutant);
    toy.set_space({refuses}, {100});
    EXPECT_FALSE(process.call().report);
    toy.set_space({right}, {100});
    EXPECT_EQ(process.call().report.has_value(), mutant.empty());
    EXPECT_TRUE(call_once(toy, mutant).report);
  }
}

// True if a process ends in which a tuning fails and another call follows.
bool ends_after_a_failed_tuning(const std::string& mutant) {
  Toy toy;
  const pid_t child = ::fork();
  if (child == 0) {
    ToyProcess process(toy, mutant);
    toy.set_space({refuses}, {100});
    (void)process.call();
    toy.set_space({right}, {100});
    (void)process.call();
    ::_exit(0);
  }
  bool has_ended = false;
  for (int i = 0; i < (mutant.empty() ? 6000 : 200) && !has_ended; ++i) {
    has_ended = ::waitpid(child, nullptr, WNOHANG) == child;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  if (has_ended) return true;
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  return false;
}

TEST(ConcurrencyMutants, failed_tuning_stays_pending_so_that_the_next_call_hangs) {
  for (const std::string& mutant : both("failed_tuning_stays_pending"))
    EXPECT_EQ(ends_after_a_failed_tuning(mutant), mutant.empty());
}

TEST(ConcurrencyMutants, waits_for_ever_gets_the_lock_in_the_end) {
  for (const std::string& mutant : both("waits_for_ever")) {
    Toy toy;
    toy.options.lock_time_limit = std::chrono::milliseconds(1);
    ReferenceAdapterSetup setup;
    if (!mutant.empty()) find_mutant(mutant)->plant(setup);
    const Key key({{"kernel", "toy", false}});
    auto held = FolderStore(toy.options.cache_folder).lock(key);
    ASSERT_NE(held, nullptr);
    const auto store = setup.parts.make_store(toy.options);
    const std::jthread holder([&held] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      held.reset();
    });
    EXPECT_EQ(store->lock(key) != nullptr, !mutant.empty());
  }
}

}  // namespace
}  // namespace tunecheck::test
