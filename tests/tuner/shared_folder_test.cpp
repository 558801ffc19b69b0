// Two machines use one cache folder on a file server: they do not see each other's locks, and what
// one of them renames the other one sees later. Each machine is a mount of its own of one folder.
#include <csignal>
#include <functional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "core/digest.hpp"
#include "many_callers.hpp"
#include "tuner/cache_command/contents.hpp"
#include "tuner/store/folder_store.hpp"

#ifndef SHARED_FILES_PROGRAM
#define SHARED_FILES_PROGRAM ""
#endif

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;

using Milliseconds = std::chrono::milliseconds;
constexpr Milliseconds delay(400);

// One machine's view of a folder. Unmounted by the destructor.
class Machine {
 public:
  Machine(const fs::path& backing, fs::path mount, Milliseconds delay) : m_mount(std::move(mount)) {
    fs::create_directories(m_mount);
    m_process = ::fork();
    if (m_process != 0) return;
    const std::string seconds = fmt::format("{}", std::chrono::duration<double>(delay).count());
    ::execl(SHARED_FILES_PROGRAM, SHARED_FILES_PROGRAM, backing.c_str(), m_mount.c_str(),
            seconds.c_str(), nullptr);
    ::_exit(127);
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  // A signal lets the program unmount the folder and end.
  ~Machine() {
    ::kill(m_process, SIGTERM);
    ::waitpid(m_process, nullptr, 0);
  }

  // Whether the folder is mounted, within some seconds.
  [[nodiscard]] bool is_up() const {
    struct stat above {};
    struct stat here {};
    for (int i = 0; i < 500; ++i) {
      if (::waitpid(m_process, nullptr, WNOHANG) != 0) return false;
      if (::stat(m_mount.parent_path().c_str(), &above) == 0 &&
          ::stat(m_mount.c_str(), &here) == 0 && above.st_dev != here.st_dev)
        return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  [[nodiscard]] fs::path cache() const { return m_mount / "cache"; }

 private:
  fs::path m_mount;
  pid_t m_process = 0;
};

class SharedFolder : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string(SHARED_FILES_PROGRAM).empty())
      GTEST_SKIP() << "built without libfuse3: pkg-config finds no fuse3";
    if (::access("/dev/fuse", R_OK | W_OK) != 0)
      GTEST_SKIP() << "/dev/fuse cannot be opened: " << last_system_error();
    fs::create_directory(backing());
    mount(delay);
  }
  void mount(Milliseconds seen_after) {
    m_one.reset();
    m_other.reset();
    m_one.emplace(backing(), m_home.path() / "one", seen_after);
    m_other.emplace(backing(), m_home.path() / "other", seen_after);
    if (!m_one->is_up() || !m_other->is_up())
      GTEST_SKIP() << "a file system in user space cannot be mounted here";
  }
  [[nodiscard]] fs::path backing() const { return m_home.path() / "server"; }

  // So that each machine sees all that the other one did.
  static void settle() { std::this_thread::sleep_for(delay + Milliseconds(100)); }

  // In each round both machines do their work at the same moment, and then the server's folder is
  // looked at. `look` gives "" or what is wrong; the first trouble is returned.
  template <class Work, class Look>
  std::string in_rounds(int rounds, Work&& on_one, Work&& on_other, Look&& look) {
    // Numbers of rounds: the one that is begun, and those that each machine has done.
    std::atomic<int>&begun = m_counts->hits, &one = m_counts->misses, &other = m_counts->stale;
    const auto child_of = [&](std::atomic<int>& done, Work& work) {
      const pid_t child = ::fork();
      for (int round = 1; child == 0 && round <= rounds; ++round) {
        while (begun < round)
          std::this_thread::sleep_for(std::chrono::microseconds(50));
        work(round);
        done = round;
      }
      if (child == 0) ::_exit(0);
      return child;
    };
    const std::vector<pid_t> children = {child_of(one, on_one), child_of(other, on_other)};
    std::string trouble;
    for (int round = 1; round <= rounds; ++round) {
      begun = round;
      while (one < round || other < round)
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      if (trouble.empty()) trouble = look();
    }
    expect_to_end_well(children);
    return trouble;
  }

