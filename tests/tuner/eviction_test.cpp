// A cache folder with a limit: what goes, what stays, and what two processes do to each other.
#include "tuner/store/eviction.hpp"

#include <chrono>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "core/digest.hpp"
#include "probe_kernel.hpp"
#include "tuner/store/folder_store.hpp"
#include "tuner/store/safe_file.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t artifact_bytes = 10'000;

class EvictionTest : public testing::Test {
 protected:
  static Key key(int number, const std::string& toolchain = "a compiler") {
    return Key({{"kernel", "nudge"},
                {"shape", fmt::format("x={}", number)},
                {"toolchain", toolchain, true}});
  }

  // Puts a winner with an artifact of its own.
  void put(FolderStore& store, int number, const std::string& toolchain = "a compiler") {
    Artifact artifact{std::vector<std::byte>(artifact_bytes, static_cast<std::byte>(number))};
    artifact.bytes[0] = static_cast<std::byte>(toolchain.size());
    Entry entry;
    entry.key = key(number, toolchain);
    entry.winner = {{"block", 1}};
    entry.artifact_digest = artifact_digest(artifact.bytes);
    entry.artifact_bytes = artifact.bytes.size();
    must(store.put(entry, artifact));
  }

  Found find(FolderStore& store, const Key& wanted) {
    const KeyContext context{m_backend, m_request, m_options, m_facts, nullptr};
    return store.find(wanted, context);
  }
  bool has(FolderStore& store, int number) {
    return find(store, key(number)).state == Found::State::hit;
  }
  // Which of the numbers 0 to `end` are still found; looking is using.
  std::vector<int> present(FolderStore& store, int end) {
    std::vector<int> numbers;
    for (int i = 0; i < end; ++i)
      if (has(store, i)) numbers.push_back(i);
    return numbers;
  }

  std::shared_ptr<Eviction> eviction(std::uint64_t limit) const {
    return std::make_shared<Eviction>(cache(), limit);
  }
  fs::path cache() const { return m_home.path() / "cache"; }
  std::uint64_t bytes() const { return take_inventory(cache()).bytes; }

  // As if whatever is there now had been used so many seconds ago.
  static void make_older(const fs::path& folder, std::int64_t seconds) {
    timespec times[2] = {};
    ::clock_gettime(CLOCK_REALTIME, &times[1]);
    times[1].tv_sec -= seconds;
    times[0] = times[1];
    for (const auto& file : fs::directory_iterator(folder))
      ASSERT_EQ(::utimensat(AT_FDCWD, file.path().c_str(), times, 0), 0);
  }

  TemporaryFolder m_home = TemporaryFolder::create("tunecheck-eviction").value();
  ProbeFolder m_folder;
  FunctionBackend m_backend{run_probe};
  TuneRequest m_request = m_folder.request();
  TunerOptions m_options;
  BoundFacts m_facts{"plain", "a compiler", {}, {}, {}};
};

