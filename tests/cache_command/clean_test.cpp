// What `gc` removes, and what it must not.
#include "tuner/cache_command/clean.hpp"

#include <unistd.h>

#include <gmock/gmock.h>

#include "filled_cache.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(CacheClean, leaves_a_small_and_whole_folder_alone) {
  const FilledCache cache(3);
  const cache::Cleaned cleaned = cache::clean(cache.path(), 1'000'000, false).value();
  EXPECT_THAT(cleaned.removed, IsEmpty());
  EXPECT_EQ(cleaned.bytes_before, cleaned.bytes_after);
  EXPECT_THAT(cache.good(), ElementsAre(0, 1, 2));
}

TEST(CacheClean, removes_what_was_used_longest_ago_until_the_rest_fits) {
  const FilledCache cache(4);
  cache.leave_unused(2, 1000);
  cache.leave_unused(0, 500);
  const cache::Cleaned cleaned = cache::clean(cache.path(), 13'000, false).value();
  EXPECT_THAT(cleaned.removed, SizeIs(2));
  EXPECT_LE(cleaned.bytes_after, 13'000U);
  EXPECT_THAT(cache.good(), ElementsAre(1, 3));
}

TEST(CacheClean, removes_damaged_entries_and_says_why) {
  const FilledCache cache(2);
  flip(cache.artifact_file(0));
  const cache::Cleaned cleaned = cache::clean(cache.path(), 1'000'000, false).value();
  EXPECT_THAT(cleaned.removed, ElementsAre(HasSubstr("damaged: ")));
  EXPECT_FALSE(fs::exists(cache.entry_file(0).parent_path()));
  EXPECT_THAT(cache.good(), ElementsAre(1));
}

TEST(CacheClean, removes_what_a_tuning_left_that_did_not_end) {
  const FilledCache cache(1);
  const fs::path folder = cache.entry_file(7).parent_path();
  fs::create_directories(folder);
  must(write_file(folder / "half.journal", std::string_view("half")));
  const cache::Cleaned cleaned = cache::clean(cache.path(), 1'000'000, false).value();
  EXPECT_THAT(cleaned.removed, ElementsAre(HasSubstr("holds no entry")));
  EXPECT_FALSE(fs::exists(folder));
  EXPECT_THAT(cache.good(), ElementsAre(0));
}

TEST(CacheClean, keeps_what_is_being_tuned_even_if_it_is_damaged) {
  const FilledCache cache(2);
  flip(cache.artifact_file(0));
  FolderStore store(cache.path());
  const auto tuning = store.lock(FilledCache::key(0));
  const auto another = store.lock(FilledCache::key(7));
  const cache::Cleaned cleaned = cache::clean(cache.path(), 0, false).value();
  EXPECT_THAT(cleaned.in_use, SizeIs(2));
  EXPECT_TRUE(fs::exists(cache.entry_file(0)));
  EXPECT_TRUE(fs::exists(cache.entry_file(7).parent_path()));
  EXPECT_THAT(cache.good(), IsEmpty());
}

TEST(CacheClean, says_of_a_good_entry_too_that_it_is_in_use) {
  const FilledCache cache(2);
  FolderStore store(cache.path());
  const auto tuning = store.lock(FilledCache::key(1));
  const cache::Cleaned cleaned = cache::clean(cache.path(), 1, false).value();
  EXPECT_THAT(cleaned.removed, SizeIs(1));
  EXPECT_THAT(cleaned.in_use, ElementsAre(HasSubstr(FilledCache::key(1).folder_digest())));
  EXPECT_THAT(cache.good(), ElementsAre(1));
  // It is not in the way of a folder that is small enough.
  EXPECT_THAT(cache::clean(cache.path(), 1'000'000, false).value().in_use, IsEmpty());
}

TEST(CacheClean, says_what_cannot_be_removed_and_counts_it) {
  const FilledCache cache(2);
  flip(cache.artifact_file(0));
  cache.close_to_writers();
  // root may remove whatever it wants to.
  const bool is_root = ::geteuid() == 0;
  ASSERT_TRUE(!is_root || ::seteuid(65534) == 0);
  const cache::Cleaned cleaned = cache::clean(cache.path(), 1, false).value();
  ASSERT_TRUE(!is_root || ::seteuid(0) == 0);
  EXPECT_THAT(cleaned.removed, IsEmpty());
  EXPECT_THAT(cleaned.not_removed, SizeIs(2));
  EXPECT_THAT(cleaned.not_removed, Each(HasSubstr(": cannot be removed: Permission denied")));
  EXPECT_EQ(cleaned.bytes_after, cleaned.bytes_before);
  EXPECT_TRUE(fs::exists(cache.entry_file(1)));
}

TEST(CacheClean, removes_what_stands_in_place_of_a_folder_or_of_an_entry) {
  const FilledCache cache(4);
  displace(cache);
  const cache::Cleaned cleaned = cache::clean(cache.path(), 1'000'000, false).value();
  EXPECT_THAT(cleaned.removed, SizeIs(3));
  EXPECT_THAT(cleaned.removed, Each(HasSubstr(": damaged: ")));
  EXPECT_THAT(cleaned.not_removed, IsEmpty());
  EXPECT_TRUE(fs::exists(cache.beside("elsewhere"))) << "a link goes, and not what it leads to";
  for (const cache::StoredEntry& entry : cache.contents().entries)
    EXPECT_EQ(entry.trouble, "") << entry.file;
  EXPECT_THAT(cache.good(), ElementsAre(2, 3));
}

TEST(CacheClean, a_dry_run_says_the_same_and_removes_nothing) {
  const FilledCache cache(4);
  flip(cache.artifact_file(3));
  cache.leave_unused(1, 100);
  const cache::Cleaned dry = cache::clean(cache.path(), 12'000, true).value();
  EXPECT_THAT(cache.good(), ElementsAre(0, 1, 2));
  const cache::Cleaned real = cache::clean(cache.path(), 12'000, false).value();
  EXPECT_EQ(dry.removed, real.removed);
  EXPECT_EQ(dry.bytes_after, real.bytes_after);
  EXPECT_THAT(cache.good(), ElementsAre(0, 2));
}

TEST(CacheClean, an_old_temporary_file_goes_without_its_entry) {
  const FilledCache cache(1);
  // No process has this number: the system's own limit is lower.
  const fs::path file = cache.entry_file(0).parent_path() / ".x.json.999999999.0.tmp";
  must(write_file(file, std::string_view("half")));
  cache.leave_unused(0, 7200);
  const cache::Cleaned cleaned = cache::clean(cache.path(), 1'000'000, false).value();
  EXPECT_THAT(cleaned.removed, Contains(HasSubstr("of a process that has ended")));
  EXPECT_FALSE(fs::exists(file));
  EXPECT_THAT(cache.good(), ElementsAre(0));
}

}  // namespace
}  // namespace tunecheck::test
