// Mutants by which processes do not agree, and those that tune out of turn.
#include <cstdlib>
#include <set>
#include <thread>

#include <gmock/gmock.h>

#include "toy.hpp"

namespace tunecheck::test {
namespace {

// As a start of two ranks sets it; gone at the end of the test.
struct Rank {
  explicit Rank(int number) {
    ::setenv("RANK", std::to_string(number).c_str(), 1);
    ::setenv("WORLD_SIZE", "2", 1);
  }
  ~Rank() {
    ::unsetenv("RANK");
    ::unsetenv("WORLD_SIZE");
  }
  Rank(const Rank&) = delete;
  Rank& operator=(const Rank&) = delete;
};

TEST(AgreementMutants, winner_per_rank_launches_another_config_in_each_rank) {
  for (const std::string& mutant : both("winner_per_rank")) {
    Toy toy;
    std::set<Config> winners;
    for (const int number : {0, 1}) {
      const Rank rank(number);
      winners.insert(call_once(toy, mutant).winner);
    }
    EXPECT_EQ(winners.size(), mutant.empty() ? 1U : 2U);
  }
}

TEST(AgreementMutants, stores_a_faster_compile_and_keeps_the_config) {
  for (const std::string& mutant : both("stores_a_faster_compile")) {
    Toy toy;
    const ToyCall cold = call_once(toy, mutant);
    EXPECT_EQ(toy.backend.compiles(), mutant.empty() ? 2 : 3);
    EXPECT_EQ(cold.report->compiles, toy.backend.compiles());
    const ToyCall warm = call_once(toy, mutant);
    EXPECT_EQ(warm.report->cache, CacheUse::hit);
    EXPECT_EQ(warm.winner, cold.winner);
  }
}

// The other rank, which comes when it sees that the first one is there.
void come_second(const std::filesystem::path& meeting) {
  std::error_code error;
  for (;;) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(meeting, error))
      if (entry.path().filename() == "0") {
        EXPECT_TRUE(write_file(entry.path().parent_path() / "1", "here"));
        return;
      }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(AgreementMutants, tuning_is_collective_waits_for_the_other_rank) {
  Toy toy;
  const auto meeting = toy.options.cache_folder.parent_path() / "meeting";
  const Rank rank(0);
  EXPECT_TRUE(call_once(toy, "").report);
  EXPECT_FALSE(std::filesystem::exists(meeting));
  Toy other;
  const std::jthread second(
      [&] { come_second(other.options.cache_folder.parent_path() / "meeting"); });
  EXPECT_EQ(call_once(other, "tuning_is_collective").report->cache, CacheUse::miss);
  EXPECT_EQ(call_once(other, "tuning_is_collective").report->cache, CacheUse::hit);
}

// Which of so many calls of one process did not hit.
std::vector<int> misses(const std::string& mutant, int calls) {
  Toy toy;
  ToyProcess process(toy, mutant);
  std::vector<int> missed;
  for (int call = 1; call <= calls; ++call)
    if (process.call().report->cache != CacheUse::hit) missed.push_back(call);
  return missed;
}

TEST(TurnMutants, tunes_again_later_does_so_in_the_ninth_call) {
  EXPECT_THAT(misses("", 12), testing::ElementsAre(1));
  EXPECT_THAT(misses("tunes_again_later", 12), testing::ElementsAre(1, 9));
}

TEST(TurnMutants, tunes_after_first_result_begins_with_the_default) {
  EXPECT_THAT(misses("tunes_after_first_result", 3), testing::ElementsAre(1, 2));
  Toy toy;
  ToyProcess process(toy, "tunes_after_first_result");
  EXPECT_EQ(process.call().winner.at("time"), 200);
  EXPECT_EQ(process.call().winner.at("time"), 100);
}

// Searching is switched off: what was launched, and how many files were stored.
std::pair<std::int64_t, std::size_t> unsearched(const std::string& mutant) {
  Toy toy;
  toy.set_space({right}, {300, 200, 100});
  toy.options.may_search = false;
  const ToyCall call = call_once(toy, mutant);
  EXPECT_TRUE(call.report) << call.report.error().text();
  return {call.winner.at("time"), toy.stored_files().size()};
}

TEST(TurnMutants, where_nobody_may_search_the_default_is_launched_and_not_stored) {
  EXPECT_THAT(unsearched(""), testing::Pair(200, 0));
  EXPECT_THAT(unsearched("searches_when_it_may_not"), testing::Pair(100, 2));
  EXPECT_THAT(unsearched("stores_the_default"), testing::Pair(200, 2));
  EXPECT_THAT(unsearched("first_config_unsearched"), testing::Pair(300, 0));
}

TEST(TurnMutants, the_default_is_nobodys_winner_and_a_winner_goes_before_it) {
  for (const std::string& mutant : both("stores_the_default")) {
    Toy toy;
    toy.options.may_search = false;
    EXPECT_EQ(call_once(toy, mutant).winner.at("time"), 200);
    toy.options.may_search = true;
    EXPECT_EQ(call_once(toy, mutant).winner.at("time"), mutant.empty() ? 100 : 200);
    toy.options.may_search = false;
    EXPECT_EQ(call_once(toy, mutant).report->cache, CacheUse::hit);
  }
}

TEST(TurnMutants, key_with_classes_of_scalars_tunes_for_some_values) {
  for (const std::string& mutant : both("key_with_classes_of_scalars")) {
    Toy toy;
    ToyProcess process(toy, mutant);
    const auto cache_of = [&](double value) {
      return process.call(false, false, {{"does_not", value}}).report->cache;
    };
    EXPECT_EQ(cache_of(2.5), CacheUse::miss);
    EXPECT_EQ(cache_of(5), CacheUse::hit);
    for (const double value : {1.0, 16.0})
      EXPECT_EQ(cache_of(value), mutant.empty() ? CacheUse::hit : CacheUse::miss) << value;
    EXPECT_EQ(cache_of(48), CacheUse::hit);
  }
}

}  // namespace
}  // namespace tunecheck::test