  static Key key() { return Key({{"kernel", "small"}, {"toolchain", "t", true}}); }
  // A winner whose artifact no other machine and no other round has.
  void put(FolderStore& store, char machine, int round) {
    Artifact artifact{std::vector<std::byte>(300, static_cast<std::byte>(machine))};
    artifact.bytes[0] = static_cast<std::byte>(round);
    artifact.bytes[1] = static_cast<std::byte>(round / 256);
    Entry entry;
    entry.key = key();
    entry.winner = {{"block", round}};
    entry.artifact_digest = artifact_digest(artifact.bytes);
    entry.artifact_bytes = artifact.bytes.size();
    if (const auto done = store.put(entry, artifact); !done) {
      ++m_counts->errors;
      note_trouble(*m_counts, done.error().text());
    }
  }
  [[nodiscard]] Found stored() const {
    const FolderStore store(backing() / "cache");
    return store.examine(store.file_of(key()));
  }

  TemporaryFolder m_home = TemporaryFolder::create("tunecheck-shared").value();
  std::optional<Machine> m_one, m_other;
  ProbeFolder m_folder;
  TuneRequest m_request = m_folder.request();
  FunctionBackend m_backend{run_probe};
  SharedCounts m_counts;
};

TEST_F(SharedFolder, what_one_machine_makes_the_other_sees_later) {
  const fs::path file = m_one->cache(), seen = m_other->cache();
  EXPECT_FALSE(fs::exists(seen));
  fs::create_directory(file);
  EXPECT_FALSE(fs::exists(seen)) << "this file system hides nothing, and the tests ask nothing";
  settle();
  EXPECT_TRUE(fs::exists(seen));
}

TEST_F(SharedFolder, keeps_the_artifact_of_an_entry_that_another_machine_replaces) {
  mount(Milliseconds(0));
  FolderStore one(m_one->cache()), other(m_other->cache());
  using Work = std::function<void(int)>;
  const std::string trouble =
      in_rounds(30, Work([&](int round) { put(one, 'a', round); }),
                Work([&](int round) { put(other, 'b', round); }), [&] { return stored().reason; });
  EXPECT_EQ(trouble, "");
  EXPECT_EQ(m_counts->errors, 0) << m_counts->first_trouble.data();
  EXPECT_EQ(stored().state, Found::State::hit);
}

TEST_F(SharedFolder, has_an_entry_with_its_artifact_or_none_while_another_machine_prunes) {
  mount(Milliseconds(0));
  FolderStore one(m_one->cache());
  Eviction other(m_other->cache(), 1);
  using Work = std::function<void(int)>;
  const std::string trouble =
      in_rounds(30, Work([&](int round) { put(one, 'a', round); }), Work([&](int /*round*/) {
                  for (int i = 0; i < 4; ++i)
                    (void)other.shrink({1, 1}, {});
                }),
                [&] { return stored().reason; });
  EXPECT_EQ(trouble, "");
  EXPECT_EQ(m_counts->errors, 0) << m_counts->first_trouble.data();
}

TEST_F(SharedFolder, serves_two_machines_that_tune_the_same_keys_and_different_ones) {
  constexpr int keys = 6;
  const auto begin = std::chrono::steady_clock::now();
  // Long enough that each machine sees what the other one did; longer on a busy machine.
  const auto is_enough = [&] {
    return std::chrono::steady_clock::now() > begin + std::chrono::seconds(3) &&
           m_counts->hits > 100;
  };
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const fs::path cache = i % 2 == 0 ? m_one->cache() : m_other->cache();
    // Half of the keys are wanted by all, and each process has one of its own.
    children.push_back(in_process(
        begin + std::chrono::seconds(60),
        [&, i, next = 0]() mutable {
          const int key = ++next % (keys / 2) == 0 ? 100 + i : next % (keys / 2);
          call_once(m_backend, m_request, cache, key, *m_counts);
        },
        is_enough));
  }
  expect_to_end_well(children);
  EXPECT_EQ(m_counts->errors, 0) << m_counts->first_trouble.data();
  EXPECT_EQ(m_counts->wrong, 0);
  EXPECT_TRUE(is_enough());
  settle();
  const cache::Contents contents = cache::read_contents(backing() / "cache").value();
  for (const cache::StoredEntry& entry : contents.entries)
    EXPECT_EQ(entry.trouble, "") << entry.file;
  // Two of the shared keys, and one of each process.
  EXPECT_EQ(contents.entries.size(), 6U);
  for (const Machine* const machine : {&*m_one, &*m_other})
    for (const int key : {1, 2, 100, 101, 102, 103}) {
      ProbeTensors tensors;
      tensors.set_alpha(key);
      const auto report = fresh_call(m_backend, m_request, tensors, machine->cache());
      ASSERT_TRUE(report);
      EXPECT_EQ(report->cache, CacheUse::hit) << key << ": " << report->message;
      EXPECT_TRUE(tensors.hold_one_launch());
    }
}

}  // namespace
}  // namespace tunecheck::test