TEST_F(EvictionTest, a_folder_stays_below_its_limit_after_every_put) {
  FolderStore store(cache(), eviction(100'000));
  for (int i = 0; i < 50; ++i) {
    put(store, i);
    ASSERT_LE(bytes(), 100'000U) << i;
    ASSERT_TRUE(has(store, i)) << i;
  }
  EXPECT_GT(bytes(), 60'000U);
}

TEST_F(EvictionTest, without_a_limit_nothing_is_removed) {
  FolderStore store(cache(), eviction(no_cache_limit));
  for (int i = 0; i < 30; ++i)
    put(store, i);
  EXPECT_EQ(present(store, 30).size(), 30U);
}

TEST_F(EvictionTest, what_was_not_used_for_the_longest_time_goes_first) {
  FolderStore store(cache(), eviction(64'000));
  for (int i = 0; i < 6; ++i)
    put(store, i);
  EXPECT_TRUE(has(store, 0));
  EXPECT_TRUE(has(store, 1));
  put(store, 6);
  EXPECT_THAT(present(store, 7), ElementsAre(0, 1, 4, 5, 6));
}

TEST_F(EvictionTest, a_new_process_knows_what_an_earlier_one_wrote) {
  for (int i = 0; i < 20; ++i) {
    FolderStore store(cache(), eviction(64'000));
    put(store, i);
    ASSERT_LE(bytes(), 64'000U);
  }
}

TEST_F(EvictionTest, a_key_that_is_being_tuned_stays) {
  FolderStore store(cache(), eviction(64'000));
  put(store, 0);
  {
    const auto tuning = store.lock(key(0));
    for (int i = 1; i < 20; ++i)
      put(store, i);
    EXPECT_TRUE(has(store, 0));
  }
  make_older(store.folder_of(key(0)), 10);
  for (int i = 20; i < 30; ++i)
    put(store, i);
  EXPECT_FALSE(has(store, 0));
}

TEST_F(EvictionTest, one_entry_above_the_limit_stays_until_the_next_one) {
  FolderStore store(cache(), eviction(5'000));
  put(store, 0);
  EXPECT_TRUE(has(store, 0));
  put(store, 1);
  EXPECT_FALSE(has(store, 0));
  EXPECT_TRUE(has(store, 1));
}

TEST_F(EvictionTest, an_evicted_key_leaves_no_folder_behind) {
  FolderStore store(cache(), eviction(64'000));
  for (int i = 0; i < 20; ++i)
    put(store, i);
  std::size_t folders = 0;
  for (const auto& folder : fs::directory_iterator(cache() / "v1" / "nudge"))
    folders += fs::is_empty(folder.path()) ? 100U : 1U;
  EXPECT_LE(folders, 6U);
}

TEST_F(EvictionTest, entries_of_two_toolchains_go_one_by_one) {
  FolderStore store(cache(), eviction(no_cache_limit));
  put(store, 0, "an old compiler");
  put(store, 0);
  make_older(store.folder_of(key(0)), 100);
  ASSERT_TRUE(has(store, 0));
  Eviction gc(cache(), 0);
  const auto removed = gc.shrink({12'000, 12'000}, {});
  ASSERT_EQ(removed.items.size(), 1U);
  EXPECT_TRUE(has(store, 0));
  EXPECT_EQ(find(store, key(0, "an old compiler")).state, Found::State::miss);
  EXPECT_LE(bytes(), 12'000U);
}

TEST_F(EvictionTest, other_files_of_a_key_count_and_go_with_it) {
  FolderStore store(cache(), eviction(no_cache_limit));
  put(store, 0);
  must(write_file(store.folder_of(key(0)) / "unfinished.journal", std::string(5'000, 'x')));
  EXPECT_GT(bytes(), artifact_bytes + 5'000);
  (void)Eviction(cache(), 0).shrink({1, 1}, {});
  EXPECT_FALSE(fs::exists(store.folder_of(key(0))));
}

TEST_F(EvictionTest, a_dry_run_removes_nothing) {
  FolderStore store(cache(), eviction(no_cache_limit));
  put(store, 0);
  EXPECT_EQ(Eviction(cache(), 0).shrink({1, 1}, {}, true).items.size(), 1U);
  EXPECT_TRUE(has(store, 0));
}

TEST_F(EvictionTest, old_temporary_files_of_processes_that_are_gone_are_removed) {
  FolderStore store(cache(), eviction(64'000));
  put(store, 0);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  const fs::path folder = store.folder_of(key(0));
  const auto temporary = [&](pid_t process, int number) {
    const fs::path file = folder / fmt::format(".x.json.{}.{}.tmp", process, number);
    must(write_file(file, std::string_view("half")));
    return file;
  };
  const fs::path gone = temporary(child, 1);
  const fs::path ours = temporary(::getpid(), 1);
  make_older(folder, 7200);
  const fs::path fresh = temporary(child, 2);
  FolderStore next(cache(), eviction(64'000));
  put(next, 1);
  EXPECT_FALSE(fs::exists(gone));
  EXPECT_TRUE(fs::exists(ours));
  EXPECT_TRUE(fs::exists(fresh));
}

TEST_F(EvictionTest, what_old_temporary_files_take_costs_no_winner_its_place) {
  FolderStore store(cache(), eviction(no_cache_limit));
  put(store, 0);
  const std::uint64_t one = bytes();
  const fs::path folder = store.folder_of(key(0));
  must(write_file(folder / ".x.json.999999999.0.tmp", std::string(10'000, 'x')));
  make_older(folder, 7200);
  const auto removed = Eviction(cache(), one).shrink({one, one}, {});
  EXPECT_EQ(removed.temporaries.size(), 1U);
  EXPECT_TRUE(removed.items.empty());
  EXPECT_EQ(removed.bytes_before, one + 10'000);
  EXPECT_EQ(removed.bytes_after, one);
  EXPECT_TRUE(has(store, 0));
}

TEST_F(EvictionTest, a_reader_that_finds_the_entry_without_its_artifact_says_so) {
  FolderStore store(cache(), eviction(no_cache_limit));
  put(store, 0);
  for (const auto& file : fs::directory_iterator(store.folder_of(key(0))))
    if (file.path().extension() == ".so") fs::remove(file.path());
  const Found found = find(store, key(0));
  EXPECT_EQ(found.state, Found::State::stale);
  EXPECT_THAT(found.reason, HasSubstr("is missing"));
}

TEST_F(EvictionTest, a_lock_on_a_folder_that_was_evicted_meanwhile_is_no_lock) {
  FolderStore store(cache(), eviction(no_cache_limit));
  put(store, 0);
  const fs::path folder = store.folder_of(key(0));
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  EXPECT_TRUE(still_names(folder, opened));
  (void)Eviction(cache(), 0).shrink({1, 1}, {});
  EXPECT_FALSE(still_names(folder, opened));
  put(store, 0);
  EXPECT_FALSE(still_names(folder, opened));
}

TEST_F(EvictionTest, a_folder_that_goes_while_it_is_being_locked_is_made_anew) {
  FolderStore store(cache(), eviction(no_cache_limit));
  const fs::path folder = store.folder_of(key(0));
  const pid_t evicting = ::fork();
  while (evicting == 0) {
    {
      const FileDescriptor held = try_lock_folder(folder);
      if (held.valid()) ::rmdir(folder.c_str());
    }
    // Else each lock is won after thousands of lost ones, where both have a core.
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  int without_lock = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  for (int i = 0; i < 2000 && std::chrono::steady_clock::now() < end; ++i)
    if (store.lock(key(0)) == nullptr) ++without_lock;
  ::kill(evicting, SIGKILL);
  ::waitpid(evicting, nullptr, 0);
  EXPECT_EQ(without_lock, 0);
}

TEST_F(EvictionTest, a_folder_that_goes_while_it_is_being_made_is_made_again) {
  const fs::path folder = cache() / "key";
  must(make_private_folder(cache()));
  const pid_t evicting = ::fork();
  while (evicting == 0)
    ::rmdir(folder.c_str());
  int not_made = 0;
  for (int i = 0; i < 10'000; ++i)
    if (!make_private_folder(folder)) ++not_made;
  ::kill(evicting, SIGKILL);
  ::waitpid(evicting, nullptr, 0);
  EXPECT_EQ(not_made, 0);
}

TEST_F(EvictionTest, a_folder_that_cannot_be_written_still_hits) {
  FolderStore store(cache(), eviction(64'000));
  put(store, 0);
  // The folder itself first, then what is below it: nothing in a folder that may not be searched
  // can be listed by an ordinary user.
  std::vector<fs::path> all = {cache()};
  for (const auto& file : fs::recursive_directory_iterator(cache()))
    all.push_back(file.path());
  for (const auto& path : all)
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_TRUE(has(store, 0));
  for (const auto& path : all)
    fs::permissions(path, fs::perms::owner_all);
}

TEST_F(EvictionTest, four_processes_on_one_folder_keep_it_whole) {
  constexpr int processes = 4;
  constexpr int puts = 25;
  std::vector<pid_t> children;
  for (int p = 0; p < processes; ++p) {
    const pid_t child = ::fork();
    if (child == 0) {
      FolderStore store(cache(), eviction(64'000));
      for (int i = 0; i < puts; ++i) {
        const auto tuning = store.lock(key(p * puts + i));
        put(store, p * puts + i);
        // Under its lock no other process may have taken it away.
        if (!has(store, p * puts + i)) ::_exit(1);
      }
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  FolderStore store(cache(), eviction(64'000));
  put(store, 200);
  EXPECT_LE(bytes(), 64'000U);
  for (int i = 0; i < processes * puts; ++i)
    EXPECT_NE(find(store, key(i)).state, Found::State::stale) << i;
}

}  // namespace
}  // namespace tunecheck::test
