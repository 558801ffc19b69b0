// Mutants that keep too much, remove the wrong thing, or take too long.
#include <chrono>
#include <filesystem>

#include <gmock/gmock.h>

#include "core/digest.hpp"
#include "core/files.hpp"
#include "toy.hpp"
#include "tuner/store/eviction.hpp"

namespace tunecheck::test {
namespace {

// A call with this number as a scalar that decides the key, in a process of its own.
CacheUse call(Toy& toy, const std::string& mutant, double number) {
  return ToyProcess(toy, mutant).call(false, false, {{"decides", number}}).report.value().cache;
}

// How much an entry takes.
std::uint64_t bytes_of_one() {
  Toy toy;
  (void)call(toy, "", 1);
  return take_inventory(toy.options.cache_folder).bytes;
}

TEST(GrowthMutants, never_evicts_lets_the_folder_grow) {
  const std::uint64_t one = bytes_of_one();
  for (const std::string& mutant : both("never_evicts")) {
    Toy toy;
    toy.options.cache_limit_bytes = 3 * one + one / 2;
    for (int i = 1; i <= 6; ++i)
      (void)call(toy, mutant, i);
    EXPECT_EQ(take_inventory(toy.options.cache_folder).bytes > toy.options.cache_limit_bytes,
              !mutant.empty());
  }
}

TEST(GrowthMutants, evicts_newest_first_keeps_what_nobody_uses) {
  const std::uint64_t one = bytes_of_one();
  for (const std::string& mutant : both("evicts_newest_first")) {
    Toy toy;
    toy.options.cache_limit_bytes = 3 * one + one / 2;
    for (int i = 1; i <= 5; ++i)
      (void)call(toy, mutant, i);
    EXPECT_EQ(call(toy, mutant, 1), mutant.empty() ? CacheUse::miss : CacheUse::hit);
  }
}

TEST(GrowthMutants, evicts_first_in_forgets_what_every_process_uses) {
  const std::uint64_t one = bytes_of_one();
  for (const std::string& mutant : both("evicts_first_in")) {
    Toy toy;
    toy.options.cache_limit_bytes = 3 * one + one / 2;
    (void)call(toy, mutant, 0);
    bool always_hit = true;
    for (int i = 1; i <= 5; ++i) {
      (void)call(toy, mutant, i);
      always_hit = always_hit && call(toy, mutant, 0) == CacheUse::hit;
    }
    EXPECT_EQ(always_hit, mutant.empty());
  }
}

TEST(GrowthMutants, evicts_entry_in_use_loses_what_was_just_written) {
  const std::uint64_t one = bytes_of_one();
  for (const std::string& mutant : both("evicts_entry_in_use")) {
    Toy toy;
    toy.options.cache_limit_bytes = 2 * one + one / 2;
    for (int i = 1; i <= 3; ++i)
      (void)call(toy, mutant, i);
    EXPECT_EQ(call(toy, mutant, 3), mutant.empty() ? CacheUse::hit : CacheUse::miss);
  }
}

TEST(GrowthMutants, keeps_what_killed_writers_left_lets_the_folder_grow) {
  for (const std::string& mutant : both("keeps_what_killed_writers_left")) {
    Toy toy;
    toy.options.cache_limit_bytes = 1'000'000;
    (void)call(toy, mutant, 1);
    // No process has this number: the system's own limit is lower.
    const auto folder = take_inventory(toy.options.cache_folder).items.at(0).folder;
    const auto file = folder / ".x.json.999999999.0.tmp";
    ASSERT_TRUE(write_file(file, std::string_view("half")));
    std::filesystem::last_write_time(
        file, std::filesystem::last_write_time(file) - std::chrono::hours(24));
    (void)call(toy, mutant, 2);
    EXPECT_EQ(std::filesystem::exists(file), !mutant.empty());
  }
}

TEST(GrowthMutants, single_config_uncached_tunes_a_space_of_one_again) {
  for (const std::string& mutant : both("single_config_uncached")) {
    Toy toy;
    toy.set_space({right}, {100});
    (void)call(toy, mutant, 1);
    EXPECT_EQ(call(toy, mutant, 1), mutant.empty() ? CacheUse::hit : CacheUse::miss);
  }
}

TEST(GrowthMutants, single_config_uncached_stores_the_winner_of_two) {
  Toy toy;
  (void)call(toy, "single_config_uncached", 1);
  EXPECT_EQ(call(toy, "single_config_uncached", 1), CacheUse::hit);
}

TEST(GrowthMutants, linear_lookup_still_finds_what_is_there_and_nothing_else) {
  Toy toy;
  EXPECT_EQ(call(toy, "linear_lookup", 1), CacheUse::miss);
  EXPECT_EQ(call(toy, "linear_lookup", 2), CacheUse::miss);
  EXPECT_EQ(call(toy, "linear_lookup", 1), CacheUse::hit);
}

TEST(GrowthMutants, slow_dispatch_and_leaks_each_call_still_compute_what_is_right) {
  for (const char* const mutant : {"slow_dispatch", "leaks_each_call"}) {
    Toy toy;
    ToyProcess process(toy, mutant);
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(process.call().y, expected_result(toy)) << mutant;
  }
}

}  // namespace
}  // namespace tunecheck::test
