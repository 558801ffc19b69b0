// Mutants that lose, drop or mistake what is stored: two keys, and processes that ask for them.
#include <array>
#include <unistd.h>

#include <gmock/gmock.h>
#include <sys/inotify.h>

#include "toy.hpp"

namespace tunecheck::test {
namespace {

// Tunes two lists of configs one after the other, each in a process of its own.
void tune_two(Toy& toy, const std::string& mutant) {
  toy.set_space({right}, {200, 100});
  ASSERT_TRUE(call_once(toy, mutant).report);
  toy.set_space({right}, {200, 100, 50});
  ASSERT_TRUE(call_once(toy, mutant).report);
}

CacheUse use_of(Toy& toy, const std::string& mutant, const std::vector<std::int64_t>& times) {
  toy.set_space({right}, times);
  const ToyCall call = call_once(toy, mutant);
  EXPECT_TRUE(call.report) << call.report.error().text();
  return call.report ? call.report->cache : CacheUse::disabled;
}

TEST(LookupMutants, keeps_one_entry_drops_the_list_that_comes_back) {
  for (const std::string mutant : {"", "keeps_one_entry"}) {
    Toy toy;
    tune_two(toy, mutant);
    EXPECT_EQ(use_of(toy, mutant, {200, 100, 50}), CacheUse::hit) << mutant;
    EXPECT_EQ(use_of(toy, mutant, {200, 100}), mutant.empty() ? CacheUse::hit : CacheUse::miss);
  }
}

TEST(LookupMutants, compares_first_entry_only_finds_one_of_two) {
  for (const std::string mutant : {"", "compares_first_entry_only"}) {
    Toy toy;
    tune_two(toy, mutant);
    const bool first = use_of(toy, mutant, {200, 100}) == CacheUse::hit;
    const bool second = use_of(toy, mutant, {200, 100, 50}) == CacheUse::hit;
    EXPECT_EQ(first && second, mutant.empty());
    EXPECT_TRUE(first || second);
  }
}

TEST(LookupMutants, empties_cache_at_start_of_every_process) {
  for (const std::string mutant : {"", "empties_cache_at_start"}) {
    Toy toy;
    ASSERT_TRUE(call_once(toy, mutant).report);
    EXPECT_EQ(call_once(toy, mutant).report->cache,
              mutant.empty() ? CacheUse::hit : CacheUse::miss);
  }
}

TEST(LookupMutants, options_not_on_disk_takes_the_winner_of_other_options) {
  for (const std::string mutant : {"", "options_not_on_disk"}) {
    Toy toy;
    ASSERT_TRUE(call_once(toy, mutant).report);
    toy.request.compile_options = {"-O3"};
    EXPECT_EQ(call_once(toy, mutant).report->cache,
              mutant.empty() ? CacheUse::miss : CacheUse::hit);
    toy.elements = 128;
    EXPECT_EQ(call_once(toy, mutant).report->cache, CacheUse::miss) << "the shape is looked at";
  }
}

// What has been opened in a folder since it was made.
class OpensOf {
 public:
  explicit OpensOf(const std::filesystem::path& folder)
      : m_watch(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
    EXPECT_GE(::inotify_add_watch(m_watch.get(), folder.c_str(), IN_OPEN), 0);
  }
  bool any() const {
    std::array<char, 4096> events{};
    return ::read(m_watch.get(), events.data(), events.size()) > 0;
  }

 private:
  FileDescriptor m_watch;
};

TEST(LookupMutants, opens_folder_on_each_hit_and_not_only_where_it_has_to) {
  for (const std::string mutant : {"", "opens_folder_on_each_hit"}) {
    Toy toy;
    toy.backend.watched.clear();  // it would look into the folder itself
    ToyProcess process(toy, mutant);
    ASSERT_TRUE(process.call().report);
    const OpensOf opens(toy.options.cache_folder);
    ASSERT_TRUE(process.call().report);
    EXPECT_EQ(opens.any(), !mutant.empty());
  }
}

TEST(LookupMutants, failed_launch_drops_entry_of_the_winner_that_failed) {
  for (const std::string mutant : {"", "failed_launch_drops_entry"}) {
    Toy toy;
    ReferenceAdapterSetup setup;
    if (!mutant.empty()) find_mutant(mutant)->plant(setup);
    ASSERT_TRUE(ToyProcess(toy, setup.parts).call().report);
    protocol::CallAnswer answer;
    setup.before_answer({}, answer);
    EXPECT_FALSE(toy.stored_files().empty()) << "no winner was launched";
    answer.winner = Config();
    setup.before_answer({}, answer);
    EXPECT_EQ(toy.stored_files().empty(), !mutant.empty());
  }
}

}  // namespace
}  // namespace tunecheck::test
